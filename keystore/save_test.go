//go:build unix

package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// faulty is the real disk with one step that goes wrong. A write that goes
// wrong leaves half of its data.
type faulty struct {
	osDisk
	step, failAt int
	failAlso     int  // a second step that fails; 0 = none
	done         bool // a rename that fails was done all the same
	dead         bool // every later step fails as well, as if the process had been killed
	unsynced     bool // a rename that failed was done, and the folder not synced since
	noLinks      bool
	fault        error
}

func (v *faulty) next() error {
	v.step++
	if v.step == v.failAt || v.step == v.failAlso || (v.dead && v.failAt > 0 && v.step > v.failAt) {
		return v.fault
	}
	return nil
}

func (v *faulty) Open(name string) (io.ReadCloser, error) {
	if err := v.next(); err != nil {
		return nil, err
	}
	return v.osDisk.Open(name)
}

func (v *faulty) WriteNew(name string, data []byte) error {
	if err := v.next(); err != nil {
		if v.step == v.failAt {
			_ = v.osDisk.WriteNew(name, data[:len(data)/2])
		}
		return err
	}
	return v.osDisk.WriteNew(name, data)
}

func (v *faulty) Rename(from, to string) error {
	if err := v.next(); err != nil {
		if v.done {
			_ = v.osDisk.Rename(from, to)
			v.unsynced = filepath.Ext(to) == "" // the key file itself
		}
		return err
	}
	return v.osDisk.Rename(from, to)
}

func (v *faulty) Link(from, to string) error {
	if err := v.next(); err != nil || v.noLinks {
		return errors.Join(err, errors.ErrUnsupported)
	}
	return v.osDisk.Link(from, to)
}

func (v *faulty) Remove(name string) error {
	if err := v.next(); err != nil {
		return err
	}
	return v.osDisk.Remove(name)
}

func (v *faulty) MakeFolder(name string) error {
	if err := v.next(); err != nil {
		return err
	}
	return v.osDisk.MakeFolder(name)
}

func (v *faulty) SyncFolder(name string) error {
	if err := v.next(); err != nil {
		return err
	}
	v.unsynced = false
	return v.osDisk.SyncFolder(name)
}

// TestAFaultAtEveryStep lets each step of a save fail, alone or with all that
// follow, with and without hard links: afterwards the path holds the old
// contents or the new ones, and a failed save left file and memory as they were.
func TestAFaultAtEveryStep(t *testing.T) {
	for _, dead := range []bool{false, true} {
		for _, noLinks := range []bool{false, true} {
			t.Run(fmt.Sprintf("dead=%v,noLinks=%v", dead, noLinks), func(t *testing.T) {
				t.Parallel() // it waits for the disk
				base := filled(t, cheap())
				for n := range 6 { // so that old versions are pushed along
					must(t, base.Update(func(c *Contents) error { c.AddAccount(ledger.AccountID(40+n), "dora"); return nil }))
				}
				for step := 1; faultAt(t, base.Path(), &faulty{failAt: step, dead: dead, noLinks: noLinks, fault: syscall.ENOSPC}); step++ {
				}
			})
		}
	}
}

// Two faults in one save, the second while the first is being put right: an error that does not leave open which contents the
// file has means that it has the old ones, for ever.
func TestTwoFaultsInASaveTellTheTruth(t *testing.T) {
	t.Parallel()
	base := filled(t, cheap())
	for first := 1; ; first++ {
		for second := first + 1; ; second++ {
			dir := ramdisk.Folder(t)
			must(t, os.CopyFS(filepath.Join(dir, "w"), os.DirFS(filepath.Dir(base.Path()))))
			s := reopened(t, filepath.Join(dir, "w", filepath.Base(base.Path())), password)
			before := mustRead(t, s.Path())
			v := &faulty{failAt: first, failAlso: second, done: true, fault: syscall.EIO}
			s.disk = v
			err := s.Update(func(c *Contents) error { return c.AddKey(7, testKey(99)) })
			open := err != nil && strings.Contains(err.Error(), "the old or the new contents")
			now := mustRead(t, s.Path())
			switch same := bytes.Equal(now, before); {
			case err == nil && same:
				t.Errorf("faults at %d and %d: told as saved, and it is not", first, second)
			case err != nil && !open && !same:
				t.Errorf("faults at %d and %d: told as not saved, and it is: %v", first, second, err)
			case err != nil && !open && v.step > second && v.unsynced:
				t.Errorf("faults at %d and %d: told as not saved, and the folder was never synced: %v", first, second, err)
			}
			if v.step < first {
				return
			}
			if v.step < second {
				break
			}
		}
	}
}

// faultAt saves in a copy of base's folder and answers false when the save has
// no step at which the fault was to be.
func faultAt(t *testing.T, base string, v *faulty) bool {
	dir, step := ramdisk.Folder(t), v.failAt
	must(t, os.CopyFS(filepath.Join(dir, "w"), os.DirFS(filepath.Dir(base))))
	s := reopened(t, filepath.Join(dir, "w", filepath.Base(base)), password)
	s.disk = v
	before, file := dump(t, s), mustRead(t, s.Path())
	err := s.Update(func(c *Contents) error { return c.AddKey(7, testKey(99)) })
	if err != nil {
		want(t, err, v.fault)
	}
	reached := v.step >= step
	v.failAt = 0
	now := dump(t, reopened(t, s.Path(), password))
	switch {
	case err == nil && now != dump(t, s):
		t.Fatalf("step %d: saved, but not on the disk", step)
	case err == nil && now == before:
		t.Fatalf("step %d: said to be saved and was not", step)
	case err != nil && dump(t, s) != before:
		t.Fatalf("step %d: a failed save changed the keys in memory", step)
	case err != nil && !v.dead && !bytes.Equal(mustRead(t, s.Path()), file):
		t.Fatalf("step %d: a failed save changed the file: %v", step, err)
	}
	checkVersions(t, step, s.Path())
	if err == nil || now == before { // else memory is behind the disk, as after a crash
		must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(100)) }))
	}
	return reached
}

// checkVersions wants whole versions; while they are moved along one may be missing.
func checkVersions(t *testing.T, step int, path string) {
	t.Helper()
	missing := 0
	for n := 1; n <= versionsKept; n++ {
		raw, err := os.ReadFile(versionName(path, n))
		if os.IsNotExist(err) {
			missing++
			continue
		}
		old, err := parseFile(raw)
		if err != nil || unlocks(old) != nil {
			t.Fatalf("step %d: version %d is not whole: %v", step, n, err)
		}
	}
	if missing > 1 {
		t.Fatalf("step %d: %d versions were lost", step, missing)
	}
}

func unlocks(m *fileVersion) error {
	key, err := m.unwrap(password)
	clear(key)
	return err
}

func TestAFaultDuringCreateLeavesNothing(t *testing.T) {
	for step := 1; ; step++ {
		v := &faulty{fault: syscall.EIO, failAt: step}
		opts := cheap()
		opts.disk = v
		path := filepath.Join(ramdisk.Folder(t), "keys")
		_, err := Create(path, password, Public{}, nil, opts)
		if v.step < step {
			must(t, err)
			return
		}
		if err == nil {
			continue // the step was one whose failure does no harm
		}
		if _, gone := os.Lstat(path); !os.IsNotExist(gone) {
			t.Fatalf("step %d: %v, but there is a file", step, err)
		}
		_, err = Create(path, password, Public{}, nil, cheap())
		must(t, err)
	}
}

func TestDiskFaultsHaveNames(t *testing.T) {
	for fault, kind := range map[error]error{
		syscall.ENOSPC: ErrDiskFull, syscall.EDQUOT: ErrDiskFull, syscall.EROFS: ErrReadOnly,
		syscall.EBUSY: ErrReadOnly, syscall.EACCES: ErrReadOnly, syscall.EPERM: ErrReadOnly, syscall.EIO: ErrFile,
	} {
		opts := cheap()
		const write = 15 // the step at which Create writes the new file
		opts.disk = &faulty{fault: &os.PathError{Op: "write", Path: "p", Err: fault}, failAt: write}
		_, err := Create(filepath.Join(ramdisk.Folder(t), "keys"), password, Public{}, nil, opts)
		want(t, err, kind)
		if hint := "a mount point of its own"; strings.Contains(fmt.Sprint(err), hint) != errors.Is(fault, syscall.EBUSY) {
			t.Errorf("%v: %v", fault, err)
		}
	}
}

func TestLeftoversOfACrashDoNoHarm(t *testing.T) {
	s := filled(t, cheap())
	must(t, os.WriteFile(tempName(s.Path()), []byte("half a fi"), 0o600))
	must(t, os.WriteFile(lockName(s.Path()), nil, 0o600))
	must(t, os.WriteFile(versionName(s.Path(), 1)+".tmp", []byte("half"), 0o600))
	again := reopened(t, s.Path(), password)
	must(t, again.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	if _, err := os.Lstat(tempName(s.Path())); !os.IsNotExist(err) {
		t.Fatal("the temporary file is still there")
	}
}

func TestLastFiveVersionsAreKept(t *testing.T) {
	s := filled(t, cheap())
	var files [][]byte
	for n := range 8 {
		files = append([][]byte{mustRead(t, s.Path())}, files...)
		must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(10+n)) }))
	}
	for n := 1; n <= versionsKept; n++ {
		if !bytes.Equal(mustRead(t, versionName(s.Path(), n)), files[n-1]) {
			t.Errorf("version %d is not the one saved %d times before", n, n)
		}
		reopened(t, versionName(s.Path(), n), password)
	}
	if _, err := os.Lstat(versionName(s.Path(), 6)); !os.IsNotExist(err) {
		t.Error("a sixth version was kept")
	}
}

func TestAnotherProgramsWorkIsNotOverwritten(t *testing.T) {
	s := filled(t, cheap())
	other := reopened(t, s.Path(), password)
	must(t, other.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	add := func(c *Contents) error { return c.AddKey(7, testKey(8)) }
	want(t, s.Update(add), ErrChanged)
	want(t, s.SetPassword("second"), ErrChanged)
	s.Lock()
	must(t, s.Unlock(password))
	must(t, s.Update(add))
	if len(reopened(t, s.Path(), password).PublicKeys()) != 4 {
		t.Fatal("a key was lost")
	}
	must(t, os.Remove(s.Path()))
	want(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(7)) }), ErrNotFound)
}

func TestOnlyPlainFilesOfThisUser(t *testing.T) {
	s := filled(t, cheap())
	dir := ramdisk.Folder(t)
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	must(t, os.Symlink(s.Path(), link))
	must(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{link, pipe, dir} {
		_, err := Open(path)
		want(t, err, ErrUnsafe)
	}
	file := mustRead(t, s.Path())
	must(t, os.Rename(s.Path(), s.Path()+".moved"))
	must(t, os.Symlink(s.Path()+".moved", s.Path()))
	want(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }), ErrUnsafe)
	if !bytes.Equal(mustRead(t, s.Path()+".moved"), file) {
		t.Fatal("the file behind the link was changed")
	}
}

func TestFileOfAnotherUser(t *testing.T) {
	s := filled(t, cheap())
	if err := os.Chown(s.Path(), 65534, -1); err != nil {
		t.Skip("only root can give a file away:", err)
	}
	_, err := Open(s.Path())
	want(t, err, ErrUnsafe)
	want(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }), ErrUnsafe)
}

func TestAnotherProcessThatSavesIsWaitedFor(t *testing.T) {
	s := filled(t, cheap())
	release, err := osDisk{}.Lock(lockName(s.Path()))
	must(t, err)
	done := make(chan error)
	go func() { done <- s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }) }()
	select {
	case err := <-done:
		t.Fatal("saved while another held the lock:", err)
	case <-time.After(50 * time.Millisecond):
	}
	release()
	must(t, <-done)
}

// A key file that is gone although earlier versions are there is not "no wallet".
func TestMissingFileWithVersionsIsNotANewWallet(t *testing.T) {
	s := filled(t, cheap())
	must(t, s.Update(func(c *Contents) error { return c.AddKey(7, testKey(9)) }))
	file := mustRead(t, s.Path())
	must(t, os.Remove(s.Path()))
	_, err := Open(s.Path())
	want(t, err, ErrMissing)
	_, err = Create(s.Path(), password, Public{}, nil, cheap())
	want(t, err, ErrMissing)
	must(t, os.WriteFile(tempName(s.Path()), file, 0o600)) // as a torn rename leaves it
	if again := reopened(t, s.Path(), password); len(again.PublicKeys()) != 3 || !bytes.Equal(mustRead(t, s.Path()), file) {
		t.Fatal("the save was not completed")
	}
}

// A Create that never answered leaves nothing that anybody waits for.
func TestLeftoverOfACreateIsNoWallet(t *testing.T) {
	s := filled(t, cheap())
	must(t, os.Rename(s.Path(), tempName(s.Path())))
	_, err := Open(s.Path())
	want(t, err, ErrNotFound)
	_, err = Create(s.Path(), "another", Public{}, nil, cheap())
	must(t, err)
}
