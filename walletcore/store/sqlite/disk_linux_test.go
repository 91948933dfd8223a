package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/walletcore/store"
)

// runsAlone runs the test once more in a process of its own, and reports whether this is that process. go test writes a log of the
// first one, which a full disk would stop as well.
func runsAlone(t *testing.T) bool {
	t.Helper()
	const alone = "TEST_RUNS_ALONE"
	if os.Getenv(alone) != "" {
		return true
	}
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), alone+"=yes")
	if out, err := program.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
	return false
}

// fullDisk lets this program write to no file until the function it gives is called.
func fullDisk(t *testing.T) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var usual syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
		t.Fatal(err)
	}
	none := usual
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &none); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &usual); err != nil {
			t.Fatal(err)
		}
	}
}

// A commit in the middle of which the disk fails may be in the file when that is
// recovered: nobody is told that it is not before another one is in its place.
func TestACommitThatTheDiskBreaksOffIsLeftOpen(t *testing.T) {
	if !runsAlone(t) {
		return
	}
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	free := fullDisk(t)
	defer free()
	var left *store.PendingError
	if err := j.Add(t.Context(), entry(2)); !errors.As(err, &left) {
		free()
		t.Fatalf("it is told as %v", err)
	}
	outcome := make(chan error, 1)
	go func() { outcome <- left.Outcome() }()
	select {
	case err := <-outcome:
		t.Fatalf("known already: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	free()
	if err := j.Add(t.Context(), entry(3)); err != nil {
		t.Fatalf("the journal does not recover: %v", err)
	}
	if err := <-outcome; err == nil || errors.Is(err, store.ErrUncertain) {
		t.Errorf("another commit is in its place, and it is told as %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	if list, err := j.Latest(t.Context(), 10); err != nil || len(list) != 2 || list[0].ID != entry(3).ID {
		t.Errorf("there are %+v (%v)", list, err)
	}
}

func TestACommitThatNobodySettledStaysOpen(t *testing.T) {
	if !runsAlone(t) {
		return
	}
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	free := fullDisk(t)
	defer free()
	var left *store.PendingError
	if err := j.Add(t.Context(), entry(2)); !errors.As(err, &left) {
		t.Fatalf("it is told as %v", err)
	}
	if err := j.file.Write(t.Context()); err != nil { // who waits for what was noted before settles nothing
		t.Fatal(err)
	}
	free()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := left.Outcome(); !errors.Is(err, store.ErrUncertain) {
		t.Errorf("it is told as %v", err)
	}
}
