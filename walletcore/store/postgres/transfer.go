package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

// table is a table, with its columns, that a store in a file and a shared one both have.
type table struct{ name, columns string }

func tables() []table {
	return []table{
		{"payments", "id, request_key, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at, sent_at, " +
			"in_block_at, chain, request, proven, sure_block, final_at, origin"},
		{"only_signed", "id, expiration"},
		{"payout_rows", "payer, number, fingerprint, plan, request_key, label"},
		{"audit", "number, entry, hash"},
		{"token_spent", "id, token, asset, amount, request_key, spent_at"},
		{"deposit_cursors", "account, block, trx, op, virtual"},
		{"saved_forms", "id, account, saved_at, sealed"},
		{"constructions", "handle, token, packed, changed_at, numbers"},
		{"contacts", "chain, account, name, memo_key, active, owner, note, saved_at"},
		{"labels", "chain, history_row, block, label, saved_at"},
		{"message_marks", "chain, account, other, unread_from, shown_from"},
		{"backup_checks", "chain, account, public_keys, checked_at"},
		{"account_pins", "chain, account, name, source, seen_at"},
		{"asset_pins", "chain, asset, symbol, precision_digits, source, seen_at"},
		{"seen_accounts", "chain, account, memo_key, active, owner, seen_at"},
		{"anchors", "chain, block, anchor"},
		{"object_states", "chain, object, number, kind, state, transaction_id, expires, since"},
		{"object_changes", "chain, object, transaction_id, block, trx_in_block, text, undone, seen, noticed_at"},
		{"content_authors", "chain, content, author, source, seen_at"},
		{"accepted_facts", "chain, subject, fact, value, own_value, source, seen_at"},
	}
}

// queries is a database or a transaction.
type queries interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Import creates a store with the identity id from everything in the file from, and from tokens: all or nothing. Its
// open payments belong to the server that starts first.
func (o Options) Import(
	ctx context.Context, address, id string, from queries, tokens []store.TokenRow,
) (counts map[string]int64, err error) {
	counts = map[string]int64{}
	err = o.Init(ctx, address, id, func(c *pgx.Conn) error {
		for _, t := range tables() {
			n, err := t.importRows(ctx, c, from)
			if err != nil {
				return fmt.Errorf("table %s: %w", t.name, err)
			}
			counts[t.name] = n
		}
		for n, r := range tokens {
			if _, err := c.Exec(ctx, `INSERT INTO tokens (id, name, hash, made_at, scope, place) VALUES ($1, $2, $3, $4, $5, $6)`,
				r.ID, r.Name, r.Hash, r.Made, r.Scope, n); err != nil {
				return fmt.Errorf("token %s: %w", r.Name, err)
			}
		}
		_, err := c.Exec(ctx, `INSERT INTO servers (id, name, epoch, mark, nonce, touched, expires_at, version, started_at, place)
			VALUES ($1, $1, 0, 0, '', 0, 0, '', 0, '')`, formerOwner)
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, `UPDATE audit_head SET number = a.number, hash = a.hash
			FROM (SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1) a`)
		return err
	})
	return counts, err
}

// importRows copies one table into the database.
func (t table) importRows(ctx context.Context, c *pgx.Conn, from queries) (int64, error) {
	names := strings.Split(t.columns, ", ")
	rows, err := from.QueryContext(ctx, `SELECT `+t.columns+` FROM `+t.name)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	constant := []any{}
	if t.name == "payments" {
		names, constant = append(names, "owner"), append(constant, formerOwner)
	}
	read := func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		values, err := scanAny(rows, len(names)-len(constant))
		for i, v := range values {
			if text, ok := v.(string); ok {
				values[i] = cleanText(text)
			}
		}
		return append(values, constant...), err
	}
	return c.CopyFrom(ctx, pgx.Identifier{t.name}, names, pgx.CopyFromFunc(read))
}

// formerOwner owns the payments of a store that was copied: a server that is gone, so that the first one that starts takes them over.
const formerOwner = "file"

func scanAny(rows *sql.Rows, n int) ([]any, error) {
	values, into := make([]any, n), make([]any, n)
	for i := range values {
		into[i] = &values[i]
	}
	err := rows.Scan(into...)
	return values, err
}

// executes is a transaction on a file.
type executes interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Export copies everything in the store at address into an empty file, as of one moment.
func (o Options) Export(ctx context.Context, address string, to executes) (counts map[string]int64, err error) {
	l, err := o.openReadOnly(ctx, address, "0")
	if err != nil {
		return nil, err
	}
	defer l.db.Close() //nolint:errcheck // it was only read
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, l.Explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // it was only read
	counts = map[string]int64{}
	for _, t := range tables() {
		if counts[t.name], err = t.exportRows(ctx, tx, to); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.name, l.Explain(err))
		}
	}
	return counts, nil
}

// exportRows copies one table out of the database.
func (t table) exportRows(ctx context.Context, from queries, to executes) (n int64, err error) {
	columns := strings.Split(t.columns, ", ")
	rows, err := from.QueryContext(ctx, `SELECT `+t.columns+` FROM `+t.name)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	insert := `INSERT INTO ` + t.name + ` (` + t.columns + `) VALUES (?` + strings.Repeat(`, ?`, len(columns)-1) + `)`
	for rows.Next() {
		values, err := scanAny(rows, len(columns))
		if err == nil {
			_, err = to.ExecContext(ctx, insert, values...)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// Leave holds the store because it moves elsewhere: whoever is writing ends first, and no server pays anything new. Only a person
// ends that, with store accept, or Stay.
func (o Options) Leave(ctx context.Context, address, why string) error {
	return o.alterStore(ctx, address, func(c *pgx.Conn) error {
		var before string
		if err := c.QueryRow(ctx, `SELECT held_why FROM store_meta FOR UPDATE`).Scan(&before); err != nil {
			return err
		}
		if before != "" {
			return fmt.Errorf("the store is held, and does not move before that has ended: %s", before)
		}
		if _, err := c.Exec(ctx, `LOCK TABLE payments IN SHARE MODE`); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `UPDATE store_meta SET held_since = `+now+`, held_why = $1, held_kind = '`+byPerson+`', held_from = 0`, why)
		return err
	})
}

// Stay ends the hold of Leave, because the store was not copied.
func (o Options) Stay(ctx context.Context, address, why string) error {
	return o.alterStore(ctx, address, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', generation = generation + 1
			WHERE held_why = $1`, why)
		return err
	})
}

// alterStore changes a store of this version while servers run.
func (o Options) alterStore(ctx context.Context, address string, with func(*pgx.Conn) error) error {
	o.MayLose = true
	return o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if have == 0 {
			return ErrNoStore
		}
		if err := checkVersion(have, have); err != nil {
			return err
		}
		return with(c)
	})
}
