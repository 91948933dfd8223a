package historyindex

import (
	"context"
	"database/sql"
	"errors"

	"billfold/ledger"
)

// Asset is what is needed to show an amount.
type Asset struct {
	Symbol    string
	Precision uint8
}

// Names are those that rows speak of. Only names that final rows speak of may be
// kept: they never change, while an id of a block that is forked away is given
// again.
type Names struct {
	Accounts map[ledger.AccountID]string
	Assets   map[ledger.AssetID]Asset
}

// PutNames keeps names.
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

// Names finds those of ids that are kept.
func (x *Index) Names(ctx context.Context, accounts []ledger.AccountID, assets []ledger.AssetID) (Names, error) {
	out := Names{map[ledger.AccountID]string{}, map[ledger.AssetID]Asset{}}
	err := x.reading(ctx, func(tx *sql.Tx) error {
		for _, id := range accounts {
			var name string
			if err := find(tx.QueryRow(`SELECT name FROM account_names WHERE id = ?`, uint64(id)), &name); err != nil {
				return err
			}
			if name != "" {
				out.Accounts[id] = name
			}
		}
		for _, id := range assets {
			var a Asset
			if err := find(tx.QueryRow(`SELECT symbol, places FROM asset_names WHERE id = ?`, uint64(id)), &a.Symbol,
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

// ForgetName removes the account or asset of that name, symbol or id; false when
// there is none. It comes back with the next rows that speak of it.
func (x *Index) ForgetName(ctx context.Context, word string) (found bool, err error) {
	account, asset := int64(-1), int64(-1)
	if id, err := ledger.ParseAccountID(word); err == nil {
		account = int64(id)
	}
	if id, err := ledger.ParseAssetID(word); err == nil {
		asset = int64(id)
	}
	err = x.change(ctx, func(tx *sql.Tx) error {
		accounts, err := removed(tx.ExecContext(ctx, `DELETE FROM account_names WHERE name = ? OR id = ?`, word, account))
		if err != nil {
			return err
		}
		assets, err := removed(tx.ExecContext(ctx, `DELETE FROM asset_names WHERE symbol = ? OR id = ?`, word, asset))
		found = accounts+assets > 0
		return err
	})
	return found, err
}

// removed is how many rows a statement changed.
func removed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// AccountsCalled finds those of exactly that kept name.
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

// AccountsNamed finds kept names by a pattern, in which % stands for any text and
// _ for any letter but for those behind a \; at most limit of them.
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

// Assets are all that are kept.
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

// Unkept are the other sides and the assets of an account's provisional rows,
// whose names are not kept.
func (x *Index) Unkept(ctx context.Context, account ledger.AccountID) (accounts []ledger.AccountID, assets []ledger.AssetID, err error) {
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

// find reads a row that may be missing.
func find(row *sql.Row, into ...any) error {
	if err := row.Scan(into...); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return nil
}
