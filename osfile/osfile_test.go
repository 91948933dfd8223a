package osfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What is replaced is whole, for its owner alone, and nothing is left beside it, also where it cannot be replaced.
func TestReplace(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "settings")
	must(t, os.WriteFile(path, []byte("an old and longer text"), 0o644))
	for _, text := range []string{"new", ""} {
		must(t, Replace(path, []byte(text)))
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q %v, want %q", got, err, text)
		}
	}
	info, err := os.Stat(path)
	must(t, err)
	if who := Exposure(path, info, nil); who != "" {
		t.Errorf("others may use it: %s", who)
	}
	must(t, os.MkdirAll(filepath.Join(folder, "taken", "by a folder"), 0o700))
	if err := Replace(filepath.Join(folder, "taken"), nil); err == nil {
		t.Error("a folder with something in it was replaced")
	}
	if err := Replace(filepath.Join(folder, "missing", "settings"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want that the folder does not exist", err)
	}
	names, err := filepath.Glob(filepath.Join(folder, ".*"))
	if must(t, err); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

// One holds a lock, until it lets go of it. What is locked can be written and read all the same.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := LockFile(path, 0)
	must(t, err)
	if _, err := LockFile(path, 0); !errors.Is(err, ErrLocked) {
		t.Errorf("%v, want ErrLocked", err)
	}
	must(t, os.WriteFile(path, []byte("text"), 0o600))
	if got, err := os.ReadFile(path); err != nil || string(got) != "text" {
		t.Errorf("%q %v", got, err)
	}
	release()
	again, err := LockFile(path, 0)
	must(t, err)
	again()
}

// A file of one's own is opened. A folder and a link are not, wherever the link leads.
func TestOpenOwn(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "own")
	must(t, os.WriteFile(path, []byte("text"), 0o600))
	f, err := OpenOwn(path)
	must(t, err)
	id, err := Identity(f)
	if must(t, errors.Join(err, f.Close())); id == "" || !IsOwn(path) {
		t.Errorf("identity %q, own: %v", id, IsOwn(path))
	}
	if _, err := OpenOwn(folder); !errors.Is(err, ErrNotRegular) && runtime.GOOS != "windows" {
		t.Errorf("%v, want ErrNotRegular", err)
	}
	link := filepath.Join(folder, "link")
	if os.Symlink(path, link) != nil {
		t.Skip("this user may make no links")
	}
	if _, err := OpenOwn(link); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%v, want ErrNotRegular", err)
	}
}

func TestRoomAndUse(t *testing.T) {
	folder := t.TempDir()
	if free, all, known := Room(folder); !known || free > all || all == 0 {
		t.Errorf("%d of %d bytes, known: %v", free, all, known)
	}
	path := filepath.Join(folder, "file")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, CheckUsable(path))
	if CheckUsable(folder) == nil || CheckUsable(filepath.Join(folder, "missing")) == nil {
		t.Error("a folder, or a file that is not there, can be used")
	}
	must(t, SyncFolder(folder))
}

// The command after which nobody else may use a file takes any path.
func TestClosing(t *testing.T) {
	if got := Closing(filepath.Join("a b", "file")); !strings.Contains(got, `'a b`) && !strings.Contains(got, `"a b`) {
		t.Errorf("%s has no quotes", got)
	}
}
