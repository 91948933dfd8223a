package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// Contact is an account that a person saved, as it was at that time.
type Contact struct {
	Chain ledger.ChainID
	SeenAccount
	Name   string
	Sealed string // the encrypted note; "" = none
}

// Contacts stores contacts by chain. Errors are those of the file.
type Contacts struct{ engine Engine }

// List reads the contacts of all chains, by name.
func (c *Contacts) List(ctx context.Context) (list []Contact, err error) {
	db := c.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT chain, account, name, memo_key, active, owner, note, saved_at FROM contacts
		ORDER BY name, chain`)
	if err != nil {
		return nil, c.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		kept, err := scanContact(rows)
		if err != nil {
			return nil, c.engine.Explain(err)
		}
		list = append(list, kept)
	}
	return list, c.engine.Explain(rows.Err())
}

func scanContact(rows *sql.Rows) (c Contact, err error) {
	var chain, memo, active, owner string
	var account, at int64
	if err := rows.Scan(&chain, &account, &c.Name, &memo, &active, &owner, &c.Sealed, &at); err != nil {
		return c, err
	}
	c.ID, c.Since = ledger.AccountID(account), time.Unix(at, 0)
	if c.Chain, err = ledger.ParseChainID(chain); err != nil {
		return c, err
	}
	if c.MemoKey, err = ledger.ParsePublicKey(memo); err != nil {
		return c, err
	}
	if err := codec.Unmarshal([]byte(active), &c.Active); err != nil {
		return c, err
	}
	return c, codec.Unmarshal([]byte(owner), &c.Owner)
}

// Put stores a contact, replacing that of the same account.
func (c *Contacts) Put(ctx context.Context, kept Contact) error {
	active, err := codec.Marshal(kept.Active)
	if err != nil {
		return err
	}
	owner, err := codec.Marshal(kept.Owner)
	if err != nil {
		return err
	}
	return change(ctx, c.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO contacts (chain, account, name, memo_key, active, owner, note, saved_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (chain, account) DO UPDATE SET name = excluded.name, memo_key = excluded.memo_key, active = excluded.active,
			owner = excluded.owner, note = excluded.note, saved_at = excluded.saved_at`,
			kept.Chain.String(), int64(kept.ID), kept.Name, kept.MemoKey.String(), string(active), string(owner), kept.Sealed,
			kept.Since.Unix())
		return err
	})
}

// ErrNoContact means that the account is no contact, or no longer.
var ErrNoContact = errors.New("it is not among the contacts; another program may have removed it")

// SetNote replaces the note of a contact. Errors: ErrNoContact, those of Engine.Write.
func (c *Contacts) SetNote(ctx context.Context, chain ledger.ChainID, id ledger.AccountID, sealed string) error {
	return c.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) {
		there, err := changedRow(tx.Exec(`UPDATE contacts SET note = ? WHERE chain = ? AND account = ?`, sealed, chain.String(), int64(id)))
		if err == nil && !there {
			return ErrNoContact, nil
		}
		return nil, err
	}})
}

// Drop deletes a contact. Deleting one that is gone is not an error.
func (c *Contacts) Drop(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) error {
	return change(ctx, c.engine, func(tx Tx) error {
		_, err := tx.Exec(`DELETE FROM contacts WHERE chain = ? AND account = ?`, chain.String(), int64(id))
		return err
	})
}
