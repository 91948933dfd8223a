//go:build unix

package shell

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A signal ends the reading of a pipe, whether nobody has opened its other end or nothing comes from there.
func TestReadingAPipeEndsWithItsContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	stopped := func() {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := ReadFile(ctx, pipe, 100)
			done <- err
		}()
		time.AfterFunc(50*time.Millisecond, cancel) // whether it waits by then or not, it ends
		err := Unreadable("file", pipe, <-done)
		if want := "stopped while the file " + pipe + " was read; nothing was done"; err.Error() != want || !IsMisuse(err) {
			t.Error(err)
		}
	}
	stopped()
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := writer.WriteString("half a"); err != nil {
		t.Fatal(err)
	}
	stopped()
}

func TestAFileIsReadUpToALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]int{10: 10, 50: 50, 100: 50} {
		if text, err := ReadFile(t.Context(), path, most); err != nil || len(text) != want {
			t.Errorf("%d bytes are read of %d: %v", len(text), most, err)
		}
	}
	if _, err := ReadFile(t.Context(), path+"x", 10); err == nil || !strings.HasPrefix(Unreadable("file", path+"x", err).Error(), "there is no file") {
		t.Error(err)
	}
}
