package walletcore_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	keyshare "billfold/content/share"
	"billfold/walletcore/content"
	"billfold/walletcore/testwallet"
)

// random is the size in MiB of what cannot be compressed, so that all of it is signed.
const random = 64

// Content of 1 MiB and of CONTENT_MEMORY MiB is packed, signed and extracted in about the same memory. The files are sparse but for one size, and
// lie on a disk.
func TestMemoryOfLargeContent(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("CONTENT_MEMORY"))
	if err != nil {
		t.Skip("make content-memory runs this")
	}
	p := newPublisher(t)
	s := p.start(false)
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the program
	var first int
	for _, size := range []int{1, random, most} {
		folder := t.TempDir()
		testwallet.Must(t, os.Mkdir(filepath.Join(folder, "film"), 0o700))
		for part, left := 0, size; left > 0; part, left = part+1, left-1024 {
			name := filepath.Join(folder, "film", fmt.Sprint("part", part))
			testwallet.Must(t, os.WriteFile(name, nil, 0o600))
			testwallet.Must(t, os.Truncate(name, int64(min(left, 1024))<<20))
			if size == random {
				fill(t, name, int64(size)<<20)
			}
		}
		key, err := keyshare.NewKey()
		testwallet.Must(t, err)
		defer key.Wipe()
		ctx := t.Context() // which has no end
		began := time.Now()
		before := restartPeak(t)
		made, err := s.Content.Create(ctx, "create_package", content.Source{Content: content.Folder{Path: filepath.Join(folder, "film"), Anywhere: true}}, key)
		testwallet.Must(t, err)
		packed, packing := time.Now(), peak(t)
		restartPeak(t)
		testwallet.Must(t, s.Content.Extract(ctx, "extract_package", made.Hash, content.Folder{Path: filepath.Join(folder, "out"), Anywhere: true}, key))
		extracting := peak(t)
		t.Logf("%5d MiB: packed and signed in %v, resident at most %d MB (before: %d MB); extracted in %v, resident at most %d MB", size,
			packed.Sub(began).Round(time.Millisecond), packing, before, time.Since(packed).Round(time.Millisecond), extracting)
		if first == 0 {
			first = max(packing, extracting)
		}
		const slack = 24 // MB, of garbage
		if now := max(packing, extracting); now > first+slack {
			t.Errorf("%d MiB: at most %d MB were resident, and %d MB with 1 MiB", size, now, first)
		}
		testwallet.Must(t, os.RemoveAll(folder))
	}
}

func fill(t *testing.T, name string, size int64) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	testwallet.Must(t, err)
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{}), size)
	testwallet.Must(t, errors.Join(err, f.Close()))
}

// restartPeak begins to measure the most that is resident anew, and returns what is now, in megabytes.
func restartPeak(t *testing.T) int {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	testwallet.Must(t, os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
	return peak(t)
}

// peak returns the most that was resident since restartPeak, in megabytes.
func peak(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	testwallet.Must(t, err)
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	testwallet.Must(t, err)
	return kilobytes >> 10
}
