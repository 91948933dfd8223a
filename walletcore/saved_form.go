package walletcore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/database"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// SavedForm is a transfer as a person typed it, kept for later: on the way,
// without a daemon, or half done. Nothing of it is built or checked.
type SavedForm struct {
	Number  int64 // in the order of saving, from 1 on
	Saved   time.Time
	Request TransferRequest
}

// mostSavedForms is how many an account may have.
const mostSavedForms = 100

// SavedForms is the file of saved forms. What was typed is encrypted like a memo
// from a key of the wallet to itself: it is readable while the wallet is open
// and holds that key, whatever its password is then.
type SavedForms struct{ *database.File }

// SavedFormsAt keeps the forms at path; the file is made with the first one.
func SavedFormsAt(path string) *SavedForms {
	return &SavedForms{database.At(path, `CREATE TABLE IF NOT EXISTS saved_forms (
		id       INTEGER PRIMARY KEY,
		account  VARCHAR(24) NOT NULL,
		saved_at BIGINT NOT NULL,
		sealed   TEXT NOT NULL
	)`)}
}

// SaveForm keeps req for an account of this wallet and gives its number. It
// needs no daemon. Errors: fault.Locked, fault.KeyNotInWallet when there is no key at
// all, fault.LimitExceeded, fault.File.
func (w *Wallet) SaveForm(ctx context.Context, account ledger.AccountID, req TransferRequest) (int64, error) {
	sealed, err := w.sealForm(req)
	if err != nil {
		return 0, err
	}
	if w.forms == nil {
		return 0, formsFault(errNoForms)
	}
	db, err := w.forms.Open()
	if err != nil {
		return 0, formsFault(err)
	}
	number, err := insertForm(ctx, db, account.String(), w.now().Unix(), sealed)
	switch {
	case errors.Is(err, errManyForms):
		return 0, &fault.Error{Code: fault.LimitExceeded, Op: "save", Message: fmt.Sprintf("%d drafts of this account are kept already", mostSavedForms), Hint: "delete one that is not needed"}
	case err != nil:
		return 0, formsFault(err)
	}
	return number, nil
}

var errManyForms = errors.New("too many drafts")

func insertForm(ctx context.Context, db *sql.DB, account string, at int64, sealed string) (number int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	var have int
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM saved_forms WHERE account = ?`, account).Scan(&have); err != nil {
		return 0, err
	}
	if have >= mostSavedForms {
		return 0, errManyForms
	}
	if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(id), 0) + 1 FROM saved_forms`).Scan(&number); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO saved_forms (id, account, saved_at, sealed) VALUES (?, ?, ?, ?)`, number, account, at, sealed); err != nil {
		return 0, err
	}
	return number, tx.Commit()
}

var errNoForms = errors.New("this wallet was opened without one")

func formsFault(err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: "drafts", Message: "the file of drafts cannot be used: " + err.Error(), Hint: "free the disk or correct the folder's mode; what is typed stays in the form", Err: err}
}

// sealForm encrypts what was typed with the first key of the wallet.
func (w *Wallet) sealForm(req TransferRequest) (string, error) {
	store, err := w.unlocked("save")
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(req)
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: "save", Message: err.Error(), Err: err}
	}
	var memo ledger.Memo
	err = store.View(func(keys *keystore.Secrets) error {
		own := keys.PublicKeys()
		if len(own) == 0 {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: "save", Message: "a draft is encrypted with a key of the wallet, and there is none yet", Hint: "import a key first"}
		}
		key, _ := keys.Key(own[0])
		memo, err = w.secrets.encrypt(key, own[0], own[0], string(text))
		return err
	})
	if err != nil {
		return "", fault.Own("save", err)
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
	store, err := w.unlocked("drafts")
	if err != nil {
		return nil, err
	}
	if w.forms == nil {
		return nil, nil
	}
	db, err := w.forms.Find()
	if err != nil {
		return nil, formsFault(err)
	}
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT id, saved_at, sealed FROM saved_forms WHERE account = ? ORDER BY id DESC`, account.String())
	if err != nil {
		return nil, formsFault(err)
	}
	defer rows.Close()
	var out []SavedForm
	for rows.Next() {
		var f SavedForm
		var at int64
		var sealed string
		if err := rows.Scan(&f.Number, &at, &sealed); err != nil {
			return nil, formsFault(err)
		}
		f.Saved = time.Unix(at, 0).UTC()
		if w.openForm(store, sealed, &f.Request) == nil {
			out = append(out, f)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, formsFault(err)
	}
	return out, nil
}

var errUnreadable = errors.New("the draft cannot be decrypted")

func (w *Wallet) openForm(store *keystore.Store, sealed string, req *TransferRequest) error {
	var memo ledger.Memo
	if err := codec.Unmarshal([]byte(sealed), &memo); err != nil {
		return err
	}
	text, state := w.openMemo(store, &memo)
	if state != vault.MemoOpen {
		return errUnreadable
	}
	return json.Unmarshal([]byte(text), req)
}

// DropForm deletes a saved form; one that is gone already is no error. Error: fault.File.
func (w *Wallet) DropForm(ctx context.Context, number int64) error {
	if w.forms == nil {
		return nil
	}
	db, err := w.forms.Find()
	if err == nil && db != nil {
		_, err = db.ExecContext(ctx, `DELETE FROM saved_forms WHERE id = ?`, number)
	}
	if err != nil {
		return formsFault(err)
	}
	return nil
}
