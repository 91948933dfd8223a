package sqlite

import (
	"database/sql"

	"billfold/walletcore/database"
)

// Tables opens the tables of the store at path, for those who copy all of it: nobody else may have it open. A transaction of it
// locks out every other.
func Tables(path string) (*sql.DB, error) { return database.Open(path, database.Durable) }
