// Package draft keeps transfers as they were typed, for later: on the way, without a
// daemon, or half done. Nothing of a draft is built or checked.
package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/seal"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// Draft is a transfer as a person typed it.
type Draft struct {
	Number  int64 // in the order of saving, from 1 on
	Saved   time.Time
	Request build.TransferParams
}

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

// Save keeps req for an account of this wallet and returns its number. Errors: fault.Locked,
// fault.KeyNotInWallet where the wallet has no key at all, fault.LimitExceeded, fault.File.
func (d *Drafts) Save(ctx context.Context, account ledger.AccountID, req build.TransferParams) (int64, error) {
	sealed, err := d.seal(req)
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

func fileFault(err error) *fault.Error {
	return seal.FileFault("drafts", "what is typed stays in the form", err)
}

// typed is a transfer as it is kept, whatever the parameters of the operation are called.
type typed struct {
	From, To, Amount, Asset, Memo string
	Plain                         bool
}

// seal encrypts what was typed.
func (d *Drafts) seal(req build.TransferParams) (string, error) {
	if err := d.sealer.CheckOpen("save"); err != nil {
		return "", err
	}
	text, err := json.Marshal(typed(req))
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: "save", Message: err.Error(), Err: err}
	}
	return seal.Close(d.sealer, "save", string(text))
}

// List returns the drafts of an account, newest first. Those whose key the wallet no longer
// holds are left out. Errors: fault.Locked, fault.File.
func (d *Drafts) List(ctx context.Context, account ledger.AccountID) ([]Draft, error) {
	if err := d.sealer.CheckOpen("drafts"); err != nil {
		return nil, err
	}
	if d.store == nil {
		return nil, nil
	}
	kept, err := d.store.List(ctx, account)
	if err != nil {
		return nil, fileFault(err)
	}
	var out []Draft
	for _, k := range kept {
		made := Draft{Number: k.Number, Saved: k.Saved}
		if d.open(k.Sealed, &made.Request) == nil {
			out = append(out, made)
		}
	}
	return out, nil
}

var errUnreadable = errors.New("the draft cannot be decrypted")

func (d *Drafts) open(sealed string, req *build.TransferParams) error {
	text, state := seal.Open(d.sealer, sealed)
	if state != vault.MemoOpen {
		return errUnreadable
	}
	return json.Unmarshal([]byte(text), (*typed)(req))
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
