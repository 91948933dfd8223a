// Package draft keeps transfers and messages as they were typed, for later: on the way, without a
// daemon, or half done. Nothing of a draft is built or checked.
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

// most is how many drafts an account may have.
const most = 100

// Sealer encrypts what only this wallet reads.
type Sealer interface {
	CheckOpen(op string) error
	seal.Keys
}

// Store keeps encrypted drafts by account.
type Store interface {
	Add(ctx context.Context, account ledger.AccountID, at time.Time, sealed string, most int) (int64, error)
	List(ctx context.Context, account ledger.AccountID) ([]store.Draft, error)
	Drop(ctx context.Context, number int64) error
}

// Drafts are those of a wallet, encrypted with its first key. None of them needs a daemon.
type Drafts struct {
	sealer Sealer
	store  Store
	now    func() time.Time
}

// New keeps drafts in store. Where that is nil there are none, and none can be saved.
func New(sealer Sealer, store Store, now func() time.Time) *Drafts {
	return &Drafts{sealer, store, now}
}

// save keeps what was typed, whatever it is.
func (d *Drafts) save(ctx context.Context, account ledger.AccountID, what any) (int64, error) {
	sealed, err := d.seal(what)
	if err != nil {
		return 0, err
	}
	if d.store == nil {
		return 0, fileFault(seal.ErrNoStore)
	}
	number, err := d.store.Add(ctx, account, d.now(), sealed, most)
	switch {
	case errors.Is(err, store.ErrManyDrafts):
		return 0, &fault.Error{Code: fault.LimitExceeded, Op: "save", Hint: "delete one that is not needed",
			Message: fmt.Sprintf("%d drafts of this account are kept already", most)}
	case err != nil:
		return 0, fileFault(err)
	}
	return number, nil
}

// each calls f with what is kept of an account, newest first, and can be read.
func (d *Drafts) each(ctx context.Context, account ledger.AccountID, f func(number int64, saved time.Time, text string)) error {
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
			f(k.Number, k.Saved, text)
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

// Drop deletes a draft; one that is gone already is no error. Error: fault.File.
func (d *Drafts) Drop(ctx context.Context, number int64) error {
	if d.store == nil {
		return nil
	}
	if err := d.store.Drop(ctx, number); err != nil {
		return fileFault(err)
	}
	return nil
}

func fileFault(err error) *fault.Error {
	return seal.FileFault("drafts", "what is typed stays in the form", err)
}
