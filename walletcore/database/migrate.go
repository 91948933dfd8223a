package database

import (
	"database/sql"
	"errors"
	"fmt"
)

// Migration is one step of a schema: statements that lead from the version
// before to its own. Its version is its place in the list, from 1 on; one that
// was released is never changed, another is added instead.
type Migration []string

// ErrNewer says that a file was written by a newer version of this program.
var ErrNewer = errors.New("it was written by a newer version of this program")

// Migrate brings db to the last of steps, all or nothing. Several programs may
// do so at once. Error: ErrNewer.
func Migrate(db *sql.DB, steps []Migration) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	have, err := schemaVersion(tx)
	switch {
	case err != nil:
		return err
	case have > len(steps):
		return fmt.Errorf("%w (%d, this one knows %d); use that one", ErrNewer, have, len(steps))
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
	if _, err := tx.Exec(`UPDATE schema_version SET version = ?`, len(steps)); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaVersion reads how many migrations were made, 0 for an empty database.
func schemaVersion(tx *sql.Tx) (have int, err error) {
	if _, err := tx.Exec(`CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`); err != nil {
		return 0, err
	}
	err = tx.QueryRow(`SELECT version FROM schema_version`).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = tx.Exec(`INSERT INTO schema_version (version) VALUES (0)`)
	}
	return have, err
}
