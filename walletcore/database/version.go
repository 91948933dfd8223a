package database

import (
	"database/sql"

	"modernc.org/sqlite"
)

// Version changes whenever anyone commits to the file, including this connection. As long as it is unchanged since the
// connection's own commit, nobody else has written. Call it in a transaction, or directly after one.
func Version(conn *sql.Conn) (version uint32, err error) {
	err = conn.Raw(func(own any) (err error) {
		version, err = own.(sqlite.FileControl).FileControlDataVersion("main")
		return err
	})
	return version, err
}
