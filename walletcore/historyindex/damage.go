package historyindex

import (
	"errors"

	"billfold/walletcore/database"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errVersion means that the file's tables are not those of this program.
var errVersion = errors.New("the history index is of another version")

// damaged reports whether err means that the file itself is broken.
func damaged(err error) bool { return database.Damaged(err) }

// unusable reports whether err, from opening a file, means that it is broken or has other tables.
func unusable(err error) bool {
	var e *sqlite.Error
	return damaged(err) || errors.Is(err, errVersion) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_ERROR
}
