package historyindex

import (
	"database/sql"

	"billfold/ledger"
)

// Part is an amount of an asset, smallest unit.
type Part struct {
	Asset  ledger.AssetID
	Amount int64
}

// alsoMoved is the table of the amounts that rows move besides operations.amount, in the same direction. Few rows have
// any, so a filter searches it only for accounts that have some.
const alsoMoved = `CREATE TABLE IF NOT EXISTS also_moved (
		account BIGINT NOT NULL,
		seq     BIGINT NOT NULL,
		part    BIGINT NOT NULL,
		asset   BIGINT NOT NULL,
		amount  BIGINT NOT NULL,
		PRIMARY KEY (account, seq, part)
	)`

func insertAlso(tx *sql.Tx, account ledger.AccountID, seq uint64, parts []Part) error {
	for i, part := range parts {
		if _, err := tx.Exec(`INSERT INTO also_moved (account, seq, part, asset, amount) VALUES (?, ?, ?, ?, ?)`,
			uint64(account), seq, i, uint64(part.Asset), part.Amount); err != nil {
			return err
		}
	}
	return nil
}

// hasAlsoMoved reports whether some rows of an account move more than one asset.
func hasAlsoMoved(tx *sql.Tx, account ledger.AccountID) (some bool, err error) {
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM also_moved WHERE account = ?)`, uint64(account)).Scan(&some)
	return some, err
}
