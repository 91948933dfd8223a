package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// A group means what only reads; more is said behind a colon.
func TestAGroupMeansItsReads(t *testing.T) {
	may := func(scope Scope, names string) {
		t.Helper()
		var got []string
		methods := walletapi.Methods()
		for i := range methods {
			if scope.sorted(methods).permits(methods[i]) {
				got = append(got, methods[i].Name)
			}
		}
		if strings.Join(got, " ") != names {
			t.Errorf("%+v may call %s, want %s", scope, got, names)
		}
	}
	const reads = "get_account list_accounts list_account_balances get_account_history get_relative_account_history"
	const more = " get_account_count search_accounts get_proposed_transactions search_account_history search_account_balance_history" +
		" get_account_balance_for_transaction"
	const spends = " register_account_with_keys register_multisig_account update_account_keys" +
		" update_account_keys_to_multisig"
	may(Scope{Groups: []string{"accounts"}}, reads+more)
	may(Scope{Methods: []string{"Accounts"}}, reads+more)
	may(Scope{Groups: []string{"ACCOUNTS:spend"}}, reads+" register_account"+more+spends)
	may(Scope{Groups: []string{"accounts:signs"}}, reads+more)
	may(Scope{Groups: []string{"accounts:spends+keys"}}, reads+" register_account"+more+" create_account_with_brain_key"+spends)
	may(Scope{Groups: []string{"accounts:all"}}, reads+" register_account"+more+" create_account_with_brain_key"+spends)
	may(Scope{Groups: []string{"payouts"}}, "")
	may(Scope{Groups: []string{"payouts:signs"}}, "get_payout_receipt")
	may(Scope{Groups: []string{"accounts:keys+lock"}}, reads+more)
	may(Scope{Groups: []string{"transfers"}}, "")
	may(Scope{Groups: []string{"deposits"}}, "deposits.next")
	may(Scope{Groups: []string{"deposits:writes"}}, "deposits.next deposits.ack")
	may(Scope{Methods: []string{"lock"}, Groups: []string{"transfers:spends"}}, "lock transfer")
	may(Scope{Groups: []string{"wallet and keys:lock"}}, "is_new is_locked unlock lock list_my_accounts get_public_key suggest_brain_key get_brain_key_info "+
		"get_wallet_filename derive_private_key generate_el_gamal_keys generate_brain_key_el_gamal_key")
	may(Scope{Groups: []string{"accounts:spends:all", "transfers:nonsense"}}, "")
	methods := walletapi.Methods()
	for _, m := range methods {
		if !(Scope{Groups: []string{"all:all"}}).permits(m) || (Scope{Groups: []string{"all"}}).permits(m) != m.DoesOnly(walletapi.Reads) {
			t.Errorf("all is not all of it: %s", m.Name)
		}
		if checkGroup(m.Name, methods) == nil {
			t.Errorf("%s is an operation and a group", m.Name)
		}
	}
	if (Scope{Groups: []string{"all"}}).permits(&walletapi.Method{Name: "new", Group: "Accounts"}) {
		t.Error("a group holds an operation that declares nothing")
	}
}

func TestTenTimes(t *testing.T) {
	for text, want := range map[string]string{"5": "50", "0.5": "5", ".5": "5", "5.": "50", "12.345": "123.45", "0": "0", "0.01": "0.1",
		"0.001": "0.01", "10": "100"} {
		if got := tenTimes(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// asks reports what becomes of a payment: yes, ask or an error's words.
func (s *fixture) asks(v rpcserver.Principal, amount, asset, key string) string {
	s.t.Helper()
	params := []string{"alice", "bobby", amount, asset, "", "true"}
	if key != "" {
		params = append(params, key)
	}
	grant, err := v.Authorize(s.ctx, "transfer", walletParams(params...))
	if err != nil {
		return err.Error()
	}
	if grant.Asks == rpcserver.Never {
		grant.RecordOutcome(nil)
		return "yes"
	}
	if grant.Asks != rpcserver.Always || grant.Why == "" {
		s.t.Errorf("%s %s: %+v", amount, asset, grant)
	}
	grant.RecordOutcome(&rpcserver.Denied{})
	return "ask"
}

// What is paid unasked counts together over 24 hours, fees and restarts included;
// what somebody was asked about does not count.
func TestWhatIsPaidUnaskedInADay(t *testing.T) {
	s := newFixture(t)
	_, credential, err := s.store.New("till",
		Scope{AskAbove: []Limit{{"5", "DCT"}}, AskAboveDay: []Limit{{"12.003", "DCT"}, {"0.3", "ALX.GOLD"}}})
	must(t, err)
	_, plain, err := s.store.New("plain", Scope{AskAbove: []Limit{{"0.1", "DCT"}}})
	must(t, err)
	enter := func(c string) rpcserver.Principal {
		v, err := s.gate.Authenticate(c, here)
		must(t, err)
		return v
	}
	v := enter(credential)
	for i, c := range []struct{ amount, asset, key, want string }{
		{"5", "DCT", "", "yes"}, {"5.00000001", "DCT", "", "ask"}, {"5", "1.3.0", "order-1", "yes"}, {"5", "DCT", "order-1", "yes"},
		{"2.1", "DCT", "", "ask"}, {"restart", "", "", ""}, {"2.1", "DCT", "", "ask"}, {"2", "DCT", "", "yes"}, {"0.00000001", "DCT", "", "ask"},
		{"5", "DCT", "order-1", "yes"}, {"0.1", "ALX.GOLD", "", "ask"}, // its fee is in DCT
	} {
		if c.amount == "restart" {
			s.reopen()
			v = enter(credential)
		} else if got := s.asks(v, c.amount, c.asset, c.key); got != c.want {
			t.Errorf("%d: %s %s: %s, want %s", i, c.amount, c.asset, got, c.want)
		}
	}
	s.now = s.now.Add(25 * time.Hour)
	if got := s.asks(v, "5", "DCT", ""); got != "yes" {
		t.Error("a day later:", got)
	}
	// Where nothing is said it is ten of the largest payments.
	v = enter(plain)
	for i := range 12 {
		if got := s.asks(v, "0.099", "DCT", ""); (got == "yes") != (i < 10) {
			t.Errorf("payment %d of 0.099 DCT: %s", i, got)
		}
	}
	// What certainly was not paid does not count.
	again := s.token(Scope{AskAboveDay: []Limit{{"1", "DCT"}}})
	s.wallet.Vault.Lock()
	for range 3 {
		s.refused(fault.Locked, again, "transfer", "alice", "bobby", "0.9", "DCT", "", "true")
	}
	if got := s.asks(again, "0.9", "DCT", ""); got != "yes" {
		t.Error(got)
	}
}

// A refusal because of payments that were found after a loss, which any token may have made, says so.
func TestFoundPaymentsAreNamedAsTheReason(t *testing.T) {
	s := newFixture(t)
	v := s.token(Scope{PerDay: []Limit{{"10", "DCT"}}})
	authorize := func() string {
		_, err := v.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", "11", "DCT", "", "true"))
		if err == nil {
			t.Fatal("it may pay")
		}
		return err.Error()
	}
	if said := authorize(); strings.Contains(said, "found after a loss") {
		t.Errorf("nothing was found, and it says %q", said)
	}
	found := store.Spend{Token: store.EveryToken, Asset: ledger.CoreAsset, Amount: 1}
	must(t, s.gate.spent.sums.Reserve(s.ctx, nil, &store.Reservation{Spend: found, Limit: 1, At: s.now}))
	if said := authorize(); !strings.Contains(said, "found after a loss") {
		t.Errorf("it says %q", said)
	}
}

// A payment is counted anew under an old key: the first may not have happened.
func TestAnOldRequestKeyCountsAgain(t *testing.T) {
	s := newFixture(t)
	v := s.token(Scope{PerDay: []Limit{{"10", "DCT"}}})
	admit := func() error {
		grant, err := v.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", "6", "DCT", "", "true", "order-77"))
		if err == nil {
			grant.RecordOutcome(&fault.Error{Code: fault.Expired})
		}
		return err
	}
	must(t, admit())
	must(t, admit())
	s.now = s.now.Add(25 * time.Hour)
	must(t, admit())
	s.denied(v, "transfer", "alice", "bobby", "6", "DCT", "", "true")
}

// A token for one account hears nothing of what others pay, under no name.
func TestPaymentsOfOtherAccounts(t *testing.T) {
	s := newFixture(t)
	boss := s.token(Scope{})
	var mine struct {
		ID string `json:"transaction_id"`
	}
	must(t, json.Unmarshal([]byte(s.ok(boss, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-1")), &mine))
	alice := s.token(
		Scope{Accounts: []string{"alice"}, Methods: []string{"get_payment", "list_payments", "wait_payment", "subscribe", "transfer"}})
	bobby := s.token(
		Scope{Accounts: []string{"bobby"}, Methods: []string{"get_payment", "list_payments", "wait_payment", "subscribe", "transfer"}})
	for _, which := range []string{"order-1", mine.ID} {
		s.ok(alice, "get_payment", which)
		s.ok(alice, "wait_payment", which, "in_block", "0")
		s.refused(fault.NoSuchPayment, bobby, "get_payment", which)
		s.refused(fault.NoSuchPayment, bobby, "wait_payment", which, "in_block", "0")
	}
	_, there := s.call(bobby, "get_payment", "order-1")
	_, missing := s.call(bobby, "get_payment", "order-2")
	if there == nil || strings.ReplaceAll(there.Error(), "order-1", "order-2") != missing.Error() {
		t.Errorf("one can tell that there is one: %v, %v", there, missing)
	}
	s.denied(alice, "list_payments", "10")
	s.denied(bobby, "list_payments", "10", "alice")
	if got := s.ok(bobby, "list_payments", "10", "bobby"); got != "[]" {
		t.Error(got)
	}
	if got := s.ok(alice, "list_payments", "10", "alice"); !strings.Contains(got, mine.ID) {
		t.Error(got)
	}
	if got := s.ok(boss, "list_payments", "10"); !strings.Contains(got, mine.ID) {
		t.Error(got)
	}
	// Nor can it have them paid once more, or take them for its own.
	s.denied(bobby, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-1")
	_, used := s.call(bobby, "transfer", "bobby", "alice", "1", "DCT", "", "true", "order-1")
	if fault.CodeOf(used) != fault.RequestKey || strings.Contains(used.Error(), mine.ID) {
		t.Errorf("the key of another's payment tells of it: %v", used)
	}
	for topic, hears := range map[string]bool{"blocks": true, "lock": true, "balances": false, "deposits": false, "payments": false} {
		if err := bobby.(*principal).Hears(topic); (err == nil) != hears {
			t.Errorf("%s: %v", topic, err)
		}
		must(t, boss.(*principal).Hears(topic))
	}
}

// However a call is written, what the gate looked at is what the wallet does.
func TestOneReadingOfACall(t *testing.T) {
	s := newFixture(t)
	v := s.token(
		Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby"}, Assets: []string{"DCT"}, PerPayment: []Limit{{"2", "DCT"}}})
	good := map[string]string{
		"from": `"alice"`, "to": `"bobby"`, "amount": `"1"`, "asset_symbol": `"DCT"`,
		"memo": `""`, "broadcast": `false`,
	}
	named := func(change map[string]string) walletapi.Params {
		p := walletapi.Params{Exact: true, Named: map[string]json.RawMessage{}}
		for name, value := range good {
			p.Named[name] = json.RawMessage(value)
		}
		for name, value := range change {
			p.Named[name] = json.RawMessage(value)
		}
		return p
	}
	try := func(p walletapi.Params) (string, error) {
		grant, err := v.Authorize(s.ctx, "transfer", p)
		if err != nil {
			return "", err
		}
		out, err := s.api.Call(s.ctx, "transfer", grant.Params)
		grant.RecordOutcome(err)
		return string(out), err
	}
	for _, change := range []map[string]string{
		{"to": `"carol"`}, {"to": `" bobby"`}, {"to": `"BOBBY"`}, {"to": `"bоbby"`}, {"to": `"bobby\u0000"`}, {"to": `"1.2.9999"`}, {"to": `"2.13.1"`}, {"to": `"2.13.01"`},
		{"to": `["bobby"]`}, {"to": `{"0":"bobby"}`}, {"to": `null`}, {"to": `true`}, {"To": `"carol"`}, {"TO": `"carol"`}, {"extra": `1`},
		{"amount": `"2.00000001"`}, {"amount": `2.00000001`}, {"amount": `20e-1`}, {"amount": `"1e1"`}, {"amount": `"0x1"`}, {"amount": `"-1"`}, {"amount": `"٣"`}, {"amount": `"2,5"`},
		{"amount": `"1 000"`}, {"amount": `""`}, {"amount": `null`}, {"amount": `[1]`},
		{"asset_symbol": `"ALX.GOLD"`}, {"asset_symbol": `"dct"`}, {"asset_symbol": `"1.3.1"`}, {"asset_symbol": `"ＤＣＴ"`}, {"asset_symbol": `""`},
		{"from": `"bobby"`}, {"from": `""`}, {"from": `"Alice"`}, {"from": `"1.2.03"`}, {"broadcast": `"maybe"`},
	} {
		if out, err := try(named(change)); err == nil {
			t.Errorf("%v: %s", change, out)
		}
	}
	bob, err := s.wallet.View.Accounts.Get(s.ctx, "bobby")
	must(t, err)
	for _, change := range []map[string]string{
		nil, {"to": `"` + bob.ID.String() + `"`}, {"to": `"b\u006fbby"`}, {"amount": `2`}, {"amount": `"2.00"`}, {"asset_symbol": `"1.3.0"`}, {"broadcast": `"false"`}, {"broadcast": `0`},
	} {
		out, err := try(named(change))
		if err != nil || !strings.Contains(out, fmt.Sprintf(`"to":"%s"`, bob.ID)) || !strings.Contains(out, `"asset_id":"1.3.0"`) {
			t.Errorf("%v: %s, %v", change, out, err)
		}
	}
	// After it was looked at, the client's text counts for nothing.
	grant, err := v.Authorize(s.ctx, "transfer", named(nil))
	must(t, err)
	grant.Params.Named = map[string]json.RawMessage{"to": json.RawMessage(`"carol"`)}
	grant.Params.Positional = []json.RawMessage{json.RawMessage(`"carol"`)}
	if out, err := s.api.Call(s.ctx, "transfer", grant.Params); err != nil || !strings.Contains(string(out), `"to":"`+bob.ID.String()) {
		t.Errorf("%s, %v", out, err)
	}
}

// A dry run is held to what the token may pay at once and whom, and counts against
// no limit of the day.
func TestADryRunCountsForNothing(t *testing.T) {
	s := newFixture(t)
	v := s.token(Scope{PerPayment: []Limit{{"3", "DCT"}}, PerDay: []Limit{{"5", "DCT"}}})
	try := func(amount string) error {
		p := walletapi.Params{Named: map[string]json.RawMessage{"dry_run": json.RawMessage("true")}}
		for _, text := range []string{"alice", "bobby", amount, "DCT", "", "true"} {
			raw, _ := json.Marshal(text)
			p.Positional = append(p.Positional, raw)
		}
		grant, err := v.Authorize(s.ctx, "transfer", p)
		if err != nil {
			return err
		}
		_, err = s.api.Call(s.ctx, "transfer", grant.Params)
		grant.RecordOutcome(err)
		return err
	}
	for range 4 {
		must(t, try("3"))
	}
	if _, no := errors.AsType[*rpcserver.Denied](try("3.5")); !no {
		t.Error("more than the token may pay at once was tried")
	}
	must(t, s.pay(v, "3"))
}

// A payment whose commit was not made counts for nothing, however its call ended: what was counted for it beyond the limit would let
// a repetition under its key pay more than the token may.
func TestAnOutcomeThatIsNotKnownCountsWithItsPayment(t *testing.T) {
	s := newFixture(t)
	p := store.Spend{Token: "till", Key: "order-1", Asset: ledger.CoreAsset, Amount: 5}
	h, err := s.spent.reserve(s.ctx, &store.Unit{}, p, 5) // in the commit of a payment that is not made
	must(t, err)
	h.recordOutcome(s.ctx, &fault.Error{Code: fault.OutcomeUnknown, Unsettled: true})
	if sum, known, err := s.kept.Limits.Spent(s.ctx, p, s.now); sum != 0 || known || err != nil {
		t.Errorf("%d counts, known %v (%v)", sum, known, err)
	}
}
