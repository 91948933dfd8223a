package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// decision returns the decision about a payment: yes, ask, or the text of an error.
func (s *tokenGate) decision(v rpcserver.Principal, amount, asset, key string) string {
	s.t.Helper()
	params := []string{"alice", "bobby", amount, asset, "", "true"}
	if key != "" {
		params = append(params, key)
	}
	grant, err := v.Authorize(s.ctx, "transfer", walletParams(params...))
	if err != nil {
		return err.Error()
	}
	if grant.Approval == rpcserver.NeverAsk {
		grant.RecordOutcome(nil)
		return "yes"
	}
	if grant.Approval != rpcserver.AlwaysAsk || grant.Why == "" {
		s.t.Errorf("%s %s: %+v", amount, asset, grant)
	}
	grant.RecordOutcome(&rpcserver.Denied{})
	return "ask"
}

// Payments without asking count together over 24 hours, with fees and across restarts.
// Payments about which somebody was asked do not count.
func TestDailySumPaidWithoutAsking(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	_, credential, err := s.store.New("till",
		token.Scope{AskAbove: limits("5 DCT"), AskAboveDay: limits("12.003 DCT", "0.3 ALX.GOLD")})
	must(t, err)
	_, plain, err := s.store.New("plain", token.Scope{AskAbove: limits("0.1 DCT")})
	must(t, err)
	enter := func(c string) rpcserver.Principal {
		v, err := s.auth.Authenticate(c, here)
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
		} else if got := s.decision(v, c.amount, c.asset, c.key); got != c.want {
			t.Errorf("%d: %s %s: %s, want %s", i, c.amount, c.asset, got, c.want)
		}
	}
	s.sums.by += 25 * time.Hour
	if got := s.decision(v, "5", "DCT", ""); got != "yes" {
		t.Error("a day later:", got)
	}
	// The default is ten times the largest payment.
	v = enter(plain)
	for i := range 12 {
		if got := s.decision(v, "0.099", "DCT", ""); (got == "yes") != (i < 10) {
			t.Errorf("payment %d of 0.099 DCT: %s", i, got)
		}
	}
	// A payment that was certainly not made does not count.
	again := s.token(token.Scope{AskAboveDay: limits("1 DCT")})
	s.wallet.Vault.Lock()
	for range 3 {
		s.refused(fault.Locked, again, "transfer", "alice", "bobby", "0.9", "DCT", "", "true")
	}
	if got := s.decision(again, "0.9", "DCT", ""); got != "yes" {
		t.Error(got)
	}
}

// A refusal because of payments that were found after a loss, which any token may have made, names that reason.
func TestFoundPaymentsAreNamedAsTheReason(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("10 DCT")})
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
	must(t, s.kept.Limits.Reserve(s.ctx, nil, &store.Reservation{Spend: found, Limit: 1, At: time.Now()}))
	if said := authorize(); !strings.Contains(said, "found after a loss") {
		t.Errorf("it says %q", said)
	}
}

// A payment under an old request key counts again, since the first may not have happened.
func TestAnOldRequestKeyCountsAgain(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("10 DCT")})
	admit := func() error {
		grant, err := v.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", "6", "DCT", "", "true", "order-77"))
		if err == nil {
			grant.RecordOutcome(&fault.Error{Code: fault.Expired})
		}
		return err
	}
	must(t, admit())
	must(t, admit())
	s.sums.by += 25 * time.Hour
	must(t, admit())
	s.denied(v, "transfer", "alice", "bobby", "6", "DCT", "", "true")
}

// Requests under one request key that overlap pay once, and count once: not for the token whose request was the repetition, also while that is
// under way.
func TestAnOverlappingRepetitionCountsForNobody(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	first, second := s.token(token.Scope{PerDay: limits("10 DCT")}), s.token(token.Scope{PerDay: limits("10 DCT")})
	pays := []string{"alice", "bobby", "6", "DCT", "", "true", "order-1"}
	ctx := store.WithCallBatch(s.ctx)
	repetition, err := second.Authorize(ctx, "transfer", walletParams(pays...))
	must(t, err)
	paid := s.ok(first, "transfer", pays...)
	must(t, s.pay(second, "2"))
	must(t, s.pay(second, "2"))
	must(t, s.pay(second, "1"))
	if out, err := s.api.Call(ctx, "transfer", repetition.Params); err != nil || string(out) != paid {
		t.Fatalf("%s, %v; want %s", out, err, paid)
	}
	repetition.RecordOutcome(nil)
	must(t, s.pay(second, "4"))
	s.denied(second, "transfer", "alice", "bobby", "2", "DCT", "", "true")
	s.denied(first, "transfer", "alice", "bobby", "4", "DCT", "", "true")

	tokens, errs := make([]rpcserver.Principal, 6), make([]error, 6)
	for i := range tokens {
		tokens[i] = s.token(token.Scope{PerDay: limits("1 DCT")})
	}
	var all sync.WaitGroup
	for i, v := range tokens {
		all.Go(func() { _, errs[i] = s.call(v, "transfer", "alice", "bobby", "0.9", "DCT", "", "true", "order-2") })
	}
	all.Wait()
	must(t, errors.Join(errs...))
	counted := 0
	for _, v := range tokens {
		if s.pay(v, "0.5") != nil {
			counted++
		}
	}
	if counted != 1 {
		t.Errorf("one payment of %d requests at once counts for %d tokens", len(tokens), counted)
	}
}

// topicChecker is a principal that may subscribe to some topics only.
type topicChecker interface{ CheckTopic(topic string) error }

// A token for one account learns nothing about payments of others, by no name.
func TestPaymentsOfOtherAccountsAreHidden(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	boss := s.token(token.Scope{})
	var mine struct {
		ID string `json:"transaction_id"`
	}
	must(t, json.Unmarshal([]byte(s.ok(boss, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-1")), &mine))
	methods := []string{"get_payment", "list_payments", "wait_payment", "subscribe", "transfer"}
	alice := s.token(token.Scope{Accounts: []string{"alice"}, Methods: methods})
	bobby := s.token(token.Scope{Accounts: []string{"bobby"}, Methods: methods})
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
	// Nor can it repeat them, or claim them as its own.
	s.denied(bobby, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-1")
	_, used := s.call(bobby, "transfer", "bobby", "alice", "1", "DCT", "", "true", "order-1")
	if fault.CodeOf(used) != fault.RequestKey || strings.Contains(used.Error(), mine.ID) {
		t.Errorf("the key of another's payment tells of it: %v", used)
	}
	for topic, hears := range map[string]bool{"blocks": true, "lock": true, "balances": false, "deposits": false, "payments": false} {
		if err := bobby.(topicChecker).CheckTopic(topic); (err == nil) != hears {
			t.Errorf("%s: %v", topic, err)
		}
		must(t, boss.(topicChecker).CheckTopic(topic))
	}
}

// However a call is written, the wallet executes exactly what the gate checked.
func TestOneReadingOfACall(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(
		token.Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby"}, Assets: []string{"DCT"}, PerPayment: limits("2 DCT")})
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
	// After the check, the client's text no longer matters.
	grant, err := v.Authorize(s.ctx, "transfer", named(nil))
	must(t, err)
	grant.Params.Named = map[string]json.RawMessage{"to": json.RawMessage(`"carol"`)}
	grant.Params.Positional = []json.RawMessage{json.RawMessage(`"carol"`)}
	if out, err := s.api.Call(s.ctx, "transfer", grant.Params); err != nil || !strings.Contains(string(out), `"to":"`+bob.ID.String()) {
		t.Errorf("%s, %v", out, err)
	}
}

// A bad amount is refused with the same words whether a token limits payments or not.
func TestALimitedTokenRefusesABadAmountAlike(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	free, limited := s.token(token.Scope{}), s.token(token.Scope{PerPayment: limits("2 DCT")})
	try := func(v rpcserver.Principal, amount string) string {
		var p walletapi.Params
		for _, text := range []string{"alice", "bobby", amount, "DCT", "", "false"} {
			p.Positional = append(p.Positional, json.RawMessage(strconv.Quote(text)))
		}
		grant, err := v.Authorize(s.ctx, "transfer", p)
		if err == nil {
			_, err = s.api.Call(s.ctx, "transfer", grant.Params)
			grant.RecordOutcome(err)
		}
		e, is := errors.AsType[*fault.Error](err)
		if !is {
			t.Fatalf("%q: %v", amount, err)
		}
		return string(e.Code) + ": " + e.Message + "; " + e.Hint
	}
	for _, amount := range []string{"0", "0.00", "-1", "", ".", "-", "x", "1e3", "1.000000001", "2,5", "1 ALX.GOLD", "99999999999999999999", "9000000000000000"} {
		if with, without := try(limited, amount), try(free, amount); with != without {
			t.Errorf("%q with a limit: %s\nwithout: %s", amount, with, without)
		}
	}
}

// Without a daemon a limited token cannot read the names of a call. That says nothing of the payment that was made under its key.
func TestARepeatWithoutADaemonNamesThePayment(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Destinations: []string{"carol"}, PerPayment: limits("2 DCT")})
	call := func(key string) error {
		p := walletParams("alice", "carol", "1", "DCT", "", "true", key)
		grant, err := v.Authorize(s.ctx, "transfer", p)
		if err == nil {
			_, err = s.api.Call(s.ctx, "transfer", grant.Params)
			grant.RecordOutcome(err)
		}
		return err
	}
	must(t, call("order-1"))
	must(t, s.box.Kill(time.Hour, 0))
	for began := time.Now(); fault.CodeOf(call("order-1")) != fault.DaemonAway && time.Since(began) < testwallet.Patience; {
		time.Sleep(10 * time.Millisecond) // a new request before the wallet notices would be made
	}
	for key, want := range map[string]string{"order-1": "get_payment order-1", "order-2": "nothing was sent; make the same request again"} {
		e, is := errors.AsType[*fault.Error](call(key))
		if !is || !strings.Contains(e.Hint, want) || e.RequestKey != fault.KeySame {
			t.Errorf("%s: %+v", key, e)
		}
	}
}

// A dry run is checked against the limits per payment and the destinations, and does not
// count against the limit of the day.
func TestADryRunCountsForNothing(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerPayment: limits("3 DCT"), PerDay: limits("5 DCT")})
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

// A payment whose commit was not made does not count, however its call ended. Otherwise a repetition under its key could pay more
// than the token may.
func TestUnknownOutcomeCountsWithItsPayment(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	made, credential, err := s.store.New("till", token.Scope{PerDay: limits("5 DCT")})
	must(t, err)
	v, err := s.auth.Authenticate(credential, here)
	must(t, err)
	ctx := store.WithCallBatch(s.ctx) // of the commit of a payment that is not made
	grant, err := v.Authorize(ctx, "transfer", walletParams("alice", "bobby", "4", "DCT", "", "true", "order-1"))
	must(t, err)
	grant.RecordOutcome(&fault.Error{Code: fault.OutcomeUnknown, Unsettled: true})
	_, fee, err := s.wallet.Build.TransferFee(s.ctx)
	must(t, err)
	p := store.Spend{Token: made.ID, Key: "order-1", Asset: ledger.CoreAsset, Amount: 4_0000_0000 + fee}
	if sum, known, err := s.kept.Limits.Spent(s.ctx, p, time.Now()); sum != 0 || known || err != nil {
		t.Errorf("%d counts, known %v (%v)", sum, known, err)
	}
	// The same payment with its commit counts.
	grant, err = v.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", "4", "DCT", "", "true", "order-1"))
	must(t, err)
	grant.RecordOutcome(&fault.Error{Code: fault.OutcomeUnknown, Unsettled: true})
	if sum, known, err := s.kept.Limits.Spent(s.ctx, p, time.Now()); sum != p.Amount || !known || err != nil {
		t.Errorf("%d counts, known %v (%v)", sum, known, err)
	}
}

// A day is a day of the ledger, as far as it is proven: this machine's clock, set forward or back, makes no token pay more.
func TestADayIsTheLedgers(t *testing.T) {
	t.Parallel()
	folder, machine, ledgers := testwallet.Folder(t), testwallet.NewClock(), testwallet.NewClock()
	kept, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	box := testwallet.Ledger(t, sandbox.Options{Now: ledgers.Now})
	on := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Store, cfg.Now = kept, machine.Now })
	on.Hold("alice")
	prove := func() {
		t.Helper()
		want := ledgers.Now()
		for !on.Payments.LedgerTime().After(want) {
			ledgers.Forward(5 * time.Second)
			on.Mine()
		}
	}
	prove()
	s := &tokenGate{t: t, ctx: on.Ctx, folder: folder, wallet: on.Wallet, box: box, kept: kept, sums: &laterSums{Limits: kept.Limits}}
	s.reopen()
	v := s.token(token.Scope{PerDay: limits("20 DCT")})
	signs := func() error { // which counts, because whoever holds it can send it
		grant, err := v.Authorize(s.ctx, "transfer", walletParams("alice", "bobby", "15", "DCT", "", "false"))
		if err == nil {
			grant.RecordOutcome(nil)
		}
		return err
	}
	must(t, signs())
	for _, by := range []time.Duration{25 * time.Hour, 366 * 24 * time.Hour, -2 * 366 * 24 * time.Hour, 366 * 24 * time.Hour} {
		machine.Forward(by)
		if signs() == nil {
			t.Errorf("with the clock set by %s it pays more", by)
		}
	}
	ledgers.Forward(25 * time.Hour)
	prove()
	must(t, signs())
}
