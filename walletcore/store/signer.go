package store

import (
	"context"

	"billfold/ledger"
)

// Signers reads the keys that the wallet has had while it used this file, whether they are in its key file now or not. Servers that
// share a store have none: they compare what they know with the store instead.
func (j *Journal) Signers(ctx context.Context) (keys []ledger.PublicKey, err error) {
	db := j.engine.Reader()
	if db == nil || ofServers(j.engine) {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT public_key FROM signer_keys ORDER BY public_key`)
	if err != nil {
		return nil, j.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, j.engine.Explain(err)
		}
		key, err := ledger.ParsePublicKey(text)
		if err != nil {
			return nil, j.engine.Explain(err)
		}
		keys = append(keys, key)
	}
	return keys, j.engine.Explain(rows.Err())
}

// NoteSigners records, without waiting for the disk but before any payment that is added later, that the wallet has keys.
func (j *Journal) NoteSigners(keys []ledger.PublicKey) error {
	if len(keys) == 0 || ofServers(j.engine) {
		return nil
	}
	return j.engine.Note(Change{Apply: func(tx Tx) (refusal, failure error) {
		for _, key := range keys {
			if _, err := tx.Exec(`INSERT INTO signer_keys (public_key) VALUES (?) ON CONFLICT DO NOTHING`, key.String()); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}})
}

// ForgetSigners lets a file know no keys any more: a person has looked at what it lacked.
func ForgetSigners(tx Tx) error {
	_, err := tx.Exec(`DELETE FROM signer_keys`)
	return err
}
