package historyindex

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// A disk that gets small stops the index before it stops the payment journal, and says so until there is room again. What was read
// stays, and may be forgotten.
func TestTheIndexLeavesRoomToTheJournal(t *testing.T) {
	const mib = 1 << 20
	var free, all uint64 = 500 * mib, 1000 * mib
	folder := ramdisk.Folder(t)
	x, err := Open(filepath.Join(folder, "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	x.room = func(of string) (uint64, uint64, bool) {
		if of != folder {
			t.Errorf("the disk of %s is looked at, and the index is in %s", of, folder)
		}
		return free, all, true
	}
	var chain ledger.ChainID
	chain[0] = 1
	put := func(name string) error {
		return x.PutNames(t.Context(), Names{Accounts: map[ledger.AccountID]string{100: name}})
	}
	for _, c := range []struct {
		free, all uint64
		grows     bool
	}{
		{0, 1000, false},
		{63, 1000, false},
		{64, 1000, true},
		{24, 100, false},
		{25, 100, true},
	} {
		free, all = c.free*mib, c.all*mib
		err := x.Bind(chain)
		if err == nil {
			err = put("alice")
		}
		if (err == nil) != c.grows || err != nil && !errors.Is(err, ErrNoRoom) {
			t.Errorf("with %d of %d MiB left: %v", c.free, c.all, err)
		}
		if said := x.Notice(); strings.Contains(said, "is kept") || (said == "") != c.grows || err != nil && said != err.Error() {
			t.Errorf("with %d of %d MiB left it says %q", c.free, c.all, said)
		}
	}
	free = 0
	if err := put("bobby"); !errors.Is(err, ErrNoRoom) {
		t.Errorf("without room: %v", err)
	}
	if ids, err := x.AccountsCalled(t.Context(), "alice"); err != nil || len(ids) != 1 {
		t.Errorf("what was read before is gone: %v, %v", ids, err)
	}
	if found, err := x.ForgetName(t.Context(), "alice"); err != nil || !found {
		t.Errorf("it is not forgotten: %v, %v", found, err)
	}
}
