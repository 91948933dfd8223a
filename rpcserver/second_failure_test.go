package rpcserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/deposit"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// A second failure tells the truth: whichever statement of the store or call of the daemon fails, once or from then on,
// in the middle of whatever the wallet does,
//
//   - what was told as done is done, once, and what was told as not done is not;
//   - nothing is paid that the sums of its token or the log lack;
//   - the same request under the same key, made again until it is answered, is paid once.
//
// Each row of failureFlows is tried with a failure of the first call, of the second, and so on until a trial ends before its
// failure. The everyday suite tries a sample.
func TestASecondFailureTellsTheTruth(t *testing.T) {
	t.Parallel()
	for _, flow := range failureFlows() {
		t.Run(flow.name, func(t *testing.T) {
			t.Parallel()
			s := newFailures(t, flow)
			parts := failureParts()
			if !stories.Played() {
				s.try(parts[rand.IntN(len(parts))], 1+rand.IntN(maxCalls/12)) //nolint:gosec // no secret
				parts = nil
			}
			for _, part := range parts {
				for n := 1; s.try(part, n) && n < maxCalls; n++ {
				}
			}
			s.verify()
			t.Logf("%d trials", s.trial)
		})
	}
}

// maxCalls is more than any flow makes of one part.
const maxCalls = 200

// failurePart is a part that fails, and its way of failing.
type failurePart struct {
	name  string
	begin func(s *failures, n int)
	end   func(s *failures) (hit string) // "" if there was no n-th call
}

func failureParts() []failurePart {
	statements := func(rest bool) failurePart {
		name := map[bool]string{false: "the statement", true: "every statement from"}[rest]
		return failurePart{name, func(s *failures, n int) { s.faults.Arm(n, rest) }, func(s *failures) string { return s.faults.Disarm() }}
	}
	calls := func(how testwallet.Failure) failurePart {
		return failurePart{how.String(), func(s *failures, n int) { s.relay.FailCall(n, how) }, func(s *failures) string { return s.relay.MendCall() }}
	}
	return []failurePart{
		statements(false), statements(true),
		calls(testwallet.RequestLost), calls(testwallet.AnswerLost), calls(testwallet.ErrorAnswered),
	}
}

// What a caller was told.
type told int

const (
	toldUnknown told = iota
	toldDone
	toldNot
)

func (k told) String() string { return [...]string{"not known", "done", "not done"}[k] }

// failureFlow is something that the wallet does. Each trial has a number of its own, by which its effect is told from others.
type failureFlow struct {
	name    string
	rules   audit.Rules
	scope   *token.Scope // of the token that asks; nil = none is needed
	answer  approval.Answer
	keyed   bool
	never   bool // it must never happen: a person says no
	direct  bool // it needs no record that allows it
	prepare func(s *failures, i int64)
	do      func(s *failures, i int64) told
	done    func(s *failures, i int64) int // how often it happened
}

func failureFlows() []failureFlow {
	transfer := func(s *failures, i int64) told {
		return s.call("transfer", `["alice","bobby",%q,"DCT","",true%s]`, amountText(i), s.key(i))
	}
	many := func(s *failures, i int64) told {
		return s.call("pay_many", `["alice",[{"to":"bobby","amount":%q,"asset_symbol":"DCT"},{"to":"carol","amount":"0.5","asset_symbol":"DCT"}],true%s]`,
			amountText(i), s.key(i))
	}
	ask := audit.Rules{Spends: audit.Ask, Keys: audit.Ask, Guarded: true}
	return []failureFlow{
		{name: "transfer", rules: allowAll, do: transfer, done: paidTo},
		{name: "transfer under a key", rules: allowAll, keyed: true, do: transfer, done: paidTo},
		{name: "pay_many under a key", rules: allowAll, keyed: true, do: many, done: paidTo},
		{name: "a person approves", rules: ask, keyed: true, answer: approval.Yes, do: transfer, done: paidTo},
		{name: "a person denies", rules: ask, never: true, answer: approval.No, do: transfer, done: paidTo},
		{name: "a token with a daily limit", rules: allowAll, scope: &token.Scope{PerDay: limits("1000 DCT")}, keyed: true, do: transfer, done: paidTo},
		{name: "a token with a daily limit, judged by what is built", rules: allowAll, scope: &token.Scope{PerDay: limits("1000 DCT")},
			keyed: true, do: many, done: paidTo},
		{name: "a token that pays unasked", rules: ask, answer: approval.No, keyed: true, do: transfer, done: paidTo,
			scope: &token.Scope{PerDay: limits("1000 DCT"), AskAbove: limits("5 DCT"), AskAboveDay: limits("500 DCT")}},
		{name: "a draft", rules: allowAll, direct: true, prepare: saveDraft, do: sendDraft, done: paidTo},
		{name: "a change of an own account", rules: allowAll, keyed: true, prepare: countUpdates, do: vote, done: updates},
		{name: "a transaction that others signed", rules: allowAll, direct: true, prepare: signElsewhere, do: broadcastSigned, done: paidTo},
		{name: "an acknowledgement", rules: allowAll, direct: true, prepare: receive, do: acknowledge, done: acknowledged},
		{name: "an import", rules: audit.Rules{Spends: audit.Allow, Keys: audit.Allow, Guarded: true}, do: importKey, done: holdsKey},
		{name: "an import that a person approves", rules: ask, answer: approval.Yes, do: importKey, done: holdsKey},
		{name: "an import that a person denies", rules: ask, never: true, answer: approval.No, do: importKey, done: holdsKey},
		{name: "lock and unlock", rules: allowAll, direct: true, do: lockOnce, done: func(s *failures, _ int64) int { return s.lockedOnce }},
	}
}

// amountText returns an amount that no other trial pays.
func amountText(i int64) string { return ledger.FormatAmount(1_0000_0000+i, ledger.CorePrecision) }

// failures is a wallet whose store and daemon can fail, behind the server.
type failures struct {
	t          *testing.T
	flow       failureFlow
	box        *sandbox.Sandbox
	relay      *testwallet.Relay
	on         *testwallet.Wallet
	kept       *store.Store
	faults     *storetest.Faults
	log        *audit.Log
	queue      *approval.Queue
	deposits   *deposit.Queue
	url        string
	credential string
	tokenID    string
	client     *http.Client
	trial      int64
	answered   json.RawMessage // the result of the latest call
	says       string          // what the latest call answered, for the report
	reached    atomic.Pointer[callEnd]

	draftNumber int64
	updatesWas  int
	approve     bool
	signed      ledger.SignedTransaction
	position    deposit.Position
	lockedOnce  int

	happened int // what the flow does

	read  uint32 // blocks that were counted
	sums  map[int64]int
	paid  int64 // what alice paid, with fees, smallest unit
	voted int
}

// callEnd is the end of a call within the wallet.
type callEnd struct{ err error }

func newFailures(t *testing.T, flow failureFlow) *failures {
	t.Helper()
	s := &failures{t: t, flow: flow, faults: new(storetest.Faults), queue: approval.New(), sums: map[int64]int{}, client: &http.Client{Transport: &http.Transport{}}}
	folder := testwallet.Folder(t)
	var err error
	s.kept, err = sqlite.Options{Between: s.faults.Between}.Open(filepath.Join(folder, sqlite.Name))
	must(t, err)
	t.Cleanup(func() { must(t, s.kept.Close()) })
	s.box = testwallet.Ledger(t, sandbox.Options{})
	s.relay = testwallet.RelayTo(t, s.box.URL())
	s.on = testwallet.Connect(t, filepath.Join(folder, "wallet.keys"), s.relay.URL, func(cfg *walletcore.Config) { cfg.Store = s.kept })
	s.on.Box = s.box
	must(t, s.on.Client.WaitOnline(s.on.Ctx))
	s.on.Hold("alice", "bobby")
	s.mine(3)
	s.log = audit.NewLog(s.kept.Audit)
	s.deposits = deposit.New(s.kept.Cursors, deposit.Sources{Accounts: s.on.View.Accounts, History: s.on.History, Prover: s.on.Deposits, Chain: s.on.View.Chain})
	api := walletapi.New(walletapi.Core{Wallet: s.on.Wallet, Deposits: s.deposits})
	options := rpcserver.Options{HTTPAddr: "127.0.0.1:0", Spends: api.Spends, NamesKey: api.NamesKey, Decider: audit.NewDecider(flow.rules, s.log, s.queue),
		Caller: rpcserver.CallerFunc(func(ctx context.Context, method string, p rpcserver.Params) (json.RawMessage, error) {
			out, err := api.Call(ctx, method, p)
			s.reached.Store(&callEnd{err})
			return out, err
		})}
	if flow.scope != nil {
		tokens, err := token.OpenStore(filepath.Join(folder, "rpc-tokens.json"))
		must(t, err)
		made, credential, err := tokens.New("till", *flow.scope)
		must(t, err)
		s.tokenID, s.credential = made.ID, credential
		options.Authenticator = token.NewAuthenticator(tokens, token.NewSpent(s.kept.Limits, s.on.Payments.LedgerTime), token.LedgerOf(s.on.Wallet))
	}
	server, err := rpcserver.New(options)
	must(t, err)
	testwallet.Run(t, server.Serve)
	t.Cleanup(s.client.CloseIdleConnections)
	s.url = "http://" + server.HTTPAddr() + "/rpc"
	return s
}

// key returns the last parameter of a request that has a key, "" for others.
func (s *failures) key(i int64) string {
	if !s.flow.keyed {
		return ""
	}
	return fmt.Sprintf(`,"trial-%d"`, i)
}

// try does what the flow does while the n-th call of a part fails, and reports whether there was one.
func (s *failures) try(part failurePart, n int) bool {
	s.trial++
	i := s.trial
	if s.flow.prepare != nil {
		s.flow.prepare(s, i)
	}
	before := s.spending()
	s.faults.AwaitRest()
	part.begin(s, n)
	was := s.flow.do(s, i)
	hit := part.end(s)
	says := s.says
	wrong := func(format string, args ...any) {
		s.t.Helper()
		s.t.Errorf("%s %d (%.200s): %s; it was told as %s: %s", part.name, n, hit, fmt.Sprintf(format, args...), was, says)
	}
	must(s.t, s.on.Client.WaitOnline(s.on.Ctx))
	s.mine(2)
	done := s.flow.done(s, i)
	switch {
	case s.flow.never && done > 0:
		wrong("it was denied, and happened")
	case was == toldDone && done != 1:
		wrong("it happened %d times", done)
	case was == toldNot && done != 0:
		wrong("it happened")
	case done > 1:
		wrong("it happened %d times", done)
	case hit == "" && !s.flow.never && was != toldDone:
		wrong("nothing failed")
	case s.flow.never && hit == "" && !strings.Contains(says, "Denied by the owner"):
		wrong("the person was not asked")
	}
	s.checkSums(before, wrong) // a repeated request would be counted then
	if s.flow.keyed {
		s.repeat(i, wrong)
		s.checkSums(before, wrong)
	}
	s.happened += s.flow.done(s, i)
	return hit != ""
}

// repeat makes the same request under the same key until it is answered.
func (s *failures) repeat(i int64, wrong func(string, ...any)) {
	for range 40 {
		if s.flow.do(s, i) == toldDone {
			s.mine(1)
			if done := s.flow.done(s, i); done != 1 {
				wrong("asked again, it was told as done, and happened %d times", done)
			}
			return
		}
		s.mine(1)
		if strings.Contains(s.says, `"request_key":"new"`) { // it did not happen and never will
			if done := s.flow.done(s, i); done != 0 {
				wrong("asked again, its key never pays, and it happened %d times", done)
			}
			return
		}
	}
	wrong("it was never answered: %s", s.says)
}

// checkSums compares what the token paid in this trial with what is counted for it since. Something that was counted in an earlier one
// and not paid must not hide it.
func (s *failures) checkSums(before spending, wrong func(string, ...any)) {
	now := s.spending()
	paid := now.paid - before.paid
	for name, sum := range now.counted {
		if counted := sum - before.counted[name]; counted < paid {
			wrong("%d was paid, and %d is counted of %s", paid, counted, name)
		}
	}
}

// spending is the sum that a token paid, and the sums that it was counted in.
type spending struct {
	paid    int64
	counted map[string]int64
}

func (s *failures) spending() spending {
	out := spending{s.paid, map[string]int64{}}
	if s.tokenID == "" {
		return out
	}
	names := []string{s.tokenID}
	if s.flow.scope.AskAboveDay != nil { // the person denies, so what was paid was paid unasked
		names = append(names, s.tokenID+"/unasked")
	}
	for _, name := range names {
		sum, _, err := s.kept.Limits.Spent(s.on.Ctx, store.Spend{Token: name, Asset: ledger.CoreAsset}, time.Now())
		must(s.t, err)
		out.counted[name] = sum
	}
	return out
}

// verify checks that the log is whole and that each payment is allowed by a record in it.
func (s *failures) verify() {
	s.t.Helper()
	list, _ := verifyLog(s.t, s.log)
	allowed := 0
	for _, r := range list {
		if r.Decision == "allow" {
			allowed++
		}
	}
	if !s.flow.direct && allowed < s.happened {
		s.t.Errorf("it happened %d times, and %d records allow it", s.happened, allowed)
	}
}

// mine makes blocks and waits until the wallet has seen the last.
func (s *failures) mine(n int) {
	s.t.Helper()
	for range n {
		s.on.Mine()
	}
	s.count()
}

// count reads the blocks that it has not read yet.
func (s *failures) count() {
	blocks := s.box.Blocks()
	for _, b := range blocks[s.read:] {
		for _, tx := range b.Transactions {
			for _, op := range tx.Operations {
				if op.Body.FeePayer() != s.on.Account("alice").ID {
					continue
				}
				if op.Code == ledger.CodeAccountUpdate {
					s.voted++
				}
				for _, m := range op.Moves() {
					s.paid += m.Amount.Amount
					if m.Amount.Amount > 1_0000_0000 {
						s.sums[m.Amount.Amount]++
					}
				}
				s.paid += op.Fee().Amount
			}
		}
	}
	s.read = uint32(len(blocks))
}

func paidTo(s *failures, i int64) int { return s.sums[1_0000_0000+i] }

// call makes a call over HTTP. If a person is asked, the person answers as the flow says.
func (s *failures) call(method, params string, args ...any) told {
	s.reached.Store(nil)
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, fmt.Sprintf(params, args...))
	answer := ""
	var wait sync.WaitGroup
	ended := make(chan struct{})
	wait.Go(func() {
		defer close(ended)
		answer, _ = postAs(s.on.Ctx, s.client, s.url, s.credential, body) // nothing, if the line broke
	})
	s.person(ended)
	wait.Wait()
	s.says = answer
	var out struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(answer), &out); err != nil {
		s.t.Errorf("%s: %q", err, answer)
		return toldUnknown
	}
	s.answered = out.Result
	switch at := s.reached.Load(); {
	case out.Error == nil:
		return toldDone
	case at == nil, at.err != nil && fault.NothingSpent(at.err): // it was refused before it began, or proves that nothing was spent
		return toldNot
	case strings.Contains(out.Error.Message, "nothing was"):
		return toldNot
	}
	return toldUnknown
}

// person answers what waits until the call has ended.
func (s *failures) person(ended <-chan struct{}) {
	for {
		changed := s.queue.Changed()
		for _, r := range s.queue.Waiting() {
			if s.flow.answer == approval.Yes {
				_ = s.queue.Approve(r.Number) // it may have left
			} else {
				_ = s.queue.Deny(r.Number)
			}
		}
		select {
		case <-changed:
		case <-ended:
			return
		}
	}
}

// toldOf returns what the error of a payment says.
func (s *failures) toldOf(err error) told {
	s.says = fmt.Sprint(err)
	switch {
	case err == nil:
		return toldDone
	case fault.NothingSpent(err), strings.Contains(s.says, "nothing was"):
		return toldNot
	}
	return toldUnknown
}

func saveDraft(s *failures, i int64) {
	var err error
	s.draftNumber, err = s.on.Drafts.Save(s.on.Ctx, s.on.Account("alice").ID, draftOf(i))
	must(s.t, err)
}

func draftOf(i int64) txbuild.TransferParams {
	return txbuild.TransferParams{From: "alice", To: "bobby", Amount: amountText(i), Asset: "DCT"}
}

// sendDraft pays what a draft says. There is the draft or the payment afterwards, and never both.
func sendDraft(s *failures, i int64) told {
	_, err := s.on.Payments.Spend(draft.Spent(s.on.Ctx, s.draftNumber), txbuild.NewRequest("transfer", draftOf(i), txbuild.Transfer), payment.Sending{Broadcast: true})
	was := s.toldOf(err)
	s.faults.Disarm()
	s.relay.MendCall()
	must(s.t, s.on.Client.WaitOnline(s.on.Ctx))
	list, err := s.on.Drafts.List(s.on.Ctx, s.on.Account("alice").ID)
	must(s.t, err)
	there := false
	for _, d := range list {
		there = there || d.Number == s.draftNumber
	}
	if there == (was == toldDone) && was != toldUnknown {
		s.t.Errorf("the draft is there: %t, and the payment is told as %s: %s", there, was, s.says)
	}
	return was
}

// countUpdates records how alice votes, so that the next vote changes it.
func countUpdates(s *failures, _ int64) { s.updatesWas, s.approve = s.voted, s.voted%2 == 0 }

func updates(s *failures, _ int64) int { return s.voted - s.updatesWas }

// vote votes for a miner, or takes the vote back.
func vote(s *failures, i int64) told {
	return s.call("vote_for_miner", `["alice","miner-a",%t,true%s]`, s.approve, s.key(i))
}

// signElsewhere signs a payment as other programs do.
func signElsewhere(s *failures, i int64) {
	signed, err := s.on.Payments.Spend(s.on.Ctx, txbuild.NewRequest("transfer", draftOf(i), txbuild.Transfer), payment.Sending{})
	must(s.t, err)
	s.signed = signed.SignedTransaction
}

func broadcastSigned(s *failures, _ int64) told {
	_, err := s.on.Payments.Broadcast(s.on.Ctx, s.signed, txbuild.Review{})
	return s.toldOf(err)
}

// receive has bobby receive a deposit, and waits until it is listed.
func receive(s *failures, i int64) {
	s.on.Pay("alice", "bobby", amountText(i), "")
	for {
		s.mine(2)
		list, err := s.deposits.Next(s.on.Ctx, "bobby", 1000)
		must(s.t, err)
		for _, d := range list {
			if d.Amount == fmt.Sprint(1_0000_0000+i) {
				s.position = d.Position
				return
			}
		}
	}
}

func acknowledge(s *failures, _ int64) told {
	was := s.call("deposits.ack", `["bobby",%q]`, s.position.String())
	if was != toldDone && !strings.Contains(s.says, "not known yet") { // every other error means that it was not acknowledged
		was = toldNot
	}
	return was
}

// acknowledged returns 1 if the deposit is not listed any more.
func acknowledged(s *failures, _ int64) int {
	list, err := s.deposits.Next(s.on.Ctx, "bobby", 1000)
	must(s.t, err)
	if len(list) > 0 {
		return 0
	}
	return 1
}

func importKey(s *failures, i int64) told {
	return s.call("import_single_key", `["alice",%q]`, keyOfTrial(i).WIF())
}

func holdsKey(s *failures, i int64) int {
	if s.on.Vault.Holds(keyOfTrial(i).Public()) {
		return 1
	}
	return 0
}

func keyOfTrial(i int64) ledger.PrivateKey { return ledger.DeriveKey("second failure", int(i)) }

// lockOnce locks the wallet and unlocks it again. Whether it is locked is what was told.
func lockOnce(s *failures, _ int64) told {
	s.lockedOnce = 0
	was := s.call("lock", `[]`)
	if s.locked() {
		s.lockedOnce = 1
	}
	again := s.call("unlock", `[%q]`, testwallet.Password)
	if locked := s.locked(); locked == (again == toldDone) && again != toldUnknown {
		s.t.Errorf("unlock was told as %s (%s), and locked is %t", again, s.says, locked)
	}
	s.faults.Disarm()
	s.relay.MendCall()
	if s.locked() {
		must(s.t, s.on.Vault.Unlock(s.on.Ctx, testwallet.Password))
	}
	return was
}

func (s *failures) locked() bool { return s.on.Vault.CheckOpen("test") != nil }
