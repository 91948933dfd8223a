package archive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Samples are as distinct as what is packed, and what a disk takes for another file of the package is refused with both names.
func TestTwins(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"Song.txt", "cafe\u0301.txt", "CAF\u00c9.TXT"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if _, err := ScanSamples(root, "."); err == nil || !strings.Contains(err.Error(), "differs from \"CAF\u00c9.TXT\"") {
		t.Error(err)
	}
	for name, same := range map[string]bool{"So\u200bng.txt": true, "So\u00adng.txt": true, "Sang.txt": false} {
		if got := folded(name) == folded("Song.txt"); got != same {
			t.Errorf("%q is taken for Song.txt: %v", name, got)
		}
	}
	for name, want := range map[string]string{
		"song.TXT":       `"song.TXT" and "Song.txt" are one on this disk`,
		"cafe\u0301.TXT": "\"cafe\u0301.TXT\" and \"CAF\u00c9.TXT\" are one on this disk",
		"Song.txt":       `"Song.txt" occurs twice`,
	} {
		if err := takenError(root, name); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

// What is packed has the name that it is shown with. What was bought is extracted whatever it is called.
func TestNamesThatAreShownOtherwise(t *testing.T) {
	for name, ok := range map[string]bool{"Song\u202egpj.exe": false, "\u2067Song": false, "\u05e9\u05d9\u05e8.txt": true, "\U0001f468\u200d\U0001f469.txt": true} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = root.Close() }()
		if _, err := Scan(t.Context(), root, "."); (err == nil) != ok || err != nil && strings.ContainsRune(err.Error(), '\u202e') {
			t.Errorf("%q: %v", name, err)
		}
		if checkName(name) != "" {
			t.Errorf("%q cannot be extracted", name)
		}
	}
}
