package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"billfold/internal/ramdisk"

	"pgregory.net/rapid"
)

// fullDisk lets nothing be written.
type fullDisk struct{ osDisk }

func (fullDisk) WriteNew(name string, _ []byte) error {
	return &os.PathError{Op: "write", Path: name, Err: syscall.ENOSPC}
}

// waits returns the seconds that are left after a wrong password.
func waits(t testing.TB, s *Store) int {
	t.Helper()
	want(t, s.Unlock("wrong"), ErrWrongPassword)
	left := s.RetryIn()
	if left == 0 {
		return 0
	}
	for _, guess := range []string{password, "wrong", ""} {
		err := s.Unlock(guess)
		if guess == "" {
			want(t, err, ErrEmptyPassword)
			continue
		}
		want(t, err, ErrTooMany)
		if e := new(Error); !errors.As(err, &e) || e.Wait != left {
			t.Fatalf("%v says %v and not %v", err, e.Wait, left)
		}
	}
	return int(left / time.Second)
}

func TestWrongPasswordsWaitLongerAndLonger(t *testing.T) {
	s := filled(t, cheap())
	s.Lock()
	synctest.Test(t, func(t *testing.T) {
		for n, seconds := range []int{0, 0, 2, 4, 8, 16, 30, 30, 30} {
			if got := waits(t, s); got != seconds {
				t.Fatalf("after wrong password %d it waits %d s, want %d", n+1, got, seconds)
			}
			if seconds > 0 {
				time.Sleep(time.Duration(seconds)*time.Second - time.Millisecond)
				want(t, s.CheckPassword(password), ErrTooMany)
				time.Sleep(time.Millisecond)
			}
		}
		must(t, s.Unlock(password))
		if _, err := os.Lstat(triesName(s.Path())); !os.IsNotExist(err) {
			t.Fatal("the count was left behind")
		}
		if got := waits(t, s); got != 0 {
			t.Fatal("a right password did not end the waiting")
		}
	})
}

func TestEveryWayToTryAPasswordCounts(t *testing.T) {
	for name, guess := range map[string]func(*Store) error{
		"unlock":   func(s *Store) error { return s.Unlock("wrong") },
		"check":    func(s *Store) error { return s.CheckPassword("wrong") },
		"change":   func(s *Store) error { return s.ChangePassword("wrong", "new") },
		"reopened": func(s *Store) error { again, _ := OpenWith(s.Path(), cheap()); return again.Unlock("wrong") },
	} {
		t.Run(name, func(t *testing.T) {
			s := filled(t, cheap())
			for range 3 {
				want(t, guess(s), ErrWrongPassword)
			}
			want(t, guess(s), ErrTooMany)
			want(t, s.Unlock(password), ErrTooMany)
		})
	}
}

func TestARestartGivesNoTryForFree(t *testing.T) {
	s := filled(t, cheap())
	synctest.Test(t, func(t *testing.T) {
		tried := 0
		for began := time.Now(); time.Since(began) < 5*time.Minute; time.Sleep(500 * time.Millisecond) {
			again, err := OpenWith(s.Path(), cheap())
			must(t, err)
			if !errors.Is(again.Unlock("wrong"), ErrTooMany) {
				tried++
			}
		}
		if limit := 6 + 9; tried > limit {
			t.Fatalf("%d tries in five minutes of restarts, %d without", tried, limit)
		}
	})
}

// Many programs that guess at once share the tries of one.
func TestProgramsThatGuessAtOnceShareTheTries(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	var allowed atomic.Int32
	var all sync.WaitGroup
	for range 24 {
		own := newTries(osDisk{}, path) // what another process has
		all.Go(func() {
			if own.countWrong() == nil {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if got := allowed.Load(); got != freeWrong+1 {
		t.Fatalf("%d of 24 were let through, want %d", got, freeWrong+1)
	}
}

// A try that cannot be counted, since other programs count theirs for too long, is none.
func TestATryThatCannotBeCountedIsRefused(t *testing.T) {
	t.Parallel() // the lock is waited for
	path := filepath.Join(ramdisk.Folder(t), "keys")
	release, err := osDisk{}.Lock(newTries(osDisk{}, path).name + ".lock")
	must(t, err)
	want(t, newTries(osDisk{}, path).countWrong(), ErrTooMany)
	release()
	must(t, newTries(osDisk{}, path).countWrong())
}

func TestEndingTheProgramInATryDoesNotUndoIt(t *testing.T) {
	s := filled(t, cheap())
	for range 3 { // each time the program ends between begin and the answer
		must(t, newTries(osDisk{}, s.Path()).countWrong())
	}
	want(t, newTries(osDisk{}, s.Path()).countWrong(), ErrTooMany)
}

func TestCountThatCannotBeWrittenStillHolds(t *testing.T) {
	s := filled(t, cheap())
	opts := cheap()
	opts.disk = fullDisk{}
	again, err := OpenWith(s.Path(), opts)
	must(t, err)
	for range 3 {
		want(t, again.Unlock("wrong"), ErrWrongPassword)
	}
	want(t, again.Unlock(password), ErrTooMany)
}

// Whatever stands in the file, and whatever the clock was set to, nobody waits
// longer than the longest wait.
func TestCountsOnDiskNeverShutTheOwnerOut(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
			return rapid.StringMatching(`-?[0-9]{1,22} -?[0-9]{1,22}\n?`).Draw(t, "counts")
		})).Draw(t, "file")
		if err := os.WriteFile(triesName(path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if left := newTries(osDisk{}, path).waitTime(); left < 0 || left > longestWait {
			t.Fatal("it waits", left)
		}
	})
	for wrong := -5; wrong < 200; wrong++ {
		if wait := waitAfter(wrong); wait < 0 || wait > longestWait || wait < waitAfter(wrong-1) {
			t.Fatal("after", wrong, "it waits", wait)
		}
	}
}

// A try counts, and makes the next one wait, from the moment that it starts: one that never ends, because its program does, is no free one.
func TestATryThatNeverEndsCounts(t *testing.T) {
	dir := ramdisk.Folder(t)
	for name, again := range map[string]bool{"the same program": false, "another program": true} {
		path := filepath.Join(dir, name)
		now := newTries(osDisk{}, path)
		for n := range freeWrong + 1 {
			if err := now.countWrong(); err != nil {
				t.Fatalf("%s: try %d: %v", name, n+1, err)
			}
			if again {
				now = newTries(osDisk{}, path)
			}
		}
		if err := now.countWrong(); !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: one more: %v", name, err)
		}
		if n, wait := now.count(), now.waitTime(); n != freeWrong+1 || wait <= 0 || wait > waitAfter(n) {
			t.Errorf("%s: %d tries count, and the next waits %v", name, n, wait)
		}
		if now.reset(); now.count() != 0 || now.waitTime() != 0 || now.countWrong() != nil {
			t.Errorf("%s: after a right password it still waits", name)
		}
	}
}
