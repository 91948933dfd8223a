package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/walletcore/database"
)

// smallFiles lets this program write no file longer than so many bytes until the function that it returns is called, as on a disk that fills up.
func smallFiles(t *testing.T, bytes uint64) (end func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var usual syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: usual.Max}))
	return func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual)) }
}

// Wherever the disk fills up, in the archive or in the store, nothing is lost, no file is left, and archiving ends once there is room.
func TestArchivingOnADiskThatFillsUp(t *testing.T) {
	if !runsAlone(t) {
		return
	}
	model := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 4)
	failed := 0
	for limit := uint64(2 << 10); limit < 200<<10; limit += 11 << 10 {
		folder := filepath.Join(ramdisk.Folder(t), "copy")
		must(t, os.CopyFS(folder, os.DirFS(filepath.Dir(model.path))))
		u := &usedStore{t, filepath.Join(folder, Name), model.payments, model.records}
		end := smallFiles(t, limit)
		_, err := u.archive(day(4))
		end()
		if err != nil {
			failed++
		}
		when := fmt.Sprintf("with files of %d bytes, which is told as %v", limit, err)
		u.isAsBefore(when)
		_, err = u.archive(day(4))
		must(t, err)
		if whole, records := u.counted(); whole > 15 || records != 1 {
			t.Fatalf("%s, %d payments and %d records stay", when, whole, records)
		}
		u.isAsBefore(when + ", again")
		if left, _ := filepath.Glob(filepath.Join(folder, archiveWork+"*")); len(left) > 0 {
			t.Fatalf("%s, %v are left", when, left)
		}
	}
	if failed < 5 {
		t.Errorf("only %d fail", failed)
	}
}

// A small disk that has no room for the archive is told as that before anything is written.
func TestArchivingNeedsRoom(t *testing.T) {
	folder := ramdisk.Folder(t)
	if err := syscall.Mount("small", folder, "tmpfs", 0, "size=8m,mode=700"); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 20)
	must(t, os.CopyFS(folder, os.DirFS(filepath.Dir(u.path))))
	u.path = filepath.Join(folder, Name)
	films := filepath.Join(folder, "films")
	must(t, os.WriteFile(films, make([]byte, 11<<19), 0o600))
	_, err := u.archive(day(20))
	if err == nil || !strings.Contains(err.Error(), "nothing was archived: free some space, or name an earlier day") {
		t.Errorf("it ends with %v", err)
	}
	for size := 0; ; size += 16 << 10 { // until the disk is full
		file, err := os.OpenFile(films, os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = file.Write(make([]byte, 16<<10))
		if err = errors.Join(err, file.Close()); err != nil {
			break
		}
	}
	if _, err = u.archive(day(20)); err == nil {
		t.Error("a full disk is not told")
	} else if _, full := errors.AsType[*database.FullError](err); !full && !strings.Contains(err.Error(), "free some space") {
		t.Errorf("a full disk is told as %v", err)
	}
	must(t, os.Remove(films))
	u.isAsBefore("on a full disk")
	made, err := u.archive(day(20))
	must(t, err)
	if made.Payments == 0 {
		t.Error("nothing is archived once there is room")
	}
	u.isAsBefore("once there is room")
}

// What belongs to another user is not archived, since that one could not read the archive.
func TestOnlyTheOwnerArchives(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away; run the suite as root")
	}
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 1)
	must(t, os.Chown(u.path, 65534, 65534))
	if _, err := u.archive(day(1)); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("it ends with %v", err)
	}
}
