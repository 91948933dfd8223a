package rpcserver_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

func TestMethodsAndGroups(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	all := s.token(token.Scope{})
	s.ok(all, "list_my_accounts")
	s.refused(fault.UnknownMethod, all, "nonsense")
	some := s.token(token.Scope{Methods: []string{"is_locked"}, Groups: []string{"assets"}})
	s.ok(some, "is_locked")
	s.ok(some, "get_asset", "DCT")
	s.denied(some, "dump_private_keys")
	s.denied(some, "transfer", "alice", "bobby", "1", "DCT", "", "true")
	s.denied(some, "nonsense")
}

func TestALimitedTokenReachesNothingElse(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerPayment: limits("1 DCT")})
	for _, method := range []string{"dump_private_keys", "list_my_accounts", "lock"} {
		s.denied(v, method)
	}
	s.denied(v, "set_password", "x")
	s.denied(v, "import_key", "alice", "5J")
	s.denied(v, "list_payments", "1")
	// It costs a fee, which no parameter shows.
	const key = "DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
	s.denied(v, "register_account", "newcomer", key, key, "alice", "true")
	s.ok(v, "get_account", "bobby")
	s.ok(v, "is_locked")
	named := s.token(token.Scope{PerPayment: limits("1 DCT"), Methods: []string{"list_my_accounts"}})
	s.ok(named, "list_my_accounts")
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Accounts: []string{"alice", "1.2.3"}})
	id := s.ok(s.token(token.Scope{}), "get_account", "alice")
	id = id[strings.Index(id, "1.2."):strings.Index(id, `","`)]
	s.ok(v, "list_account_balances", "alice")
	s.ok(v, "list_account_balances", id)
	s.ok(v, "transfer", id, "bobby", "1", "DCT", "", "true")
	s.denied(v, "list_account_balances", "bobby")
	s.denied(v, "get_account_history", "bobby", "10")
	s.denied(v, "transfer", "bobby", "alice", "1", "DCT", "", "true")
	s.refused(fault.NoSuchAccount, v, "list_account_balances", "nobody-here")
	s.refused(fault.TooFewParameters, v, "transfer", "alice")
}

func TestDestinationsAndAssets(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Destinations: []string{"bobby", "2.13.7"}, Assets: []string{"1.3.0"}})
	if out := s.ok(v, "transfer", "alice", "bobby", "1", "DCT", "", "true"); !strings.Contains(out, `"amount":100000000`) {
		t.Error(out)
	}
	s.denied(v, "transfer", "alice", "carol", "1", "DCT", "", "true")
	s.denied(v, "transfer", "alice", "2.13.8", "1", "DCT", "", "true")
	s.denied(v, "transfer", "alice", "bobby", "1", "ALX.GOLD", "", "true")
	for _, nobody := range []string{"2.13.7", "nobody-here", "1.2.4000", "", "1.3.0"} { // as without limits
		s.refused(fault.NoSuchRecipient, v, "transfer", "alice", nobody, "1", "DCT", "", "true")
	}
}

// The call gets ids, so that what was checked is what is executed.
func TestNamesAreReplacedByIDs(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby"}})
	p := walletParams("alice", "bobby", "1", "DCT", "", "true")
	grant, err := v.Authorize(s.ctx, "transfer", p)
	must(t, err)
	methods := walletapi.Methods()
	transfer := slices.IndexFunc(methods, func(m *walletapi.Method) bool { return m.Name == "transfer" })
	texts, _, err := methods[transfer].ByRole(grant.Params)
	must(t, err)
	for role, want := range map[walletapi.Role]string{walletapi.RoleAccount: "1.2.", walletapi.RoleDestination: "1.2.",
		walletapi.RoleAmount: "1", walletapi.RoleAsset: "1.3.0"} {
		if !strings.HasPrefix(texts[role], want) {
			t.Errorf("role %d is %s, want %s", role, texts[role], want)
		}
	}
	if string(p.Positional[0]) != `"alice"` {
		t.Error("the caller's parameters were changed")
	}
}

func TestLimitPerPayment(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerPayment: limits("2.5 DCT")})
	must(t, s.pay(v, "2.50"))
	s.denied(v, "transfer", "alice", "bobby", "2.50000001", "DCT", "", "true")
	s.denied(v, "transfer", "alice", "bobby", "2.50000001", "DCT", "", "false")
	s.denied(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "true")
	s.refused(fault.InvalidOperation, v, "transfer", "alice", "bobby", "-1", "DCT", "", "true")
	s.refused(fault.BadAmount, v, "transfer", "alice", "bobby", "1e3", "DCT", "", "true")
}

// tenAndFees is a limit that two payments of 10 DCT in total just reach with their fees.
const tenAndFees = "10.002"

// Even tiny payments cost their fees.
func TestFeesCountAgainstALimitForDCT(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("0.0035 DCT")})
	for range 3 {
		must(t, s.pay(v, "0.00000001"))
	}
	s.denied(v, "transfer", "alice", "bobby", "0.00000001", "DCT", "", "true")
	v = s.token(token.Scope{PerDay: limits("1 ALX.GOLD", "0.0015 DCT")})
	s.ok(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "false")
	s.denied(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "false")
	v = s.token(token.Scope{PerDay: limits("0.2 ALX.GOLD")}) // no limit for DCT
	s.ok(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "false")
	s.ok(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "false")
	s.denied(v, "transfer", "alice", "bobby", "0.1", "ALX.GOLD", "", "false")
}

func TestDailySumSurvivesARestart(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	_, credential, err := s.store.New("payout", token.Scope{PerDay: limits(tenAndFees + " DCT")})
	must(t, err)
	v, err := s.auth.Authenticate(credential, here)
	must(t, err)
	must(t, s.pay(v, "6"))
	s.reopen()
	v, err = s.auth.Authenticate(credential, here)
	must(t, err)
	s.denied(v, "transfer", "alice", "bobby", "5", "DCT", "", "true")
	must(t, s.pay(v, "4"))
	s.denied(v, "transfer", "alice", "bobby", "0.00000001", "DCT", "", "true")
	s.sums.by += 23 * time.Hour
	s.denied(v, "transfer", "alice", "bobby", "1", "DCT", "", "true")
	s.sums.by += 2 * time.Hour
	must(t, s.pay(v, "10"))
}

func TestUnspentPaymentsDoNotCount(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits(tenAndFees + " DCT")})
	s.wallet.Vault.Lock()
	for range 3 {
		s.refused(fault.Locked, v, "transfer", "alice", "bobby", "9", "DCT", "", "true")
	}
	must(t, s.wallet.Vault.Unlock(s.ctx, "correct horse"))
	// A transaction that is signed and not sent counts, since anybody who holds the bytes may send them.
	// A request key does not change that: it is refused.
	s.refused(fault.RequestKey, v, "transfer", "alice", "bobby", "5", "DCT", "", "false", "key")
	s.ok(v, "transfer", "alice", "bobby", "5", "DCT", "", "false")
	s.denied(v, "transfer", "alice", "bobby", "6", "DCT", "", "false")
	s.ok(v, "transfer", "alice", "bobby", "5", "DCT", "", "false")
	s.denied(v, "transfer", "alice", "bobby", "5", "DCT", "", "false")
}

// A repeated request is the same payment, which counts once.
func TestARepeatedRequestCountsOnce(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits(tenAndFees + " DCT")})
	first := s.ok(v, "transfer", "alice", "bobby", "6", "DCT", "", "true", "order-77")
	if again := s.ok(v, "transfer", "alice", "bobby", "6", "DCT", "", "true", "order-77"); again != first {
		t.Errorf("the second answer is %s, the first was %s", again, first)
	}
	s.refused(fault.RequestKey, v, "transfer", "alice", "bobby", "3", "DCT", "", "true", "order-77")
	must(t, s.pay(v, "4"))
	s.denied(v, "transfer", "alice", "bobby", "0.1", "DCT", "", "true")
	for _, other := range []token.Scope{{PerDay: limits("7 DCT")}, {PerDay: limits("1 DCT")}} { // a repetition of another's costs no limit, and needs none
		r := s.token(other)
		for range 2 {
			if again := s.ok(r, "transfer", "alice", "bobby", "6", "DCT", "", "true", "order-77"); again != first {
				t.Errorf("the answer to another token is %s, the first was %s", again, first)
			}
		}
		must(t, s.pay(r, "0.9"))
	}
	s.denied(s.token(token.Scope{PerPayment: limits("5 DCT")}), "transfer", "alice", "bobby", "6", "DCT", "", "true", "order-77")
}

func TestConcurrentPaymentsStayWithinTheLimit(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("10.01 DCT")})
	var group sync.WaitGroup
	paid := make(chan bool, 32)
	for range 32 {
		group.Go(func() { paid <- s.pay(v, "1") == nil })
	}
	group.Wait()
	close(paid)
	n := 0
	for ok := range paid {
		if ok {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d payments of 1 DCT were made with a limit for 10", n)
	}
}

// Above the token's limit a person is asked, below it nobody, whatever the wallet's
// policy for tokens without such a limit.
func TestAskAbove(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v, free := s.token(token.Scope{AskAbove: limits("5 DCT")}), s.token(token.Scope{})
	for _, c := range []struct {
		who    rpcserver.Principal
		asset  string
		amount string
		asks   rpcserver.Approval
	}{{v, "DCT", "5", rpcserver.NeverAsk}, {v, "DCT", "5.00000001", rpcserver.AlwaysAsk}, {v, "1.3.0", "6", rpcserver.AlwaysAsk}, {v, "ALX.GOLD", "0.0001", rpcserver.AlwaysAsk}, {free, "DCT", "1000", rpcserver.ApprovalByPolicy}} {
		grant, err := c.who.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", c.amount, c.asset, "", "true"))
		if err != nil || grant.Approval != c.asks || (grant.Why == "") != (c.asks == rpcserver.ApprovalByPolicy) {
			t.Errorf("%s %s: %+v, %v", c.amount, c.asset, grant, err)
		}
	}
	key := sandbox.DemoKeys()[0].Key.Public().String()
	grant, err := v.Authorize(s.ctx, "register_account", walletParams("newcomer", key, key, "alice", "true"))
	if err != nil || grant.Approval != rpcserver.AlwaysAsk {
		t.Errorf("a spend without an amount: %+v, %v", grant, err)
	}
	s.ok(v, "is_locked")
}
