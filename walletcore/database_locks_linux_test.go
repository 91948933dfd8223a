package walletcore_test

import (
	"os"
	"path/filepath"
	"testing"

	"billfold/walletcore/database"

	"golang.org/x/sys/unix"
)

// The bytes that SQLite locks (shared) in a database that is in use.
const (
	sharedFirst = 0x40000002
	sharedSize  = 510
)

// Opening a database a second time in this process keeps the locks of the first: without them another program
// would remove the log when it ends.
func TestSecondOpenKeepsTheLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	one, err := database.Open(path, database.Durable, `CREATE TABLE a (b)`)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := database.Open(path, database.Durable)
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: sharedFirst, Len: sharedSize}
	if err := unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
		t.Fatal(err)
	}
	if lock.Type != unix.F_RDLCK {
		t.Errorf("the lock that is there is of type %d, not %d", lock.Type, unix.F_RDLCK)
	}
}
