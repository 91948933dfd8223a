package rpcserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// raw makes a call whose parameters are JSON.
func (s *tokenGate) raw(v rpcserver.Principal, method, params string) (string, error) {
	s.t.Helper()
	p := walletapi.Params{Exact: true}
	if params[0] == '{' {
		must(s.t, json.Unmarshal([]byte(params), &p.Named))
	} else {
		must(s.t, json.Unmarshal([]byte(params), &p.Positional))
	}
	ctx := store.WithUnit(s.ctx)
	grant, err := v.Authorize(ctx, method, p)
	if err != nil {
		return "", err
	}
	out, err := s.api.Call(ctx, method, grant.Params)
	grant.RecordOutcome(err)
	return string(out), err
}

// want checks the outcome of a call: a part of its result, or of why it is denied behind "!".
func (s *tokenGate) want(want string, v rpcserver.Principal, method, params string) string {
	s.t.Helper()
	out, err := s.raw(v, method, params)
	no, isDenied := errors.AsType[*rpcserver.Denied](err)
	switch reason, denial := strings.CutPrefix(want, "!"); {
	case denial && (!isDenied || !strings.Contains(no.Message, reason)):
		s.t.Errorf("%s %s: %s, %v, want it denied: %s", method, params, out, err, reason)
	case !denial && (err != nil || !strings.Contains(out, want)):
		s.t.Errorf("%s %s: %s, %v, want %s", method, params, out, err, want)
	}
	return out
}

// begin puts transfers from one account to another under construction and returns the handle.
func (s *tokenGate) begin(v rpcserver.Principal, from, to string, amounts ...int64) string {
	s.t.Helper()
	handle := s.want("", v, "begin_builder_transaction", "[]")
	for _, amount := range amounts {
		op, err := json.Marshal(map[string]any{"from": s.id(from), "to": s.id(to), "amount": ledger.AssetAmount{Amount: amount}})
		must(s.t, err)
		s.want("", v, "add_operation_to_builder_transaction", "["+handle+",[0,"+string(op)+"]]")
	}
	s.want("", v, "set_fees_on_builder_transaction", "["+handle+`,"DCT"]`)
	return handle
}

func (s *tokenGate) id(name string) string {
	a, err := s.wallet.View.Accounts.Get(s.ctx, name)
	must(s.t, err)
	return a.ID.String()
}

const isSigned, oneDCT = `"transaction_id"`, int64(1_0000_0000)

// A limited token may make what only its operations show, within its limits, and nothing else.
func TestWhatWasBuiltIsHeldToTheLimits(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby", "carol"}, Assets: []string{"DCT"},
		PerPayment: limits("2 DCT")})
	rows := func(rows string) string { return `["alice",[` + rows + `],true]` }
	row := func(to, amount, asset string) string {
		return `{"to":"` + to + `","amount":"` + amount + `","asset_symbol":"` + asset + `","memo":""}`
	}
	s.want(isSigned, v, "pay_many", rows(row("bobby", "2", "DCT")+","+row("carol", "2", "DCT")))
	s.want("!at once", v, "pay_many", rows(row("bobby", "1.5", "DCT")+","+row("bobby", "1", "DCT")))
	s.want("!this destination", v, "pay_many", rows(row("bobby", "1", "DCT")+","+row("dave-shop", "1", "DCT")))
	s.want("!this asset", v, "pay_many", rows(row("bobby", "1", "ALX.GOLD")))
	s.want("!act for this account", v, "pay_many", strings.Replace(rows(row("carol", "1", "DCT")), "alice", "bobby", 1))
	for _, with := range []string{`"dry_run":true`, `"export":3600`} {
		for want, to := range map[string]string{"bobby": "bobby", "!this destination": "dave-shop"} {
			if want == "bobby" {
				want = "operations"
			}
			s.want(want, v, "pay_many", `{"from":"alice","payments":[`+row(to, "1", "DCT")+`],"broadcast":true,`+with+`}`)
		}
	}

	s.want(isSigned, v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT, oneDCT)+",true]")
	s.want("!at once", v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT, oneDCT, 1)+",true]")
	s.want("!this destination", v, "sign_builder_transaction", "["+s.begin(v, "alice", "dave-shop", 1)+",false]")
	s.want("!act for this account", v, "sign_builder_transaction", "["+s.begin(v, "bobby", "carol", 1)+",false]")
	handle := s.begin(v, "alice", "bobby", 1)
	s.want("!does more than pay: proposal_create_operation", v, "propose_builder_transaction2",
		"["+handle+`,"alice","2030-01-01T00:00:00",0,true]`)
	s.want("!act for this account", v, "propose_builder_transaction", "["+handle+`,"2030-01-01T00:00:00",0,false]`)

	tx := func(fee string) string {
		return `[{"ref_block_num":0,"ref_block_prefix":0,"expiration":"2030-01-01T00:00:00","operations":[[39,{"fee":{"amount":` + fee +
			`,"asset_id":"1.3.0"},"from":"` + s.id("alice") + `","to":"` + s.id("bobby") +
			`","amount":{"amount":1,"asset_id":"1.3.0"},"extensions":[]}]],"extensions":[],"signatures":[]},false]`
	}
	s.want(isSigned, v, "sign_transaction", tx("100000"))
	s.want("!higher fee", v, "sign_transaction", tx("100001"))
}

// A token that is limited to accounts may make every spend that they alone sign.
func TestWhoSignsIsHeldToTheAccounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	alice, bobby := s.token(token.Scope{Accounts: []string{"alice"}}), s.token(token.Scope{Accounts: []string{"bobby"}})
	s.want(isSigned, alice, "sign_builder_transaction", "["+s.begin(alice, "alice", "dave-shop", 1)+",false]")
	s.want("!act for this account", bobby, "sign_builder_transaction", "["+s.begin(bobby, "alice", "bobby", 1)+",false]")
}

// What only shows in what was built counts against the sum of the day, with its real fee, once under one
// request key, and not where it was refused or only tried.
func TestWhatWasBuiltCounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	pay := func(amount, more string) string {
		return `{"from":"alice","payments":[{"to":"bobby","amount":"` + amount + `","asset_symbol":"DCT","memo":""}],` + more + `}`
	}
	const send = `"broadcast":true`
	s.want("!within 24 hours", v, "pay_many", pay("5", send)) // with its fee it is too much
	s.want("operations", v, "pay_many", pay("4", send+`,"dry_run":true`))
	first := s.want(isSigned, v, "pay_many", pay("2", send+`,"request_key":"a"`))
	if again := s.want(isSigned, v, "pay_many", pay("2", send+`,"request_key":"a"`)); again != first {
		t.Error("another transaction was made")
	}
	s.want("operations", v, "pay_many", pay("2", send+`,"export":3600`))
	s.want("!within 24 hours", v, "pay_many", pay("1", send))
	s.want("!within 24 hours", v, "pay_many", pay("1", `"broadcast":false`))
	s.want(isSigned, v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT/2)+",true]")
	s.want("!within 24 hours", v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT/2)+",true]")
}

// A daemon that says that it refused a payment had its bytes, so it counts: a token does not pay more than it may by the word of one
// that lies.
func TestWhatADaemonRefusedCounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	must(t, s.box.RefuseBroadcast(10, "not today"))
	s.refused(fault.DaemonRefused, v, "transfer", "alice", "bobby", "3", "DCT", "", "true", "order-1")
	s.denied(v, "transfer", "alice", "bobby", "3", "DCT", "", "true", "order-2")
	s.ok(v, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-3")
}

// A request key that somebody else used gives a token nothing that it could not have made.
func TestARepeatIsHeldToTheLimits(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	const params = `["alice",[{"to":"bobby","amount":"3","asset_symbol":"DCT","memo":""}],true,"rent"]`
	s.want(isSigned, s.token(token.Scope{}), "pay_many", params)
	s.want("!at once", s.token(token.Scope{PerPayment: limits("2 DCT")}), "pay_many", params)
}

// A transaction under construction belongs to the token that began it.
func TestHandlesBelongToTheirToken(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	one, other := s.token(token.Scope{}), s.token(token.Scope{})
	handle := s.begin(one, "alice", "bobby", 1)
	for method, params := range map[string]string{
		"preview_builder_transaction": "", "sign_builder_transaction": ",false", "set_fees_on_builder_transaction": `,"DCT"`,
		"add_operation_to_builder_transaction":     `,[0,{"from":"1.2.16","to":"1.2.17","amount":{"amount":1,"asset_id":"1.3.0"}}]`,
		"replace_operation_in_builder_transaction": `,0,[0,{"from":"1.2.16","to":"1.2.17","amount":{"amount":1,"asset_id":"1.3.0"}}]`,
		"propose_builder_transaction2":             `,"alice","2030-01-01T00:00:00",0,false`,
	} {
		if out, err := s.raw(other, method, "["+handle+params+"]"); fault.CodeOf(err) != fault.NoSuchHandle {
			t.Errorf("%s: %s, %v", method, out, err)
		}
	}
	s.want("null", other, "remove_builder_transaction", "["+handle+"]")
	s.want(`"amount":1`, one, "preview_builder_transaction", "["+handle+"]")
	all := walletapi.Params{Positional: []json.RawMessage{json.RawMessage(handle)}}
	person, err := s.api.Call(s.ctx, "preview_builder_transaction", all)
	must(t, err)
	if !strings.Contains(string(person), `"amount":1`) {
		t.Errorf("the person sees %s", person)
	}
}
