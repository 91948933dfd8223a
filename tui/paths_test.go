package tui_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/tui/screen"
	"billfold/tui/uitest"
)

// A path is what terminals paste where a file is dropped, and what people copy: in quotes, escaped, as file:// or from the home folder.
func TestPathsAreReadAsTerminalsPasteThem(t *testing.T) {
	t.Setenv("HOME", "/home/alice")
	for typed, want := range map[string]string{
		"/a b/c.json": "/a b/c.json", "'/a b/c'": "/a b/c", "'/a b/c' ": "/a b/c", `"/a b/c"`: "/a b/c", `"C:\x"`: `C:\x`, `C:\x`: `C:\x`, `'/it'\''s'`: "/it's",
		`/a\ b\(1\)/it\'s`: "/a b(1)/it's", `"/a \"b\" \$c"`: `/a "b" $c`, "file:///a%20b/c": "/a b/c", "file://localhost/a": "/a", "'file:///a%20b'": "/a b",
		"FILE:///a": "/a", "file://elsewhere/a": "file://elsewhere/a", "~/x": "/home/alice/x", "'~/x'": "/home/alice/x", "\u00a0/a\u200b": "/a", "'": "'", "": "",
		"/100%": "/100%", "'/a": "'/a",
	} {
		if got := screen.Path(typed); got != want {
			t.Errorf("%q is %q, not %q", typed, got, want)
		}
	}
}

// Each page that asks for a file takes such a path.
func TestADroppedFileIsOpened(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	wallet, err := os.ReadFile("../cmd/billfold/testdata/wallet-legacy.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "wallet.json"), wallet, 0o600); err != nil {
		t.Fatal(err)
	}
	uitest.Play(t, 140, 40, uitest.Scene{Unmade: true}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Paste("'" + folder + "/wallet.json' ")
		d.Press("enter")
		d.Until("Its password", "a wallet.json")
	})
	uitest.Play(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("8 f")
		d.Paste("'" + folder + "/wallet.json'")
		d.Press("enter")
		d.Wait(time.Second)
		d.Hides("cannot be read")
		d.Shows("it is a wallet.json of cli_wallet")
	})
}
