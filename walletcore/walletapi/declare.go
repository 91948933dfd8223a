package walletapi

import (
	"context"
	"encoding/json"
	"reflect"

	"billfold/ledger/codec"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// doc is what the types of an operation cannot say.
type doc struct {
	Help     string   // one sentence
	Result   string   // what the type of the result leaves open: units, order
	Examples []string // parameters as typed in a shell; an operation without any needs none
	Reach    Reach    // default: the account that a parameter names, else the whole wallet
	Pace     Pace
	Unlocked bool // a read or write that needs the wallet open; spends and keys always do
	Secret   bool // what it answers, or a parameter that is shown, must not be kept
	Question Question
}

// work is the function of an operation: P its parameters, R its result.
type work[P, R any] func(ctx context.Context, w *Core, p P) (R, error)

// read declares an operation that changes nothing.
func read[P, R any](name string, d doc, do work[P, R]) *Method {
	return declare(name, Reads, d, handler(do))
}

// write declares one that changes what the wallet keeps beside keys and payments.
func write[P, R any](name string, d doc, do work[P, R]) *Method {
	return declare(name, Writes, d, handler(do))
}

// constructs declares one that changes transactions under construction, or only shows them: its
// caller's own, so it reaches nothing else of the wallet.
func constructs[P, R any](name string, touches Touches, d doc, do work[P, R]) *Method {
	d.Reach = ReachChain
	return declare(name, touches, d, operation[P, R](func(ctx context.Context, w *Core, p Params) (R, error) {
		return do(ctx, w.of(p), *parameters[P](p))
	}))
}

// locks declares one that locks or unlocks.
func locks[P, R any](name string, d doc, do work[P, R]) *Method {
	return declare(name, Lock, d, handler(do))
}

// keys declares one that shows or stores private keys. The wallet must be open,
// and whoever has to agree is asked first.
func keys[P, R any](name string, d doc, do work[P, R]) *Method {
	d.Unlocked, d.Secret = true, true
	return declare(name, Keys, d, handler(do))
}

// signs declares one that signs something that can never spend, such as a receipt. The wallet must be
// open, and whoever has to agree is asked first.
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

// passwords declares one that sets the password; guarded says that a policy or an
// authentication stands between wallet and caller.
func passwords[P any](name string, d doc, do func(ctx context.Context, w *Core, p P, guarded bool) error) *Method {
	d.Secret = true
	return declare(name, Password|Lock, d, operation[P, null](func(ctx context.Context, w *Core, p Params) (null, error) {
		return nil, do(ctx, w, *parameters[P](p), p.Guarded)
	}))
}

// events declares one that is about the caller's connection.
func events[P, R any](name string, d doc, do func(s Subscriber, p P) (R, error)) *Method {
	return declare(name, Reads, d, operation[P, R](func(_ context.Context, _ *Core, p Params) (R, error) {
		if p.Events == nil {
			var none R
			return none, errNoConnection(name)
		}
		return do(p.Events, *parameters[P](p))
	}))
}

// errNoConnection is the error of an operation about events where none can be sent.
func errNoConnection(method string) error {
	return &fault.Error{
		Code: fault.UnsupportedOperation, Op: method,
		Message: "events need a websocket, and this call did not use one",
		Hint:    "start the wallet with --rpc-ws and subscribe there",
	}
}

// spending are the parameters of a spend: its own, then those of all.
type spending[P any] struct {
	Own P
	Of  sending
}

// sending are the parameters that every spend has behind its own.
type sending struct {
	Broadcast bool `json:"broadcast" role:"broadcast" help:"false: only sign"`
	Options   sendingOptions
}

// sendingOptions are those that may be left out.
type sendingOptions struct {
	RequestKey string `json:"request_key,omitempty" role:"request_key" help:"if broadcast: repeated, it returns the first outcome"`
	DryRun     bool   `json:"dry_run,omitempty" role:"dry_run" byname:"only" help:"true: report what it would do; nothing is signed"`
	Export     uint32 `json:"export,omitempty" role:"export" byname:"only" help:"seconds it lasts: return the unsigned file; 0 = no"`
}

// sendingUnlessTold are those of a spend that is broadcast unless the call says otherwise.
type sendingUnlessTold struct {
	Broadcast bool `json:"broadcast" default:"true" role:"broadcast" help:"false: only sign"`
	Options   sendingOptions
}

// spendingUnlessTold is spending with them.
type spendingUnlessTold[P any] struct {
	Own P
	Of  sendingUnlessTold
}

// spend declares one that signs. The wallet must be open; broadcast, request key,
// dry run and whoever has to approve hold for all of them alike.
func spend[P any](name string, d doc, do build.Spend[P]) *Method {
	return spendOf(name, d, func(_ *Core, p P) (build.Request, error) { return build.NewRequest(name, p, do), nil })
}

// spendOf is spend where the request is made of more than the parameters say. All that decides
// what is signed must be in the request, by which a repeated one is known again.
func spendOf[P any](name string, d doc, request func(*Core, P) (build.Request, error)) *Method {
	return spends(name, d, request, func(all *spending[P]) (P, sending) { return all.Own, all.Of }, func(*Core, P, *build.Signed) {})
}

// sendOf is spendOf where broadcast may be left out, and is true then. done sees what was signed.
func sendOf[P any](name string, d doc, request func(*Core, P) (build.Request, error), done func(*Core, P, *build.Signed)) *Method {
	return spends(name, d, request, func(all *spendingUnlessTold[P]) (P, sending) { return all.Own, sending(all.Of) }, done)
}

// send is spend where broadcast may be left out, and is true then.
func send[P any](name string, d doc, do build.Spend[P]) *Method {
	return sendOf(name, d, func(_ *Core, p P) (build.Request, error) { return build.NewRequest(name, p, do), nil },
		func(*Core, P, *build.Signed) {})
}

// spends declares a spend whose parameters A are P and the sending.
func spends[P, A any](name string, d doc, request func(*Core, P) (build.Request, error), parts func(*A) (P, sending),
	done func(*Core, P, *build.Signed)) *Method {
	d.Unlocked = true
	m := declare(name, Signs|Spends, d, operation[A, any](func(ctx context.Context, w *Core, p Params) (any, error) {
		own, of := parts(parameters[A](p))
		w = w.of(p)
		r, err := request(w, own)
		if err != nil {
			return nil, err
		}
		how := payment.Sending{Broadcast: of.Broadcast, Key: of.Options.RequestKey, Judge: p.Judge, Approve: p.Approve}
		how.Approve = outcome(how.Approve, of)
		if of.Options.DryRun {
			return tryOut(ctx, w, r, how)
		}
		if of.Options.Export > 0 {
			return export(ctx, w, r, of.Options.Export, how)
		}
		signed, err := w.Payments.Spend(ctx, r, how)
		if err == nil {
			done(w, own, signed)
		}
		return signed, err
	}))
	m.result, m.Result = reflect.TypeFor[spendAnswer](), spendAnswer{}.word()
	return m
}

// outcome has whoever approves see what a yes brings about.
func outcome(ask build.Approver, of sending) build.Approver {
	is := build.Sends
	switch {
	case of.Options.Export > 0:
		is = build.Writes
	case !of.Broadcast:
		is = build.Signs
	}
	if ask == nil || is == build.Sends {
		return ask
	}
	return func(ctx context.Context, r build.Review) error {
		r.Outcome = is
		return ask(ctx, r)
	}
}

// operation is how a call becomes a result; P is what calls are read into.
type operation[P, R any] func(ctx context.Context, w *Core, p Params) (R, error)

func handler[P, R any](do work[P, R]) operation[P, R] {
	return func(ctx context.Context, w *Core, p Params) (R, error) { return do(ctx, w, *parameters[P](p)) }
}

// parameters are those that Bind has read.
func parameters[P any](p Params) *P { return p.bound.value.Addr().Interface().(*P) }

// declare makes the entry; everything about parameters and result comes from P and R.
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

// secretRoom is room for a key with what surrounds it in a result.
const secretRoom = 2 << 10

// encodeSecret makes JSON of a result that is secret and wipes it. The JSON is
// written into room that need not grow, since growing leaves copies behind.
func encodeSecret(result wiper) (json.RawMessage, error) {
	defer result.Wipe()
	room := secretRoom
	if dump, ok := result.(*vault.KeyDump); ok {
		room *= 1 + len(dump.ECKeys) + len(dump.ElGamalKeys)
	}
	return codec.AppendJSON(make([]byte, 0, room), result)
}
