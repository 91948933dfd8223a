package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"billfold/walletcore/store"
)

// migrate brings db to the latest version of the schema, all or nothing. Several programs may do so at once.
func migrate(db *sql.DB, old takeover) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	have, err := schemaVersion(tx)
	steps := store.Migrations()
	switch {
	case err != nil:
		return err
	case have > len(steps):
		return fmt.Errorf("it was written by a newer version of this program (%d, this one knows %d); use that one", have, len(steps))
	case have == len(steps):
		return nil
	}
	for _, step := range steps[have:] {
		for _, statement := range step {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
	}
	if _, err := tx.Exec(`UPDATE `+store.VersionTable+` SET version = ?`, len(steps)); err != nil {
		return err
	}
	if have < takeoverVersion && !old.isPending() { // later versions have recorded it
		if err := old.record(tx, nil); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// takeoverVersion is the first schema version that records what was taken over.
const takeoverVersion = 6

// schemaVersion reads how many migrations were made; 0 for an empty database.
func schemaVersion(tx *sql.Tx) (have int, err error) {
	if _, err := tx.Exec(`CREATE TABLE IF NOT EXISTS ` + store.VersionTable + ` (version INTEGER NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.QueryRow(`SELECT version FROM ` + store.VersionTable).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = tx.Exec(`INSERT INTO ` + store.VersionTable + ` (version) VALUES (0)`)
	}
	return have, err
}
