package walletcore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// SavedForm is a transfer as a person typed it, kept for later: on the way,
// without a daemon, or half done. Nothing of it is built or checked.
type SavedForm struct {
	Number  int64 // in the order of saving, from 1 on
	Saved   time.Time
	Request build.TransferParams
}

// mostSavedForms is how many an account may have.
const mostSavedForms = 100

// SaveForm keeps req for an account of this wallet and gives its number. It
// needs no daemon. Errors: fault.Locked, fault.KeyNotInWallet when there is no key at
// all, fault.LimitExceeded, fault.File.
func (w *Wallet) SaveForm(ctx context.Context, account ledger.AccountID, req build.TransferParams) (int64, error) {
	sealed, err := w.sealForm(req)
	if err != nil {
		return 0, err
	}
	if w.drafts == nil {
		return 0, formsFault(errNoForms)
	}
	number, err := w.drafts.Add(ctx, account, w.now(), sealed, mostSavedForms)
	switch {
	case errors.Is(err, store.ErrManyDrafts):
		return 0, &fault.Error{Code: fault.LimitExceeded, Op: "save", Hint: "delete one that is not needed",
			Message: fmt.Sprintf("%d drafts of this account are kept already", mostSavedForms)}
	case err != nil:
		return 0, formsFault(err)
	}
	return number, nil
}

var errNoForms = errors.New("this wallet was opened without one")

func formsFault(err error) *fault.Error {
	return &fault.Error{
		Code:    fault.File,
		Op:      "drafts",
		Message: "the file of drafts cannot be used: " + err.Error(),
		Hint:    "free some disk space, or correct the folder's permissions; what is typed stays in the form",
		Err:     err,
	}
}

// keptTransfer is a typed transfer as it is kept, whatever the parameters of the operation are called.
type keptTransfer struct {
	From, To, Amount, Asset, Memo string
	Plain                         bool
}

// sealForm encrypts what was typed with the first key of the wallet.
func (w *Wallet) sealForm(req build.TransferParams) (string, error) {
	if err := w.Vault.CheckOpen("save"); err != nil {
		return "", err
	}
	text, err := json.Marshal(keptTransfer(req))
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: "save", Message: err.Error(), Err: err}
	}
	memo, err := w.Vault.EncryptForSelf("save", string(text))
	if err != nil {
		return "", err
	}
	sealed, err := codec.Marshal(memo)
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: "save", Message: err.Error(), Err: err}
	}
	return string(sealed), nil
}

// SavedForms lists what is kept for an account, newest first; forms whose key the
// wallet does not hold any more are left out. Errors: fault.Locked, fault.File.
func (w *Wallet) SavedForms(ctx context.Context, account ledger.AccountID) ([]SavedForm, error) {
	if err := w.Vault.CheckOpen("drafts"); err != nil {
		return nil, err
	}
	if w.drafts == nil {
		return nil, nil
	}
	kept, err := w.drafts.List(ctx, account)
	if err != nil {
		return nil, formsFault(err)
	}
	var out []SavedForm
	for _, k := range kept {
		f := SavedForm{Number: k.Number, Saved: k.Saved}
		if w.openForm(k.Sealed, &f.Request) == nil {
			out = append(out, f)
		}
	}
	return out, nil
}

var errUnreadable = errors.New("the draft cannot be decrypted")

func (w *Wallet) openForm(sealed string, req *build.TransferParams) error {
	var memo ledger.Memo
	if err := codec.Unmarshal([]byte(sealed), &memo); err != nil {
		return err
	}
	text, state := w.Vault.OpenMemo(&memo)
	if state != vault.MemoOpen {
		return errUnreadable
	}
	return json.Unmarshal([]byte(text), (*keptTransfer)(req))
}

// DropForm deletes a saved form; one that is gone already is no error. Error: fault.File.
func (w *Wallet) DropForm(ctx context.Context, number int64) error {
	if w.drafts == nil {
		return nil
	}
	if err := w.drafts.Drop(ctx, number); err != nil {
		return formsFault(err)
	}
	return nil
}
