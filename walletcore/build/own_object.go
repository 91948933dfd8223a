package build

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"billfold/ledger"
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

// objectChange is what the operations of a request set of an object.
type objectChange struct {
	base  *ownobject.Base
	set   ledger.ObjectState // nil: the object is only proposed to be changed
	rests bool               // other parts are written back as they were read
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
		out = append(out, objectChange{base, sets[object], b.rests[object]})
	}
	return out, nil
}

// checkBases refuses a request that writes back what nobody accepted. Error: fault.StateChanged.
func (p *Prepared) checkBases(accepted bool) error {
	for _, c := range p.changes {
		if c.rests && !accepted && len(c.base.Changes) > 0 {
			return c.base.Refused(p.request.Op)
		}
	}
	return nil
}

// addBaseChanges adds to a review how the objects that change differ from their last states, instead of how the keys of these
// accounts differ from those that were accepted with a payment.
func (p *Prepared) addBaseChanges(r *Review) {
	for _, c := range p.changes {
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

// ChangesObjects reports whether the operations replace parts of objects, so that they go stale.
func (p *Prepared) ChangesObjects() bool { return len(p.changes) > 0 }

// Fresh reports whether what the operations are built on was read within the given time.
func (p *Prepared) Fresh(now time.Time, within time.Duration) bool {
	return !slices.ContainsFunc(p.changes, func(c objectChange) bool { return !c.base.Fresh(now, within) })
}

// SameAs reports whether two requests became the same operations, resting on the same differences from what was accepted.
func (p *Prepared) SameAs(other *Prepared) bool {
	return bytes.Equal(p.packed, other.packed) && slices.Equal(p.differences(), other.differences())
}

func (p *Prepared) differences() (out []string) {
	for _, c := range p.changes {
		for _, d := range c.base.Changes {
			out = append(out, d.Of+" "+d.What+": "+d.Now)
		}
	}
	return out
}

// ObjectRows are the next states of one object.
type ObjectRows struct {
	Base *ownobject.Base
	Rows []store.ObjectState
}

// StatesAfter is NextStates for operations that others made and that are sent as they are. Errors: those of ownobject.Base.
func (f *Factory) StatesAfter(ctx context.Context, ops []ledger.Operation, id ledger.TransactionID, expires ledger.Time) ([]ObjectRows, error) {
	b := &Builder{op: "broadcast", view: f.View, objects: f.Objects}
	changes, err := b.changes(ctx, ops)
	if err != nil {
		return nil, err
	}
	p := &Prepared{changes: changes}
	return p.NextStates(store.ObjectChanged, &Signed{TransactionID: id,
		SignedTransaction: ledger.SignedTransaction{Transaction: ledger.Transaction{Expiration: expires}}}, f.Now()), nil
}

// NextStates returns what a signed transaction makes of the objects that it changes, to be written with its payment, or on its own if it is only
// signed.
func (p *Prepared) NextStates(kind store.ObjectKind, signed *Signed, now time.Time) (out []ObjectRows) {
	for _, c := range p.changes {
		if c.set != nil {
			out = append(out, ObjectRows{c.base, c.base.Next(kind, c.set, c.rests, signed.TransactionID, signed.Expiration, now)})
		}
	}
	return out
}
