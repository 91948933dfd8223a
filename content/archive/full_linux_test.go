package archive_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"billfold/content/archive"
)

// A disk that is full, or would be, is named by the folder that something was to be put in, and not by what was read for it.
func TestAFullDiskIsNamed(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(t.TempDir(), "kept")
	must(t, os.Mkdir(folder, 0o700))
	if err := syscall.Mount("small", folder, "tmpfs", 0, "size=3m"); err != nil {
		t.Skip("needs the right to mount: ", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	noise := make([]byte, 2<<20)
	_, _ = rand.Read(noise)
	song, k := write(t, map[string]string{"song": string(noise)}), key(t, keyB)
	s := store(t, folder)
	fill := func(int64, int64) {
		_ = os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 3<<20), 0o600)
	}
	says := func(what string, err error, want string) {
		t.Helper()
		if !errors.Is(err, archive.ErrRoom) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", what, err, want)
		}
	}
	_, err := s.Create(t.Context(), archive.Recipe{Content: scan(t, song), Key: k, Progress: fill})
	says("packing while others fill the disk", err, `The disk of "`+folder+`" is full`)
	must(t, os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 3<<19), 0o600))
	_, err = s.Create(t.Context(), archive.Recipe{Content: scan(t, song), Key: k})
	says("packing", err, `The disk of "`+folder+`" has 1.5 MB left, and this needs 2.0 MB`)
	p := place(t, t.TempDir(), encrypted(t, k, padded(zipped(t, raw(entry{name: "a", text: string(noise)})))))
	_, err = p.Extract(t.Context(), k, open(t, folder), "out", archive.DefaultLimits(), nil)
	says("extracting", err, `The disk of "`+folder+`" has 1.`)
	_, err = archive.ClaimPlace(open(t, folder), "out", 2<<20)
	says("claiming", err, `The disk of "`+folder+`" has 1.`)
	must(t, os.Remove(filepath.Join(folder, "filler")))
	_, err = p.Extract(t.Context(), k, open(t, folder), "out", archive.DefaultLimits(), fill)
	says("extracting while others fill the disk", err, `The disk of "`+folder+`" `)
}
