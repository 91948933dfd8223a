package txbuild

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/ownobject"
	"billfold/walletcore/store"
)

// presentAccount is an account as the daemon has it now, with the wallet's own changes under way, and as the wallet expects it.
type presentAccount struct {
	*ledger.Account
	base *ownobject.Base
}

// hasAuthority reports whether the account has an authority already, by the daemon's word and the wallet's own last state.
func (a *presentAccount) hasAuthority(part string, authority *ledger.Authority) bool {
	op := &ledger.AccountUpdateOp{Owner: authority, Active: authority}
	_, set, _ := ledger.Replaces(ledger.NewOperation(op))
	return a.base.Same(part, set)
}

// hasMemoKey is hasAuthority for the memo key.
func (a *presentAccount) hasMemoKey(key ledger.PublicKey) bool {
	_, set, _ := ledger.Replaces(ledger.NewOperation(&ledger.AccountUpdateOp{NewOptions: &ledger.AccountOptions{MemoKey: key}}))
	return a.base.Same(ledger.PartMemoKey, set)
}

// already adds to the error for a request that would change nothing which transaction of this wallet sets the part so, if that is still on its
// way: it may not happen.
func (a *presentAccount) already(part string, same *fault.Error) *fault.Error {
	id, underWay := a.base.UnderWay(part)
	if !underWay || strings.Contains(same.Message, "on its way") {
		return same
	}
	out := *same
	out.Message += fmt.Sprintf(": it is on its way in transaction %s of this wallet", id)
	out.Hint = fmt.Sprintf("nothing was signed; get_payment %s reports whether it happens", id)
	return &out
}

// changedAccount is Payer for an account that the request changes. Errors: those of Payer and present.
func (b *Builder) changedAccount(ctx context.Context, nameOrID string) (*presentAccount, error) {
	a, err := b.Payer(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	return b.present(ctx, a)
}

// present reads an account anew, to build a change of it. A request that was made before is only compared, so nothing waits for it.
// Errors: those of ownobject.Base.
func (b *Builder) present(ctx context.Context, a *ledger.Account) (*presentAccount, error) {
	if b.repeated {
		return &presentAccount{a, &ownobject.Base{Object: a.ID.Object(), Account: a, Present: a.State()}}, nil
	}
	base, err := b.base(ctx, a.ID.Object())
	if err != nil {
		return nil, err
	}
	return &presentAccount{base.Account, base}, nil
}

// base reads what a change of an object is built on, once for a request.
func (b *Builder) base(ctx context.Context, object ledger.ObjectID) (*ownobject.Base, error) {
	if known := b.bases[object]; known != nil {
		return known, nil
	}
	base, err := b.objects.Base(ctx, b.op, object)
	if err != nil {
		return nil, err
	}
	if b.bases == nil {
		b.bases = map[ledger.ObjectID]*ownobject.Base{}
	}
	b.bases[object] = base
	return base, nil
}

// options returns a copy of the settings of an account, to be changed. An update rewrites all of them: what the request does not set
// is written back as it is. Of an account whose settings were never seen before, a memo key that is not in this wallet is compared
// with the one that was accepted before.
func (b *Builder) options(a *presentAccount) *ledger.AccountOptions {
	if b.rests == nil {
		b.rests = map[ledger.ObjectID]bool{}
	}
	b.rests[a.ID.Object()] = true
	if a.base.Expected == nil && !b.vault.Holds(a.Options.MemoKey) {
		b.words.keptMemoKeys = append(b.words.keptMemoKeys, a.Account)
	}
	options := a.Options
	options.Votes = slices.Clone(options.Votes)
	return &options
}

// objectChange is the change that the operations of a request make to an object.
type objectChange struct {
	base  *ownobject.Base
	set   ledger.ObjectState // nil: the object is only proposed to be changed
	rests bool               // other parts are written back as they were read

	undoes []ledgerview.Change // changes of this wallet that an operation which was given whole would undo
	begun  ownobject.Numbers   // see Request
}

// changes returns what the operations set of objects, in the order of the objects.
func (b *Builder) changes(ctx context.Context, ops []ledger.Operation) ([]objectChange, error) {
	if b.repeated {
		return nil, nil
	}
	sets := map[ledger.ObjectID]ledger.ObjectState{}
	for _, op := range ops {
		// Of other objects the caller gives all that is replaced: nothing is written back, and nothing has to be waited for.
		if object, set, replaces := ledger.Replaces(op); replaces && op.Code == ledger.CodeAccountUpdate {
			sets[object] = sets[object].With(set)
		}
	}
	for object := range b.rests {
		if _, known := sets[object]; !known {
			sets[object] = nil
		}
	}
	var out []objectChange
	for _, object := range slices.Sorted(maps.Keys(sets)) {
		base, err := b.base(ctx, object)
		if err != nil {
			return nil, err
		}
		c := objectChange{base: base, set: sets[object], rests: b.rests[object]}
		if b.words.asGiven && c.set != nil {
			c.begun, c.undoes = b.begun, base.Undoes(c.set, b.begun)
		}
		out = append(out, c)
	}
	return out, nil
}

// checkBases refuses a request that writes back what nobody accepted, or what a change of this wallet replaced. Error: fault.StateChanged.
func (p *Prepared) checkBases(accepted bool) error {
	for _, c := range p.changes {
		if len(c.undoes) > 0 && !accepted {
			return ownobject.RefusedUndoing(p.request.Op, c.undoes[0])
		}
		if c.rests && !accepted && len(c.base.Changes) > 0 {
			return c.base.Refused(p.request.Op)
		}
	}
	return nil
}

// memoKeys returns the own memo keys that something is encrypted with and that are not as they were accepted.
func (b *Builder) memoKeys(ctx context.Context) (out []*ownobject.MemoKey, err error) {
	for _, a := range b.encryptsFor {
		key, err := b.objects.MemoKeyOf(ctx, a)
		if err != nil {
			return nil, err
		}
		if key != nil && !b.repeated {
			out = append(out, key)
		}
	}
	return out, nil
}

// checkMemoKeys refuses to encrypt with memo keys of own accounts that nobody accepted. Those that a person saw are accepted. Errors:
// fault.StateChanged, fault.File.
func (f *Factory) checkMemoKeys(ctx context.Context, p *Prepared) error {
	for _, key := range p.memos {
		switch {
		case p.seen:
			if err := key.Accept(ctx, f.Objects, f.Now()); err != nil && !errors.Is(err, store.ErrObjectChanged) {
				return fault.Store(err)
			}
		case !f.AcceptChanges:
			return key.Refused(p.request.Op)
		}
	}
	return nil
}

// addBaseChanges adds to a review how the objects that change differ from their last states, instead of how the keys of these
// accounts differ from those that were accepted with a payment.
func (p *Prepared) addBaseChanges(r *Review) {
	for _, key := range p.memos {
		r.Changed = append(r.Changed, key.Change)
	}
	for _, c := range p.changes {
		r.Changed = append(r.Changed, c.undoes...)
		if c.base.Expected == nil {
			continue
		}
		r.Changed = slices.DeleteFunc(r.Changed, func(old ledgerview.Change) bool {
			return c.base.Account != nil && old.Account.ID == c.base.Account.ID && old.Of == ""
		})
		r.Changed = append(r.Changed, c.base.Changes...)
	}
}

// Request returns the request that was built.
func (p *Prepared) Request() Request { return p.request }

// IsSeen reports whether somebody saw the review.
func (p *Prepared) IsSeen() bool { return p.seen }

// KeepReview takes over the review of the same operations.
func (p *Prepared) KeepReview(of *Prepared) { p.review = of.review }

// GoesStale reports whether the operations rest on what others change at any time: they replace parts of objects, or buy what is on offer.
func (p *Prepared) GoesStale() bool { return len(p.changes) > 0 || p.hasty != "" }

// Stale returns why what came out otherwise in the end was not signed.
func (p *Prepared) Stale() string {
	return cmp.Or(p.hasty, "what this changes was changed meanwhile, so it would do something else than you have read")
}

// Fresh reports whether what the operations are built on was read within the given time.
func (p *Prepared) Fresh(now time.Time, within time.Duration) bool {
	if p.hasty != "" && now.Sub(p.built) >= within {
		return false
	}
	return !slices.ContainsFunc(p.changes, func(c objectChange) bool { return !c.base.Fresh(now, within) })
}

// SameAs reports whether two requests became the same operations, resting on the same differences from what was accepted.
func (p *Prepared) SameAs(other *Prepared) bool {
	return bytes.Equal(p.packed, other.packed) && slices.Equal(p.differences(), other.differences())
}

func (p *Prepared) differences() (out []string) {
	for _, c := range p.changes {
		for _, d := range append(slices.Clone(c.base.Changes), c.undoes...) {
			out = append(out, d.Of+" "+d.What+": "+d.Now)
		}
	}
	return out
}

// ObjectRows are the next states of one object.
type ObjectRows struct {
	Base    *ownobject.Base
	Rows    []store.ObjectState
	Undoing *store.ObjectChange // changes of this wallet that it undoes, because somebody permitted it; usually nil
}

// StatesAfter is NextStates for operations that others made and that are sent as they are. It refuses what would undo changes of this wallet
// that are not in the review that a person saw. Errors: fault.StateChanged, those of ownobject.Base.
func (f *Factory) StatesAfter(ctx context.Context, ops []ledger.Operation, id ledger.TransactionID, expires ledger.Time, saw Review) ([]ObjectRows, error) {
	b := &Builder{op: "broadcast", view: f.View, objects: f.Objects}
	b.words.asGiven = true
	changes, err := b.changes(ctx, ops)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		for _, u := range c.undoes {
			if !slices.ContainsFunc(saw.Changed, func(s ledgerview.Change) bool { return s.Undoes == u.Undoes && s.What == u.What && s.Now == u.Now }) {
				return nil, ownobject.RefusedUndoing(b.op, u)
			}
		}
	}
	p := &Prepared{changes: changes}
	return p.NextStates(store.ObjectChanged, &Signed{TransactionID: id,
		SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Expiration: expires}}}, f.Now()), nil
}

// AddUndone adds to a review of operations that were made elsewhere which changes of this wallet they would undo. No daemon is asked. Error: fault.File.
func (f *Factory) AddUndone(ctx context.Context, r *Review, ops []ledger.Operation) error {
	for _, op := range ops {
		object, set, replaces := ledger.Replaces(op)
		if !replaces || op.Code != ledger.CodeAccountUpdate {
			continue
		}
		base, err := f.Objects.Known(ctx, object)
		if err != nil {
			return err
		}
		r.Changed = append(r.Changed, base.Undoes(set, nil)...)
	}
	return nil
}

// NextStates returns what a signed transaction makes of the objects that it changes, to be written with its payment, or on its own if it is only
// signed.
func (p *Prepared) NextStates(kind store.ObjectKind, signed *Signed, now time.Time) (out []ObjectRows) {
	for _, c := range p.changes {
		if c.set == nil {
			continue
		}
		next := ObjectRows{Base: c.base, Rows: c.base.Next(kind, c.set, c.rests, len(c.base.Changes) > 0 && !p.seen, signed.TransactionID,
			signed.Expiration, now)}
		if len(c.undoes) > 0 {
			next.Undoing = c.base.Undoing(c.set, c.begun, signed.TransactionID, now)
		}
		out = append(out, next)
	}
	return out
}
