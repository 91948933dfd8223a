package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// callJSON makes a call with parameters in JSON.
func (s *tokenGate) callJSON(v rpcserver.Principal, method, params string) (string, error) {
	s.t.Helper()
	p := walletapi.Params{Exact: true}
	if params[0] == '{' {
		must(s.t, json.Unmarshal([]byte(params), &p.Named))
	} else {
		must(s.t, json.Unmarshal([]byte(params), &p.Positional))
	}
	ctx := store.WithCallBatch(s.ctx)
	grant, err := v.Authorize(ctx, method, p)
	if err != nil {
		return "", err
	}
	out, err := s.api.Call(ctx, method, grant.Params)
	grant.RecordOutcome(err)
	return string(out), err
}

// wantOutcome checks the outcome of a call: want is a part of its result or, after "!", a part of the denial.
func (s *tokenGate) wantOutcome(want string, v rpcserver.Principal, method, params string) string {
	s.t.Helper()
	out, err := s.callJSON(v, method, params)
	no, isDenied := errors.AsType[*rpcserver.Denied](err)
	switch reason, denial := strings.CutPrefix(want, "!"); {
	case denial && (!isDenied || !strings.Contains(no.Message, reason)):
		s.t.Errorf("%s %s: %s, %v, want it denied: %s", method, params, out, err, reason)
	case !denial && (err != nil || !strings.Contains(out, want)):
		s.t.Errorf("%s %s: %s, %v, want %s", method, params, out, err, want)
	}
	return out
}

// begin makes a transaction under construction with transfers from one account to another, and returns its handle.
func (s *tokenGate) begin(v rpcserver.Principal, from, to string, amounts ...int64) string {
	s.t.Helper()
	handle := s.wantOutcome("", v, "begin_builder_transaction", "[]")
	for _, amount := range amounts {
		op, err := json.Marshal(map[string]any{"from": s.id(from), "to": s.id(to), "amount": ledger.AssetAmount{Amount: amount}})
		must(s.t, err)
		s.wantOutcome("", v, "add_operation_to_builder_transaction", "["+handle+",[0,"+string(op)+"]]")
	}
	s.wantOutcome("", v, "set_fees_on_builder_transaction", "["+handle+`,"DCT"]`)
	return handle
}

func (s *tokenGate) id(name string) string {
	a, err := s.wallet.View.Accounts.Get(s.ctx, name)
	must(s.t, err)
	return a.ID.String()
}

const isSigned, oneDCT = `"transaction_id"`, int64(1_0000_0000)

// A limited token may make calls whose payments only the built operations show, within its limits, and nothing else.
func TestBuiltOperationsAreCheckedAgainstLimits(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby", "carol"}, Assets: []string{"DCT"},
		PerPayment: limits("2 DCT")})
	rows := func(rows string) string { return `["alice",[` + rows + `],true]` }
	row := func(to, amount, asset string) string {
		return `{"to":"` + to + `","amount":"` + amount + `","asset_symbol":"` + asset + `","memo":""}`
	}
	s.wantOutcome(isSigned, v, "pay_many", rows(row("bobby", "2", "DCT")+","+row("carol", "2", "DCT")))
	s.wantOutcome("!at once", v, "pay_many", rows(row("bobby", "1.5", "DCT")+","+row("bobby", "1", "DCT")))
	s.wantOutcome("!this destination", v, "pay_many", rows(row("bobby", "1", "DCT")+","+row("dave-shop", "1", "DCT")))
	s.wantOutcome("!this asset", v, "pay_many", rows(row("bobby", "1", "ALX.GOLD")))
	s.wantOutcome("!act for this account", v, "pay_many", strings.Replace(rows(row("carol", "1", "DCT")), "alice", "bobby", 1))
	for _, with := range []string{`"dry_run":true`, `"export":3600`} {
		for want, to := range map[string]string{"bobby": "bobby", "!this destination": "dave-shop"} {
			if want == "bobby" {
				want = "operations"
			}
			s.wantOutcome(want, v, "pay_many", `{"from":"alice","payments":[`+row(to, "1", "DCT")+`],"broadcast":true,`+with+`}`)
		}
	}

	s.wantOutcome(isSigned, v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT, oneDCT)+",true]")
	s.wantOutcome("!at once", v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT, oneDCT, 1)+",true]")
	s.wantOutcome("!this destination", v, "sign_builder_transaction", "["+s.begin(v, "alice", "dave-shop", 1)+",false]")
	s.wantOutcome("!act for this account", v, "sign_builder_transaction", "["+s.begin(v, "bobby", "carol", 1)+",false]")
	handle := s.begin(v, "alice", "bobby", 1)
	s.wantOutcome("!does more than pay: proposal_create_operation", v, "propose_builder_transaction2",
		"["+handle+`,"alice","2030-01-01T00:00:00",0,true]`)
	s.wantOutcome("!act for this account", v, "propose_builder_transaction", "["+handle+`,"2030-01-01T00:00:00",0,false]`)

	tx := func(fee string) string {
		return `[{"ref_block_num":0,"ref_block_prefix":0,"expiration":"2030-01-01T00:00:00","operations":[[39,{"fee":{"amount":` + fee +
			`,"asset_id":"1.3.0"},"from":"` + s.id("alice") + `","to":"` + s.id("bobby") +
			`","amount":{"amount":1,"asset_id":"1.3.0"},"extensions":[]}]],"extensions":[],"signatures":[]},false]`
	}
	s.wantOutcome(isSigned, v, "sign_transaction", tx("100000"))
	s.wantOutcome("!higher fee", v, "sign_transaction", tx("100001"))
}

// A token that is limited to accounts may make every spend that only they sign.
func TestSignersAreCheckedAgainstAccounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	alice, bobby := s.token(token.Scope{Accounts: []string{"alice"}}), s.token(token.Scope{Accounts: []string{"bobby"}})
	s.wantOutcome(isSigned, alice, "sign_builder_transaction", "["+s.begin(alice, "alice", "dave-shop", 1)+",false]")
	s.wantOutcome("!act for this account", bobby, "sign_builder_transaction", "["+s.begin(bobby, "alice", "bobby", 1)+",false]")
}

// A token that is limited to accounts signs nothing for keys of no account, such as those that approve a proposal.
func TestKeysOfNoAccountAreNoAccounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	alice, err := s.wallet.View.Accounts.Get(s.ctx, "alice")
	must(t, err)
	head, err := s.wallet.View.Chain.Head(s.ctx)
	must(t, err)
	_, err = s.box.PushUnsigned(ledger.NewOperation(&ledger.ProposalCreateOp{FeePayingAccount: alice.ID, ExpirationTime: head.Time + 3600,
		ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.TransferObsoleteOp{From: alice.ID, To: alice.ID + 1, Amount: ledger.AssetAmount{Amount: 1}})}}}))
	must(t, err)
	_, err = s.box.Mine()
	must(t, err)
	for want, keys := range map[string][]ledger.PublicKey{"": nil, "a key that belongs to no account": {ledger.DeriveKey("billfold sandbox alice", 0).Public()}} {
		op, err := codec.Marshal(ledger.NewOperation(&ledger.ProposalUpdateOp{FeePayingAccount: alice.ID, ActiveApprovalsToAdd: []ledger.AccountID{alice.ID}, KeyApprovalsToAdd: keys}))
		must(t, err)
		out, err := s.callJSON(s.token(token.Scope{Accounts: []string{"alice"}}), "sign_transaction", `[{"ref_block_num":0,"ref_block_prefix":0,"expiration":"2030-01-01T00:00:00",
			"operations":[`+string(op)+`],"extensions":[],"signatures":[]},false]`)
		if no, is := errors.AsType[*rpcserver.Denied](err); is != (want != "") || is && !strings.Contains(no.Message, want) || !is && err != nil {
			t.Errorf("approved with %d keys: %s, %v", len(keys), out, err)
		}
	}
}

// A payment that cannot be counted is not made, by whichever way it is asked for.
func TestWhatCannotBeCountedIsNotPaid(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	handle := s.begin(v, "alice", "bobby", oneDCT)
	s.sums.fail = errors.New("no space left on device")
	for method, params := range map[string]string{
		"transfer":                 `["alice","bobby","1","DCT","",true]`,
		"pay_many":                 `["alice",[{"to":"bobby","amount":"1","asset_symbol":"DCT","memo":""}],true]`,
		"sign_builder_transaction": "[" + handle + ",true]",
	} {
		if out, err := s.callJSON(v, method, params); fault.CodeOf(err) != fault.File {
			t.Errorf("%s: %s, %v, want %s", method, out, err, fault.File)
		}
	}
	s.sums.fail = nil
	s.wantOutcome(isSigned, v, "transfer", `["alice","bobby","4","DCT","",true]`)
}

// Payments that only the built operations show count against the limit of the day, with the real fee, once
// per request key, and not if they were refused or a dry run.
func TestBuiltOperationsCountAgainstTheDay(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	pay := func(amount, more string) string {
		return `{"from":"alice","payments":[{"to":"bobby","amount":"` + amount + `","asset_symbol":"DCT","memo":""}],` + more + `}`
	}
	const send = `"broadcast":true`
	s.wantOutcome("!within 24 hours", v, "pay_many", pay("5", send)) // with the fee it is too much
	s.wantOutcome("operations", v, "pay_many", pay("4", send+`,"dry_run":true`))
	first := s.wantOutcome(isSigned, v, "pay_many", pay("2", send+`,"request_key":"a"`))
	if again := s.wantOutcome(isSigned, v, "pay_many", pay("2", send+`,"request_key":"a"`)); again != first {
		t.Error("another transaction was made")
	}
	s.wantOutcome("operations", v, "pay_many", pay("2", send+`,"export":3600`))
	s.wantOutcome("!within 24 hours", v, "pay_many", pay("1", send))
	s.wantOutcome("!within 24 hours", v, "pay_many", pay("1", `"broadcast":false`))
	s.wantOutcome(isSigned, v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT/2)+",true]")
	s.wantOutcome("!within 24 hours", v, "sign_builder_transaction", "["+s.begin(v, "alice", "bobby", oneDCT/2)+",true]")
}

// A limit may be paid up to its last unit, the fee among it, and not by one more.
func TestALimitIsPaidToItsLastUnit(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	pay := func(amount int64, more string) string {
		return fmt.Sprintf(`{"from":"alice","payments":[{"to":"bobby","amount":"%d.%08d","asset_symbol":"DCT","memo":""}],%s}`, amount/oneDCT, amount%oneDCT, more)
	}
	var built struct {
		Operations []json.RawMessage `json:"operations"`
	}
	must(t, json.Unmarshal([]byte(s.wantOutcome("operations", v, "pay_many", pay(oneDCT, `"broadcast":true,"dry_run":true`))), &built))
	var op ledger.Operation
	must(t, json.Unmarshal(built.Operations[0], &op))
	most := 5*oneDCT - op.Fee().Amount
	s.wantOutcome("!within 24 hours", v, "pay_many", pay(most+1, `"broadcast":true`))
	s.wantOutcome(isSigned, v, "pay_many", pay(most, `"broadcast":true`))
}

// A payment that a daemon claims to have refused counts, since the daemon has its bytes: a lying daemon must not let a token
// pay more than it may.
func TestPaymentRefusedByADaemonCounts(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	v := s.token(token.Scope{PerDay: limits("5 DCT")})
	must(t, s.box.RefuseBroadcast(10, "not today"))
	s.refused(fault.DaemonRefused, v, "transfer", "alice", "bobby", "3", "DCT", "", "true", "order-1")
	s.denied(v, "transfer", "alice", "bobby", "3", "DCT", "", "true", "order-2")
	s.ok(v, "transfer", "alice", "bobby", "1", "DCT", "", "true", "order-3")
}

// A request key that somebody else used lets a token do nothing that it could not do itself.
func TestRepeatIsCheckedAgainstLimits(t *testing.T) {
	t.Parallel()
	s := newTokenGate(t)
	const params = `["alice",[{"to":"bobby","amount":"3","asset_symbol":"DCT","memo":""}],true,"rent"]`
	s.wantOutcome(isSigned, s.token(token.Scope{}), "pay_many", params)
	s.wantOutcome("!at once", s.token(token.Scope{PerPayment: limits("2 DCT")}), "pay_many", params)
}

// A transaction under construction belongs to the token that started it.
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
		if out, err := s.callJSON(other, method, "["+handle+params+"]"); fault.CodeOf(err) != fault.NoSuchHandle {
			t.Errorf("%s: %s, %v", method, out, err)
		}
	}
	s.wantOutcome("null", other, "remove_builder_transaction", "["+handle+"]")
	s.wantOutcome(`"amount":1`, one, "preview_builder_transaction", "["+handle+"]")
	all := walletapi.Params{Positional: []json.RawMessage{json.RawMessage(handle)}}
	person, err := s.api.Call(s.ctx, "preview_builder_transaction", all)
	must(t, err)
	if !strings.Contains(string(person), `"amount":1`) {
		t.Errorf("the person sees %s", person)
	}
}
