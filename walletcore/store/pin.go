package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
)

// AccountPin is the first statement about an account: neither its id nor its name ever changes on the ledger.
type AccountPin struct {
	ID     ledger.AccountID
	Name   string
	Source string    // who stated it: a daemon's address, or "the key file"
	Since  time.Time // when; whole seconds
}

// AssetPin is the first statement about an asset, none of which ever changes on the ledger.
type AssetPin struct {
	ID        ledger.AssetID
	Symbol    string
	Precision uint8
	Source    string
	Since     time.Time
}

// Pins stores what daemons said about accounts, assets and content, which must not change unnoticed. Errors are those of the file.
type Pins struct{ engine Engine }

// Any reports whether anything was ever pinned.
func (p *Pins) Any(ctx context.Context) (bool, error) {
	db := p.engine.Reader()
	if db == nil {
		return false, nil
	}
	var n int
	err := db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM account_pins)
		+ (SELECT COUNT(*) FROM asset_pins) + (SELECT COUNT(*) FROM anchors)`).Scan(&n)
	return n > 0, p.engine.Explain(err)
}

// maxPerQuery is the maximum number of values in one statement.
const maxPerQuery = 200

// AccountPins reads the pins of any of ids and of any of names. A pin that matches both is returned twice.
func (p *Pins) AccountPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AccountID, names []string) ([]AccountPin, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	return readPins(ctx, p, db, chain, accountPins, ids, names)
}

// PinAccounts stores each pin unless its id or its name is pinned already, all in one commit, and returns what is then
// stored for any of the ids and names.
func (p *Pins) PinAccounts(ctx context.Context, chain ledger.ChainID, pins ...AccountPin) (kept []AccountPin, err error) {
	var ids []ledger.AccountID
	var names []string
	byID := func(a, b AccountPin) int { return cmp.Compare(a.ID, b.ID) } // so that two servers do not deadlock
	pins = slices.SortedFunc(slices.Values(pins), byID)
	for _, p := range pins {
		ids, names = append(ids, p.ID), append(names, p.Name)
	}
	err = change(ctx, p.engine, func(tx Tx) error {
		for _, p := range pins {
			if _, err := tx.Exec(`INSERT INTO account_pins (chain, account, name, source, seen_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`,
				chain.String(), int64(p.ID), p.Name, p.Source, p.Since.Unix()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.AccountPins(ctx, chain, ids, names)
}

// ForgetAccount removes what is stored about an account, including its keys; it reports false if there was nothing.
func (p *Pins) ForgetAccount(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) (bool, error) {
	return p.forget(ctx, chain, int64(id), `DELETE FROM account_pins WHERE chain = ? AND account = ?`,
		`DELETE FROM seen_accounts WHERE chain = ? AND account = ?`)
}

// ListAccounts reads all account pins of a chain, by name.
func (p *Pins) ListAccounts(ctx context.Context, chain ledger.ChainID) ([]AccountPin, error) {
	return listPins(ctx, p, chain, accountPins)
}

// ListAssets reads all asset pins of a chain, by symbol.
func (p *Pins) ListAssets(ctx context.Context, chain ledger.ChainID) ([]AssetPin, error) {
	return listPins(ctx, p, chain, assetPins)
}

func listPins[T any](ctx context.Context, p *Pins, chain ledger.ChainID, q pinQuery[T]) ([]T, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	found, err := q.read(ctx, db, `chain = ? ORDER BY `+q.text, chain.String())
	if err != nil {
		return nil, p.engine.Explain(err)
	}
	return found, nil
}

// AssetPins reads the pins of any of ids and of any of symbols.
func (p *Pins) AssetPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AssetID, symbols []string) ([]AssetPin, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	return readPins(ctx, p, db, chain, assetPins, ids, symbols)
}

// PinAssets stores each pin unless its id or its symbol is pinned already, all in one commit, and returns what is then
// stored for any of the ids and symbols.
func (p *Pins) PinAssets(ctx context.Context, chain ledger.ChainID, pins ...AssetPin) (kept []AssetPin, err error) {
	var ids []ledger.AssetID
	var symbols []string
	byID := func(a, b AssetPin) int { return cmp.Compare(a.ID, b.ID) }
	pins = slices.SortedFunc(slices.Values(pins), byID)
	for _, p := range pins {
		ids, symbols = append(ids, p.ID), append(symbols, p.Symbol)
	}
	err = change(ctx, p.engine, func(tx Tx) error {
		for _, p := range pins {
			if _, err := tx.Exec(`INSERT INTO asset_pins (chain, asset, symbol, precision_digits, source, seen_at) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`,
				chain.String(), int64(p.ID), p.Symbol, int64(p.Precision), p.Source, p.Since.Unix()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.AssetPins(ctx, chain, ids, symbols)
}

// ForgetAsset removes what is stored about an asset; it reports false if there was nothing.
func (p *Pins) ForgetAsset(ctx context.Context, chain ledger.ChainID, id ledger.AssetID) (bool, error) {
	return p.forget(ctx, chain, int64(id), `DELETE FROM asset_pins WHERE chain = ? AND asset = ?`)
}

func (p *Pins) forget(ctx context.Context, chain ledger.ChainID, id any, statements ...string) (found bool, err error) {
	if p.engine.Reader() == nil {
		return false, nil
	}
	err = change(ctx, p.engine, func(tx Tx) error {
		for _, statement := range statements {
			gone, err := changedRow(tx.Exec(statement, chain.String(), id))
			if err != nil {
				return err
			}
			found = found || gone
		}
		return nil
	})
	return found, err
}

// pinQuery reads one kind of pin.
type pinQuery[T any] struct {
	columns, table, id, text string
	scan                     func(*sql.Rows) (T, error)
}

var accountPins = pinQuery[AccountPin]{`account, name, source, seen_at`, `account_pins`, `account`, `name`, scanAccount}

func scanAccount(rows *sql.Rows) (p AccountPin, err error) {
	var id, at int64
	err = rows.Scan(&id, &p.Name, &p.Source, &at)
	p.ID, p.Since = ledger.AccountID(id), time.Unix(at, 0)
	return p, err
}

var assetPins = pinQuery[AssetPin]{`asset, symbol, precision_digits, source, seen_at`, `asset_pins`, `asset`, `symbol`, scanAsset}

func scanAsset(rows *sql.Rows) (p AssetPin, err error) {
	var id, at int64
	err = rows.Scan(&id, &p.Symbol, &p.Precision, &p.Source, &at)
	p.ID, p.Since = ledger.AssetID(id), time.Unix(at, 0)
	return p, err
}

// readPins reads the pins that match any of ids or texts.
func readPins[T any, ID ~uint64](
	ctx context.Context, p *Pins, db *sql.DB, chain ledger.ChainID, q pinQuery[T], ids []ID, texts []string,
) ([]T, error) {
	var found []T
	read := func(column string, values []any) error {
		for len(values) > 0 {
			n := min(len(values), maxPerQuery)
			part, err := q.match(ctx, db, chain, column, values[:n])
			if err != nil {
				return p.engine.Explain(err)
			}
			found, values = append(found, part...), values[n:]
		}
		return nil
	}
	numbers := make([]any, len(ids))
	for i, id := range ids {
		numbers[i] = int64(id)
	}
	words := make([]any, len(texts))
	for i, text := range texts {
		words[i] = text
	}
	if err := read(q.id, numbers); err != nil {
		return nil, err
	}
	return found, read(q.text, words)
}

func (q pinQuery[T]) match(ctx context.Context, db *sql.DB, chain ledger.ChainID, column string, values []any) ([]T, error) {
	marks := strings.Repeat(", ?", len(values))[2:]
	return q.read(ctx, db, `chain = ? AND `+column+` IN (`+marks+`)`, append([]any{chain.String()}, values...)...)
}

func (q pinQuery[T]) read(ctx context.Context, db *sql.DB, which string, values ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, `SELECT `+q.columns+` FROM `+q.table+` WHERE `+which, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		row, err := q.scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

// ContentAuthor is the first statement about the author of a content object, who never changes on the ledger.
type ContentAuthor struct {
	Content ledger.ObjectID
	Author  ledger.AccountID
	Source  string    // who stated it
	Since   time.Time // when; whole seconds
}

// PinContentAuthor stores a unless the content has an author already, and returns what is stored.
func (p *Pins) PinContentAuthor(ctx context.Context, chain ledger.ChainID, a ContentAuthor) (kept ContentAuthor, err error) {
	kept.Content = a.Content
	var author, at int64
	err = change(ctx, p.engine, func(tx Tx) error {
		if _, err := tx.Exec(`INSERT INTO content_authors (chain, content, author, source, seen_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			chain.String(), a.Content.String(), int64(a.Author), a.Source, a.Since.Unix()); err != nil {
			return err
		}
		return tx.QueryRow(`SELECT author, source, seen_at FROM content_authors WHERE chain = ? AND content = ?`,
			chain.String(), a.Content.String()).Scan(&author, &kept.Source, &at)
	})
	kept.Author, kept.Since = ledger.AccountID(author), time.Unix(at, 0)
	return kept, err
}

// ForgetContent removes the author of a content object; it reports false if there was none.
func (p *Pins) ForgetContent(ctx context.Context, chain ledger.ChainID, content ledger.ObjectID) (bool, error) {
	return p.forget(ctx, chain, content.String(), `DELETE FROM content_authors WHERE chain = ? AND content = ?`)
}
