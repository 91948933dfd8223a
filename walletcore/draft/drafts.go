// Package draft saves transfers and messages as they were typed, for later: while travelling, without a daemon, or half
// finished; or to leave at a time. Nothing of a draft is built or checked.
package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/seal"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// Most is the maximum number of drafts of an account.
const Most = 100

// Sealer encrypts what only this wallet can read.
type Sealer interface {
	CheckOpen(op string) error
	seal.Keys
}

// Store stores encrypted drafts by account.
type Store interface {
	Add(ctx context.Context, account ledger.AccountID, at time.Time, sealed string, most int) (int64, error)
	List(ctx context.Context, account ledger.AccountID) ([]store.Draft, error)
	Drop(ctx context.Context, number int64) (store.Draft, error)
	Restore(ctx context.Context, account ledger.AccountID, dropped store.Draft, most int) (int64, error)
	Take(ctx context.Context, read store.Draft) error
	Rewrite(ctx context.Context, read store.Draft, sealed string) error
}

// Drafts are the drafts of a wallet, encrypted with its first key. Nothing here needs a daemon.
type Drafts struct {
	sealer Sealer
	store  Store
	now    func() time.Time
}

// New returns the drafts in store. If that is nil, there are none and none can be saved.
func New(sealer Sealer, store Store, now func() time.Time) *Drafts {
	return &Drafts{sealer, store, now}
}

// save stores what was typed, a transfer or a message.
func (d *Drafts) save(ctx context.Context, account ledger.AccountID, what any) (int64, error) {
	sealed, err := d.seal(what)
	if err != nil {
		return 0, err
	}
	if d.store == nil {
		return 0, fileFault(seal.ErrNoStore)
	}
	number, err := d.store.Add(ctx, account, d.now(), sealed, Most)
	return number, saveFault(err)
}

// saveFault returns the error for a draft that the store did not save; nil if it did.
func saveFault(err error) error {
	switch {
	case errors.Is(err, store.ErrManyDrafts):
		return &fault.Error{Code: fault.LimitExceeded, Op: "save", Hint: "delete one that is not needed",
			Message: fmt.Sprintf("%d drafts of this account are kept already", Most)}
	case err != nil:
		return fileFault(err)
	}
	return nil
}

// forEach calls f for every draft of an account that can be read, newest first.
func (d *Drafts) forEach(ctx context.Context, account ledger.AccountID, f func(kept store.Draft, text string)) error {
	if err := d.sealer.CheckOpen("drafts"); err != nil {
		return err
	}
	if d.store == nil {
		return nil
	}
	kept, err := d.store.List(ctx, account)
	if err != nil {
		return fileFault(err)
	}
	for _, k := range kept {
		if text, state := seal.Open(d.sealer, k.Sealed); state == vault.MemoOpen {
			f(k, text)
		}
	}
	return nil
}

// seal encrypts what was typed.
func (d *Drafts) seal(what any) (string, error) {
	if err := d.sealer.CheckOpen("save"); err != nil {
		return "", err
	}
	text, err := json.Marshal(what)
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: "save", Message: err.Error(), Err: err}
	}
	return seal.Close(d.sealer, "save", string(text))
}

// Dropped is a deleted draft, still encrypted. The zero value is none.
type Dropped struct{ kept store.Draft }

// Drop deletes a draft. For one that is gone already it returns the zero Dropped and no error. Error: fault.File.
func (d *Drafts) Drop(ctx context.Context, number int64) (Dropped, error) {
	if d.store == nil {
		return Dropped{}, nil
	}
	kept, err := d.store.Drop(ctx, number)
	if err != nil {
		return Dropped{}, fileFault(err)
	}
	return Dropped{kept}, nil
}

// Spent returns a context whose first payment deletes the drafts, in the commit that writes it to the journal: whenever
// a program is killed, there is either the draft or the payment, never both. Number 0 stands for no draft.
func Spent(ctx context.Context, numbers ...int64) context.Context {
	ctx = store.WithCallBatch(ctx)
	for _, number := range numbers {
		if number != 0 {
			store.CallBatchOf(ctx).Add(store.DropDraft(number))
		}
	}
	return ctx
}

// Restore stores a dropped draft of an account again, at its old place in the list, and returns its number. Errors:
// fault.LimitExceeded, fault.File.
func (d *Drafts) Restore(ctx context.Context, account ledger.AccountID, dropped Dropped) (int64, error) {
	number, err := d.store.Restore(ctx, account, dropped.kept, Most)
	return number, saveFault(err)
}

func fileFault(err error) *fault.Error {
	return seal.FileFault("drafts", "what is typed stays in the form", err)
}
