package walletapi

import (
	"context"
	"encoding/json"
	"reflect"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// doc describes what the types of an operation do not show.
type doc struct {
	Help     string   // one sentence
	Result   string   // what the type of the result leaves open: units, order
	Examples []string // parameters as typed in a shell; an operation without any needs none
	Reach    Reach    // default: the account that a parameter names, else the whole wallet
	Pace     Pace
	Unlocked bool // a read or write that needs an unlocked wallet; spends and keys always do
	Secret   bool // the result, or a parameter that is shown, must not be kept
	Question Question
}

// work is the function of an operation with parameters P and result R.
type work[P, R any] func(ctx context.Context, w *Core, p P) (R, error)

// read declares an operation that changes nothing.
func read[P, R any](name string, d doc, do work[P, R]) *Method {
	return declare(name, Reads, d, handler(do))
}

// write declares an operation that changes what the wallet keeps besides keys and payments.
func write[P, R any](name string, d doc, do work[P, R]) *Method {
	return inOrder(declare(name, Writes, d, handler(do)))
}

// inOrder declares that an operation changes or shows what later calls of its caller work with: the lock, the keys, transactions under
// construction, cursors, events. The calls of a connection are done in their order around it.
func inOrder(m *Method) *Method {
	m.InOrder = true
	return m
}

// constructs declares an operation that changes or shows transactions under construction. They are its
// caller's own, so it reaches nothing else of the wallet.
func constructs[P, R any](name string, touches Touches, d doc, do work[P, R]) *Method {
	d.Reach = ReachChain
	return inOrder(declare(name, touches, d, operation[P, R](func(ctx context.Context, w *Core, p Params) (R, error) {
		return do(ctx, w.forCall(p), *parameters[P](p))
	})))
}

// locks declares an operation that locks or unlocks the wallet.
func locks[P, R any](name string, d doc, do work[P, R]) *Method {
	return inOrder(declare(name, Lock, d, handler(do)))
}

// keys declares an operation that shows or stores private keys. The wallet must be
// unlocked, and anyone whose approval is needed is asked first.
func keys[P, R any](name string, d doc, do work[P, R]) *Method {
	d.Unlocked, d.Secret = true, true
	return declare(name, Keys, d, handler(do))
}

// signs declares an operation that signs something that can never spend, such as a receipt. The wallet must be
// unlocked, and anyone whose approval is needed is asked first.
func signs[P, R any](name string, d doc, do work[P, R]) *Method {
	d.Unlocked = true
	return declare(name, Signs, d, handler(do))
}

// withKeys declares a spend that puts private keys into the wallet as well.
func withKeys(m *Method) *Method {
	m.Touches |= Keys
	m.Secret = true
	return m
}

// passwords declares an operation that sets the password. do gets guarded, which is
// true if a policy or an authentication stands between the wallet and the caller.
func passwords[P any](name string, d doc, do func(ctx context.Context, w *Core, p P, guarded bool) error) *Method {
	d.Secret = true
	return inOrder(declare(name, Password|Lock, d, operation[P, null](func(ctx context.Context, w *Core, p Params) (null, error) {
		return nil, do(ctx, w, *parameters[P](p), p.Guarded)
	})))
}

// events declares an operation on the events of the caller's connection.
func events[P, R any](name string, d doc, do func(s Subscriber, p P) (R, error)) *Method {
	return inOrder(declare(name, Reads, d, operation[P, R](func(_ context.Context, _ *Core, p Params) (R, error) {
		if p.Events == nil {
			var none R
			return none, errNoConnection(name)
		}
		return do(p.Events, *parameters[P](p))
	})))
}

// errNoConnection returns the error of a call without a connection that events could be sent on.
func errNoConnection(method string) error {
	return &fault.Error{
		Code: fault.UnsupportedOperation, Op: method,
		Message: "events need a websocket, and this call did not use one",
		Hint:    "start the wallet with --rpc-ws and subscribe there",
	}
}

// spending holds the parameters of a spend: its own, then those that every spend has.
type spending[P any] struct {
	Own P
	Of  sending
}

// sending holds the parameters that every spend has after its own.
type sending struct {
	Broadcast bool `json:"broadcast" role:"broadcast" help:"false: only sign"`
	Options   sendingOptions
	payout    payoutPart        // see payoutSpending
	approved  *txbuild.Approval // see approvedSpending
	here      []ledger.Effect   // see txbuild.Request.With
}

// sendingOptions holds those that may be left out.
type sendingOptions struct {
	RequestKey string `json:"request_key,omitempty" role:"request_key" help:"if broadcast: a repeated call returns the first outcome; a new key has no invisible character, no blank at an end, and is NFC"`
	DryRun     bool   `json:"dry_run,omitempty" role:"dry_run" byname:"only" help:"true: report what it would do; nothing is signed"`
	Export     uint32 `json:"export,omitempty" role:"export" byname:"only" help:"return an unsigned file valid for so many seconds; 0 = no"`
}

// sendingByDefault is sending for a spend that is broadcast unless the call turns it off.
type sendingByDefault struct {
	Broadcast bool `json:"broadcast" default:"true" role:"broadcast" help:"false: only sign"`
	Options   sendingOptions
	payout    payoutPart
	approved  *txbuild.Approval
	here      []ledger.Effect
}

// spendingByDefault is spending with sendingByDefault.
type spendingByDefault[P any] struct {
	Own P
	Of  sendingByDefault
}

// spend declares an operation that signs a transaction. The wallet must be unlocked.
// Broadcast, request key, dry run and approval work alike for all spends.
func spend[P any](name string, d doc, do txbuild.Spend[P]) *Method {
	return spendOf(name, d, func(_ context.Context, _ *Core, p P) (txbuild.Request, error) {
		return txbuild.NewRequest(name, p, do), nil
	})
}

// spendOf is spend for a request that depends on more than the parameters. Everything that decides
// what is signed must be in the request, since a repeated call is recognised by it.
func spendOf[P any](name string, d doc, request requester[P]) *Method {
	return declareSpend(name, d, request, func(all *spending[P]) (P, sending) { return all.Own, all.Of }, thenDo[P](noFollowUp))
}

// sendOf is spendOf with a broadcast that may be left out and is true by default. done gets what was signed.
func sendOf[P any](name string, d doc, request requester[P], done followUp[P]) *Method {
	return declareSpend(name, d, request, func(all *spendingByDefault[P]) (P, sending) { return all.Own, sending(all.Of) }, thenDo(done))
}

// send is spend with a broadcast that may be left out and is true by default.
func send[P any](name string, d doc, do txbuild.Spend[P]) *Method {
	return sendOf(name, d, func(_ context.Context, _ *Core, p P) (txbuild.Request, error) {
		return txbuild.NewRequest(name, p, do), nil
	}, noFollowUp)
}

// requester makes the request of a spend from the parameters of a call.
type requester[P any] func(ctx context.Context, w *Core, p P) (txbuild.Request, error)

// carryOut carries a spend out and returns what it answers; sent reports whether what is signed is broadcast.
type carryOut[P any] func(ctx context.Context, w *Core, p P, sent bool, spend spendNow) (any, error)

// spendNow signs, and sends if that is wanted. last, if not nil, is called right before it signs.
type spendNow func(last func() error) (*txbuild.Signed, error)

// thenDo carries a spend out, hands what was signed to done, and answers it.
func thenDo[P any](done followUp[P]) carryOut[P] {
	return func(ctx context.Context, w *Core, p P, _ bool, spend spendNow) (any, error) {
		signed, err := spend(nil)
		if err == nil {
			done(ctx, w, p, signed)
		}
		return signed, err
	}
}

// followUp gets what was signed.
type followUp[P any] func(ctx context.Context, w *Core, p P, signed *txbuild.Signed)

// noFollowUp does nothing with what was signed.
func noFollowUp[P any](context.Context, *Core, P, *txbuild.Signed) {}

// declareSpend declares a spend. parts splits its parameters A into its own, P, and those of every spend.
func declareSpend[P, A any](name string, d doc, request requester[P], parts func(*A) (P, sending), carry carryOut[P]) *Method {
	d.Unlocked = true
	m := declare(name, Signs|Spends, d, operation[A, any](func(ctx context.Context, w *Core, p Params) (any, error) {
		own, of := parts(parameters[A](p))
		w = w.forCall(p)
		r, err := request(ctx, w, own)
		if err != nil {
			return nil, err
		}
		r = r.With(of.here...)
		how := payment.Sending{Broadcast: of.Broadcast, Key: of.Options.RequestKey, Judge: judgeApproved(w, r, of.approved, p.Judge), Approve: p.Approve}
		if how.With, err = ofPayout(ctx, w, of); err != nil {
			return nil, err
		}
		how.Approve = withOutcome(how.Approve, of)
		if of.Options.DryRun {
			return runDry(ctx, w, r, how)
		}
		if of.Options.Export > 0 {
			return export(ctx, w, r, of.Options.Export, how)
		}
		return carry(ctx, w, own, how.Broadcast, func(last func() error) (*txbuild.Signed, error) {
			how.Last = last
			return w.Payments.Spend(ctx, r, how)
		})
	}))
	m.result, m.Result = reflect.TypeFor[spendAnswer](), spendAnswer{}.word()
	return m
}

// approvedSpending holds the parameters of a spend whose terms the wallet reads from the ledger.
type approvedSpending[P any] struct {
	Own      P
	Of       sending
	Approved *txbuild.Approval `json:"approved,omitempty" role:"approved" byname:"only" help:"operations and effects of a dry run: nothing is signed unless it comes to the same"`
}

// judgeApproved returns a judge that refuses what was not approved, then asks judge.
func judgeApproved(w *Core, r txbuild.Request, approved *txbuild.Approval, judge txbuild.Judge) txbuild.Judge {
	return func(ctx context.Context, ops []ledger.Operation) error {
		if err := w.Build.CheckApproval(ctx, r, approved, ops); err != nil || judge == nil {
			return err
		}
		return judge(ctx, ops)
	}
}

// withOutcome returns an approver that shows in the review what approval leads to: a broadcast, a signature or a file.
func withOutcome(ask txbuild.Approver, of sending) txbuild.Approver {
	outcome := txbuild.Sends
	switch {
	case of.Options.Export > 0:
		outcome = txbuild.Writes
	case !of.Broadcast:
		outcome = txbuild.Signs
	}
	if ask == nil || outcome == txbuild.Sends {
		return ask
	}
	return func(ctx context.Context, r txbuild.Review) error {
		r.Outcome = outcome
		return ask(ctx, r)
	}
}

// operation computes the result of a call whose parameters were read into a P.
type operation[P, R any] func(ctx context.Context, w *Core, p Params) (R, error)

func handler[P, R any](do work[P, R]) operation[P, R] {
	return func(ctx context.Context, w *Core, p Params) (R, error) { return do(ctx, w, *parameters[P](p)) }
}

// parameters returns the struct that Bind filled.
func parameters[P any](p Params) *P { return p.bound.value.Addr().Interface().(*P) }

// declare makes a method of the table. It reads all about parameters and result from the types P and R.
func declare[P, R any](name string, touches Touches, d doc, do operation[P, R]) *Method {
	m := &Method{
		Name: name, Help: d.Help, Result: wordOf(reflect.TypeFor[R]()), Examples: d.Examples, NeedsUnlock: d.Unlocked, Pace: d.Pace,
		Secret: d.Secret, Touches: touches, Question: d.Question, Reach: d.Reach, params: planOf(reflect.TypeFor[P]()),
		result: reflect.TypeFor[R](),
	}
	if d.Result != "" {
		m.Result += ": " + d.Result
	}
	m.Params = m.params.list()
	for _, p := range m.Params {
		m.Secret = m.Secret || p.Secret
		if p.Role == RoleAccount && m.Reach == ReachUndeclared {
			m.Reach = ReachAccount
		}
	}
	if m.Reach == ReachUndeclared {
		m.Reach = ReachWallet
	}
	if m.Examples == nil && len(m.Params) == 0 {
		m.Examples = []string{""}
	}
	_, secret := any((*R)(nil)).(wiper)
	m.handle = func(ctx context.Context, w *Core, p Params) (json.RawMessage, error) {
		result, err := do(ctx, w, p)
		switch {
		case err != nil:
			return nil, err
		case secret:
			return encodeSecret(any(&result).(wiper))
		}
		return codec.Marshal(&result)
	}
	return m
}

// wiper is a result that holds secrets.
type wiper interface{ Wipe() }

// secretRoom is the capacity for one key and the JSON around it, in bytes.
const secretRoom = 2 << 10

// encodeSecret encodes a secret result as JSON and wipes the result. It allocates
// enough room beforehand, since a buffer that grows leaves copies in memory.
func encodeSecret(result wiper) (json.RawMessage, error) {
	defer result.Wipe()
	room := secretRoom
	switch answer := result.(type) {
	case *vault.KeyDump:
		room *= 1 + len(answer.ECKeys) + len(answer.ElGamalKeys)
	case *share.ContentKeys:
		room *= 1 + len(answer.Parts)
	}
	return codec.AppendJSON(make([]byte, 0, room), result)
}
