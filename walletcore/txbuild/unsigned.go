package txbuild

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// DryRun is the outcome that a request would have.
type DryRun struct {
	Operations []ledger.Operation
	Review     Review // including fees, who has to sign, and the balances left

	made *Prepared
}

// DryRun builds and reviews a request without signing or storing anything. Errors: those of the
// spend, and of Review.
func (f *Factory) DryRun(ctx context.Context, r Request) (DryRun, error) {
	made, err := f.Build(ctx, r, false)
	if err == nil {
		err = f.Complete(ctx, made, false)
	}
	if err != nil {
		return DryRun{}, err
	}
	review, err := f.Review(ctx, made)
	return DryRun{Operations: made.ops, Review: review, made: made}, err
}

// HandOut refuses what others would be given to sign although it is not as it was last accepted; seen means that a person saw the review.
// Errors: fault.KeysChanged, fault.StateChanged, fault.FeeTooHigh.
func (f *Factory) HandOut(ctx context.Context, d DryRun, seen bool) error {
	d.made.seen = seen
	return f.checkAccepted(ctx, d.made)
}

// StatesOf is NextStates for a transaction that others are given to sign.
func (f *Factory) StatesOf(d DryRun, tx *ledger.Transaction) ([]ObjectRows, error) {
	id, err := tx.ID()
	if err != nil {
		return nil, unpackable("build", err)
	}
	return d.made.NextStates(store.ObjectSigned, &Signed{TransactionID: id, SignedTransaction: ledger.SignedTransaction{Transaction: *tx}}, f.Now()), nil
}

// CheckLife refuses a transaction life, in seconds, that the ledger does not accept. Errors: fault.BadValue, the daemon's.
func (f *Factory) CheckLife(ctx context.Context, op string, life uint32) error {
	props, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return err
	}
	if most := props.Parameters.MaximumTimeUntilExpiration; life < TransactionLife || life > most {
		return &fault.Error{Code: fault.BadValue, Op: op, Hint: "nothing was made",
			Message: fmt.Sprintf("a transaction lasts from %d to %d seconds, not %d", TransactionLife, most, life)}
	}
	return nil
}

// Unsigned makes a transaction without signatures, for others to sign. It is valid for life seconds.
// Errors: the daemon's.
func (f *Factory) Unsigned(ctx context.Context, ops []ledger.Operation, life uint32) (ledger.Transaction, error) {
	head, err := f.View.Chain.Head(ctx)
	if err == nil {
		err = f.checkHead(head.Time)
	}
	if err != nil {
		return ledger.Transaction{}, err
	}
	tx := ledger.Transaction{Operations: ops, Expiration: f.window(head.Time).first - TransactionLife + ledger.Time(life)}
	tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(head.HeadBlockID)
	return tx, nil
}

// Sufficient returns the smallest set of the keys that signed which the ledger accepts for the
// operations. Errors: fault.MissingAuthority, those of the daemon.
func (f *Factory) Sufficient(ctx context.Context, ops []ledger.Operation, signed func(ledger.PublicKey) bool) ([]ledger.PublicKey, error) {
	props, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return nil, err
	}
	needs, depth := ledger.NeedsOf(ops), int(props.Parameters.MaxAuthorityDepth)
	accounts, err := f.View.Accounts.AuthorityTree(ctx, needs, depth)
	if err != nil {
		return nil, err
	}
	keys, missing := ledger.SmallestKeys(needs, signed, func(id ledger.AccountID) *ledger.Account { return accounts[id] }, depth)
	if !missing.Empty() {
		return nil, &fault.Error{Code: fault.MissingAuthority, Op: "broadcast",
			Message: "the signatures are not enough to act for " + f.missingParty(missing),
			Hint:    "nothing was sent; billfold tx inspect shows who may still sign"}
	}
	return keys, nil
}

// CheckFees refuses fees that somebody wrote into a transaction if they are above the ceiling or in an asset
// other than DCT. Error: fault.FeeTooHigh.
func (f *Factory) CheckFees(ops []ledger.Operation) error { return f.checkFees(ops, true) }
