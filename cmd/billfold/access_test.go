//go:build unix

package main_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"billfold/cmd/billfold/access"
	"billfold/osfile"
	"billfold/walletcore/testwallet"

	"golang.org/x/sys/unix"
)

const stranger = 4321 // a user that does not exist

var nobodyElse access.Trust // no group

// place makes a folder "own" with a file "f" below a folder "above".
func place(t *testing.T) (above, own, file string) {
	t.Helper()
	above = filepath.Join(t.TempDir(), "above")
	own, file = filepath.Join(above, "own"), filepath.Join(above, "own", "f")
	testwallet.Must(t, os.MkdirAll(own, 0o700))
	testwallet.Must(t, os.Chmod(filepath.Dir(above), 0o755))
	testwallet.Must(t, os.Chmod(above, 0o755))
	testwallet.Must(t, os.WriteFile(file, []byte("text"), 0o600))
	return above, own, file
}

func TestModesOfFiles(t *testing.T) {
	for mode, mend := range map[fs.FileMode]bool{0o600: false, 0o644: false, 0o620: true, 0o602: true, 0o666: true} {
		_, own, file := place(t)
		testwallet.Must(t, os.Chmod(file, mode))
		_, read := nobodyElse.Read(file, 100)
		for name, err := range map[string]error{"Read": read, "File": nobodyElse.File(file), "Files": nobodyElse.Files(own, []string{"*.x", "f"})} {
			if !mend && err != nil || mend && (err == nil || !strings.Contains(err.Error(), "run: chmod go-w "+file)) {
				t.Errorf("%v, %s: %v", mode, name, err)
			}
		}
	}
}

func TestModesOfFolders(t *testing.T) {
	for name, test := range map[string]struct {
		own, above fs.FileMode
		want       string // "" = allowed
	}{
		"mine":                       {0o700, 0o755, ""},
		"others read":                {0o755, 0o755, ""},
		"group writes":               {0o770, 0o755, "/own can be written by other users"},
		"others write":               {0o702, 0o755, "/own can be written by other users"},
		"sticky does not help here":  {0o777 | fs.ModeSticky, 0o755, "/own can be written by other users"},
		"others write above":         {0o700, 0o757, "/above, where other users can write"},
		"as in /tmp":                 {0o700, 0o777 | fs.ModeSticky, ""},
		"not there, above is open":   {0, 0o777, "/above, where other users can write"},
		"not there, above is closed": {0, 0o755, ""},
	} {
		t.Run(name, func(t *testing.T) {
			above, own, _ := place(t)
			if test.own == 0 {
				testwallet.Must(t, os.RemoveAll(own))
			} else {
				testwallet.Must(t, os.Chmod(own, test.own))
			}
			testwallet.Must(t, os.Chmod(above, test.above))
			link := filepath.Join(filepath.Dir(above), "link")
			testwallet.Must(t, os.Symlink(own, link))
			for _, path := range []string{own, link} {
				err := nobodyElse.Folder(path, "--data-dir")
				if path == link && test.own == 0 {
					if test.want == "" &&
						(err == nil || !strings.Contains(err.Error(), "the link "+link+" leads to "+own+", which does not exist")) {
						t.Errorf("a link to nothing: %v", err)
					}
					continue
				}
				if test.want == "" && err != nil ||
					test.want != "" && (err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(test.want, "/own"))) {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

// A group that the user trusts may write whatever another group may not, and nobody else may.
func TestATrustedGroup(t *testing.T) {
	above, own, file := place(t)
	gid := os.Getegid()
	if os.Geteuid() == 0 { // whose own group has its number, and may write above the folder anyway
		gid = 4000
		for _, path := range []string{above, own, file} {
			testwallet.Must(t, os.Chown(path, -1, gid))
		}
	}
	trusted, err := access.ParseTrust(strconv.Itoa(gid))
	testwallet.Must(t, err)
	strange, err := access.ParseTrust("4321")
	testwallet.Must(t, err)
	for _, open := range []struct {
		path         string
		group, world fs.FileMode
		try          func(access.Trust) error
	}{
		{own, 0o770 | fs.ModeSetgid, 0o777, func(trust access.Trust) error { return trust.Folder(own, "--data-dir") }},
		{file, 0o660, 0o662, func(trust access.Trust) error { return trust.File(file) }},
		{file, 0o660, 0o662, func(trust access.Trust) error { return trust.Files(own, []string{"f"}) }},
		{file, 0o660, 0o662, func(trust access.Trust) error { _, err := trust.Read(file, 100); return err }},
		{above, 0o775, 0o777, func(trust access.Trust) error { return trust.Folder(own, "--data-dir") }},
	} {
		testwallet.Must(t, os.Chmod(open.path, open.group))
		if err := open.try(trusted); err != nil {
			t.Errorf("the group may write: %v", err)
		}
		if refused := open.try(strange); open.path == above && gid == os.Geteuid() {
			continue
		} else if refused == nil || open.path != above && !strings.HasSuffix(refused.Error(), fmt.Sprintf("trust its group: --trust-group %d", gid)) {
			t.Errorf("another group: %v", refused)
		}
		testwallet.Must(t, os.Chmod(open.path, open.world))
		if refused := open.try(trusted); refused == nil || strings.Contains(refused.Error(), "trust") {
			t.Errorf("everybody may write: %v", refused)
		}
		testwallet.Must(t, os.Chmod(open.path, 0o700))
	}
	if _, err := access.ParseTrust("no such group"); err == nil {
		t.Error("a group that is not there is accepted")
	}
}

// Files that another user owns are refused, and so are files in another user's folder.
func TestOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	above, own, file := place(t)
	link := filepath.Join(filepath.Dir(above), "link")
	testwallet.Must(t, os.Symlink(own, link))
	for _, test := range []struct {
		path string
		try  func() error
	}{
		{file, func() error { return nobodyElse.File(file) }},
		{file, func() error { _, err := nobodyElse.Read(file, 100); return err }},
		{own, func() error { return nobodyElse.Folder(own, "--data-dir") }},
		{above, func() error { return nobodyElse.Folder(own, "--data-dir") }},
		{above, func() error { return nobodyElse.Folder(link, "--data-dir") }},
		{link, func() error { return nobodyElse.Folder(link, "--data-dir") }},
	} {
		testwallet.Must(t, test.try())
		testwallet.Must(t, os.Lchown(test.path, stranger, -1))
		if err := test.try(); err == nil || !strings.Contains(err.Error(), "belongs to the user 4321") {
			t.Errorf("%s: %v", test.path, err)
		}
		testwallet.Must(t, os.Lchown(test.path, 0, -1))
	}
	testwallet.Must(t, os.Chown(above, 0, stranger))
	testwallet.Must(t, os.Chmod(above, 0o775))
	if err := nobodyElse.Folder(own, "--data-dir"); err == nil || !strings.Contains(err.Error(), "where other users can write") {
		t.Errorf("a group of strangers: %v", err)
	}
}

// A file behind a link is only as safe as the least safe folder on the way.
func TestLinksToFiles(t *testing.T) {
	for name, test := range map[string]struct {
		own, above fs.FileMode // of the target's folder, and of the one above
		want       string      // "" = allowed
	}{
		"mine":                 {0o700, 0o755, ""},
		"others write":         {0o707, 0o755, "/own can be written by other users"},
		"as /tmp":              {0o777 | fs.ModeSticky, 0o755, "/own can be written by other users"},
		"others write above":   {0o700, 0o777, "/above, where other users can write"},
		"the above is as /tmp": {0o700, 0o777 | fs.ModeSticky, ""},
	} {
		_, _, file := place(t)
		above, own, target := place(t)
		testwallet.Must(t, os.Chmod(own, test.own))
		testwallet.Must(t, os.Chmod(above, test.above))
		home := filepath.Dir(file)
		first, second, folder := filepath.Join(home, "first"), filepath.Join(home, "second"), filepath.Join(home, "folder")
		testwallet.Must(t, os.Symlink("second", first))
		testwallet.Must(t, os.Symlink(target, second))
		testwallet.Must(t, os.Symlink(own, folder))
		for _, path := range []string{first, second, filepath.Join(folder, "f")} {
			_, read := nobodyElse.Read(path, 100)
			for what, err := range map[string]error{"Read": read, "File": nobodyElse.File(path), "Files": nobodyElse.Files(filepath.Dir(path),
				[]string{filepath.Base(path)})} {
				if path == filepath.Join(folder, "f") && strings.HasPrefix(test.want, "/own") && name == "as /tmp" {
					continue // not a link itself: Folder checks its folder
				}
				if test.want == "" && err != nil ||
					test.want != "" && (err == nil || !strings.Contains(err.Error(), "where other users can write") &&
						!strings.Contains(err.Error(), test.want)) {
					t.Errorf("%s, %s, %s: %v", name, path, what, err)
				}
			}
		}
	}
}

// Every folder between several links is checked, since others could redirect a link in it.
func TestFoldersBetweenLinks(t *testing.T) {
	_, _, file := place(t)
	above, own, _ := place(t)
	between := filepath.Join(own, "between")
	testwallet.Must(t, os.Symlink(filepath.Dir(file), between))
	link := filepath.Join(t.TempDir(), "link")
	testwallet.Must(t, os.Symlink(between, link))
	for _, path := range []string{link, filepath.Join(link, "f"), link + "/../own/f"} {
		if err := nobodyElse.File(path); err != nil {
			t.Error(err)
		}
		testwallet.Must(t, os.Chmod(above, 0o777))
		for what, err := range map[string]error{"File": nobodyElse.File(path), "Folder": nobodyElse.Folder(link, "--data-dir")} {
			if err == nil || !strings.Contains(err.Error(), "/above, where other users can write") {
				t.Errorf("%s %s: %v", what, path, err)
			}
		}
		testwallet.Must(t, os.Chmod(above, 0o755))
	}
}

func TestDanglingLinks(t *testing.T) {
	_, own, file := place(t)
	link, circle, gone := filepath.Join(own, "link"), filepath.Join(own, "circle"), filepath.Join(own, "gone")
	testwallet.Must(t, os.Symlink(gone, link))
	testwallet.Must(t, os.Symlink("circle", circle))
	below := filepath.Join(own, "below")
	testwallet.Must(t, os.Symlink(filepath.Join(file, "x"), below)) // a file is not a folder
	for path, want := range map[string]string{
		link:   "the link " + link + " leads to " + gone + ", which does not exist; fix the link, or remove it",
		circle: "the link " + circle + " leads nowhere", below: "the link " + below + " leads to ", filepath.Join(link, "f"): "the link " + link + " leads to " + gone,
	} {
		_, read := nobodyElse.Read(path, 100)
		for what, err := range map[string]error{"Read": read, "File": nobodyElse.File(path), "Folder": nobodyElse.Folder(path, "--data-dir")} {
			if err == nil || errors.Is(err, fs.ErrNotExist) || what != "Folder" && !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v", what, path, err)
			}
		}
	}
	if err := nobodyElse.Files(own, []string{"li*"}); err == nil {
		t.Error("a link to nothing among the files")
	}
	for _, path := range []string{gone, filepath.Join(gone, "f"), ""} {
		if err := nobodyElse.File(path); err != nil {
			t.Error(err)
		}
	}
}

func TestOnlyFilesAreRead(t *testing.T) {
	_, own, file := place(t)
	pipe := filepath.Join(own, "pipe")
	testwallet.Must(t, unix.Mkfifo(pipe, 0o600))
	for _, path := range []string{own, pipe, "/dev/null"} {
		if _, err := nobodyElse.Read(path, 100); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := nobodyElse.Read(file, 3); err == nil || !strings.Contains(err.Error(), "larger than 3 bytes") {
		t.Error(err)
	}
	if text, err := nobodyElse.Read(file, 4); err != nil || string(text) != "text" {
		t.Error(text, err)
	}
	if _, err := nobodyElse.Read(file+"x", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestPathsAreQuotedForAShell(t *testing.T) {
	for path, want := range map[string]string{"/a/b-c.d": "/a/b-c.d", "/a b": "'/a b'", "/it's;rm": `'/it'\''s;rm'`} {
		if got := osfile.ShellWord(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
