package database

import (
	"database/sql"

	"modernc.org/sqlite"
)

// Version changes whenever somebody commits something to the file, this connection included: while it is as it was
// after the connection's own commit, nobody else wrote. It is asked for in a transaction, or right after one.
func Version(conn *sql.Conn) (version uint32, err error) {
	err = conn.Raw(func(own any) (err error) {
		version, err = own.(sqlite.FileControl).FileControlDataVersion("main")
		return err
	})
	return version, err
}
