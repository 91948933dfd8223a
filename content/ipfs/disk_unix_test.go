//go:build unix

package ipfs

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"billfold/content/archive"
)

// failing is a disk that takes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "x", Err: f.err}
}

// A disk that is full, and a file that may not grow, are not the daemon's fault.
func TestADiskThatTakesNothingIsNotTheDaemonsFault(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1000)) }))
	defer server.Close()
	c, err := New(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for cause, kind := range map[error]error{syscall.ENOSPC: archive.ErrRoom, syscall.EFBIG: archive.ErrFile} {
		err := c.Cat(t.Context(), "Qm", 0, 1000, disk{failing{cause}, archive.EncryptedName})
		if !errors.Is(err, kind) || errors.Is(err, ErrUnavailable) {
			t.Errorf("%v", err)
		}
	}
}
