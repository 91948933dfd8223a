package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"billfold/ledger"
)

// BackupCheck is a proof that a paper backup restores an account.
type BackupCheck struct {
	Chain   ledger.ChainID
	Account ledger.AccountID
	Keys    []ledger.PublicKey // keys of the account that this wallet had then
	At      time.Time
}

// BackupChecks stores the last proof for each account. Errors are those of the file.
type BackupChecks struct{ engine Engine }

// Last reads the proof for an account; false if there is none.
func (b *BackupChecks) Last(ctx context.Context, chain ledger.ChainID, account ledger.AccountID) (BackupCheck, bool, error) {
	db := b.engine.Reader()
	if db == nil {
		return BackupCheck{}, false, nil
	}
	var keys string
	var at int64
	err := db.QueryRowContext(ctx, `SELECT public_keys, checked_at FROM backup_checks WHERE chain = ? AND account = ?`,
		chain.String(), int64(account)).Scan(&keys, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return BackupCheck{}, false, nil
	}
	out := BackupCheck{Chain: chain, Account: account, At: time.Unix(at, 0)}
	for _, text := range strings.Fields(keys) {
		key, wrong := ledger.ParsePublicKey(text)
		err = errors.Join(err, wrong)
		out.Keys = append(out.Keys, key)
	}
	return out, err == nil, b.engine.Explain(err)
}

// Put stores a proof, replacing that of the same account.
func (b *BackupChecks) Put(ctx context.Context, kept BackupCheck) error {
	texts := make([]string, len(kept.Keys))
	for i, key := range kept.Keys {
		texts[i] = key.String()
	}
	return change(ctx, b.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO backup_checks (chain, account, public_keys, checked_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (chain, account) DO UPDATE SET public_keys = excluded.public_keys, checked_at = excluded.checked_at`,
			kept.Chain.String(), int64(kept.Account), strings.Join(texts, " "), kept.At.Unix())
		return err
	})
}
