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
