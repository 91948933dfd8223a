package store

import (
	"context"
	"time"

	"billfold/ledger"
)

// HeldError means that a payment was refused because the store is held, or was held a moment ago.
type HeldError struct {
	Why    string // "" = it is not held any more
	Advice string // what says how it ends
}

func (e *HeldError) Error() string {
	if e.Why == "" {
		return "the store was held a moment ago; make the same request again"
	}
	return "the store is held: " + e.Why + "; " + e.Advice
}

// HoldFor returns the change that holds a file: it lacked a payment that is on the ledger. An existing hold stays.
func HoldFor(why string, at time.Time) Change {
	return Change{Apply: func(tx Tx) (refusal, failure error) {
		_, err := tx.Exec(`UPDATE journal_hold SET held_since = ?, held_why = ? WHERE held_since = 0`, millis(at), why)
		return nil, err
	}}
}

// EndFileHold ends the hold of a file, if it is held. Payments that were found and not claimed are still compared with requests.
func EndFileHold(tx Tx) error {
	_, err := tx.Exec(`UPDATE journal_hold SET held_since = 0, held_why = '', generation = generation + 1 WHERE held_since > 0`)
	return err
}

// signedFor is the time, in seconds, for which it is remembered that a transaction was only signed.
const signedFor = 14 * 24 * 3600

// NoteSigned records, without waiting for the disk, that a transaction was signed for somebody else to send: on the ledger it is
// not one that the journal lost.
func (j *Journal) NoteSigned(id ledger.TransactionID, expiration ledger.Time) error {
	return j.engine.Note(Change{Apply: func(tx Tx) (refusal, failure error) {
		_, err := tx.Exec(`INSERT INTO only_signed (id, expiration) VALUES (?, ?) ON CONFLICT DO NOTHING`, id.String(), int64(expiration))
		if err == nil {
			_, err = tx.Exec(`DELETE FROM only_signed WHERE expiration < ?`, int64(expiration)-signedFor)
		}
		return nil, err
	}})
}

// Knows reports whether the journal has a transaction, as a payment or as one that was only signed.
func (j *Journal) Knows(ctx context.Context, id ledger.TransactionID) (known bool, err error) {
	db := j.engine.Reader()
	if db == nil {
		return false, nil
	}
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM payments WHERE id = ?) OR EXISTS (SELECT 1 FROM only_signed WHERE id = ?)`,
		id.String(), id.String()).Scan(&known)
	return known, j.engine.Explain(err)
}

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
