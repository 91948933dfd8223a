package historyindex

import (
	"context"
	"database/sql"
	"errors"

	"billfold/ledger"
)

// Asset holds what is needed to format an amount.
type Asset struct {
	Symbol    string
	Precision uint8
}

// Names holds the names of accounts and assets in rows. Only those in final rows may
// be stored: they never change, while an id assigned in a block that a fork drops may
// be assigned again.
type Names struct {
	Accounts map[ledger.AccountID]string
	Assets   map[ledger.AssetID]Asset
}

// PutNames stores names; it replaces those of the same ids.
func (x *Index) PutNames(ctx context.Context, n Names) error {
	if len(n.Accounts) == 0 && len(n.Assets) == 0 {
		return nil
	}
	return x.change(ctx, func(tx *sql.Tx) error {
		for id, name := range n.Accounts {
			if err := replace(tx, `DELETE FROM account_names WHERE id = ?`, uint64(id),
				`INSERT INTO account_names (id, name) VALUES (?, ?)`, name); err != nil {
				return err
			}
		}
		for id, a := range n.Assets {
			if err := replace(tx, `DELETE FROM asset_names WHERE id = ?`, uint64(id),
				`INSERT INTO asset_names (id, symbol, places) VALUES (?, ?, ?)`, a.Symbol, a.Precision); err != nil {
				return err
			}
		}
		return nil
	})
}

func replace(tx *sql.Tx, remove string, id uint64, add string, values ...any) error {
	if _, err := tx.Exec(remove, id); err != nil {
		return err
	}
	_, err := tx.Exec(add, append([]any{id}, values...)...)
	return err
}

// Names returns the stored names of the ids; ids without one are missing.
func (x *Index) Names(ctx context.Context, accounts []ledger.AccountID, assets []ledger.AssetID) (Names, error) {
	out := Names{map[ledger.AccountID]string{}, map[ledger.AssetID]Asset{}}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		for _, id := range accounts {
			var name string
			if err := scanOptional(tx.QueryRow(`SELECT name FROM account_names WHERE id = ?`, uint64(id)), &name); err != nil {
				return err
			}
			if name != "" {
				out.Accounts[id] = name
			}
		}
		for _, id := range assets {
			var a Asset
			if err := scanOptional(tx.QueryRow(`SELECT symbol, places FROM asset_names WHERE id = ?`, uint64(id)), &a.Symbol,
				&a.Precision); err != nil {
				return err
			}
			if a.Symbol != "" {
				out.Assets[id] = a
			}
		}
		return nil
	})
	return out, err
}

// ForgetName removes the account or asset with that name, symbol or id, and reports
// whether there was one. It is stored again with the next rows that mention it.
func (x *Index) ForgetName(ctx context.Context, word string) (found bool, err error) {
	account, asset := int64(-1), int64(-1)
	if id, err := ledger.ParseAccountID(word); err == nil {
		account = int64(id)
	}
	if id, err := ledger.ParseAssetID(word); err == nil {
		asset = int64(id)
	}
	err = x.remove(ctx, func(tx *sql.Tx) error {
		accounts, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM account_names WHERE name = ? OR id = ?`, word, account))
		if err != nil {
			return err
		}
		assets, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM asset_names WHERE symbol = ? OR id = ?`, word, asset))
		found = accounts+assets > 0
		return err
	})
	return found, err
}

// rowsAffected returns how many rows a statement changed.
func rowsAffected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// AccountsCalled returns the accounts whose stored name is exactly name.
func (x *Index) AccountsCalled(ctx context.Context, name string) (ids []ledger.AccountID, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		ids = nil
		found, err := tx.Query(`SELECT id FROM account_names WHERE name = ? ORDER BY id`, name)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var id ledger.AccountID
			if err := found.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return found.Err()
	})
	return ids, err
}

// AccountsNamed returns the accounts whose stored names match a pattern, at most limit
// of them. In the pattern % stands for any text and _ for any letter; \ escapes them.
func (x *Index) AccountsNamed(ctx context.Context, pattern string, limit int) (map[ledger.AccountID]string, error) {
	out := map[ledger.AccountID]string{}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		found, err := tx.Query(`SELECT id, name FROM account_names WHERE name LIKE ? ESCAPE '\' ORDER BY id LIMIT ?`, pattern, limit)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var id ledger.AccountID
			var name string
			if err := found.Scan(&id, &name); err != nil {
				return err
			}
			out[id] = name
		}
		return found.Err()
	})
	return out, err
}

// Assets returns all stored assets.
func (x *Index) Assets(ctx context.Context) (map[ledger.AssetID]Asset, error) {
	out := map[ledger.AssetID]Asset{}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		found, err := tx.Query(`SELECT id, symbol, places FROM asset_names`)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var id ledger.AssetID
			var a Asset
			if err := found.Scan(&id, &a.Symbol, &a.Precision); err != nil {
				return err
			}
			out[id] = a
		}
		return found.Err()
	})
	return out, err
}

// ProvisionalIDs returns the other sides and the assets of an account's provisional
// rows. Their names are not stored.
func (x *Index) ProvisionalIDs(
	ctx context.Context, account ledger.AccountID,
) (accounts []ledger.AccountID, assets []ledger.AssetID, err error) {
	err = x.reading(ctx, func(tx *sql.Tx) error {
		found, err := tx.Query(
			`SELECT DISTINCT counterparty, asset FROM operations
				WHERE account = ? AND block > (SELECT final FROM standings s WHERE s.account = ?)`,
			uint64(account), uint64(account))
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			var with, asset int64
			if err := found.Scan(&with, &asset); err != nil {
				return err
			}
			if with != none {
				accounts = append(accounts, ledger.AccountID(with))
			}
			if asset != none {
				assets = append(assets, ledger.AssetID(asset))
			}
		}
		return found.Err()
	})
	return accounts, assets, err
}

// scanOptional scans a row that may be missing; if it is, into stays unchanged.
func scanOptional(row *sql.Row, into ...any) error {
	if err := row.Scan(into...); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return nil
}
