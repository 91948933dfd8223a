package sqlite

import (
	"database/sql"

	"billfold/walletcore/database"
)

// Tables opens the tables of the store at path in order to copy all of it: nobody else may have it open.
// A transaction on it locks out all others.
func Tables(path string) (*sql.DB, error) { return database.Open(path, database.Durable) }
