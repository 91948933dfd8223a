//go:build unix

package archive_test

import (
	"bytes"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"billfold/content/archive"
	"billfold/content/deflate"
	"billfold/internal/ramdisk"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160.
	"golang.org/x/crypto/ripemd160"
)

// BenchmarkPackage compares making and extracting a package of what cannot be compressed, as films are, with the parts that the format asks for: cipher,
// hash and zlib. Packing is near the sum of encrypt, hash and compress, extracting near that of hash, decrypt and decompress. While other programs
// run, only processor time means anything.
func BenchmarkPackage(b *testing.B) {
	const size = 32 << 20
	noise := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	folder := ramdisk.Folder(b)
	if err := os.WriteFile(filepath.Join(folder, "noise"), noise, 0o600); err != nil {
		b.Fatal(err)
	}
	source, k := scan(b, folder), key(b, keyB)
	p := place(b, ramdisk.Folder(b), encrypted(b, k, padded(zipped(b, raw(entry{name: "noise", text: string(noise)})))))
	block, err := aes.NewCipher(k[:])
	if err != nil {
		b.Fatal(err)
	}
	iv := make([]byte, aes.BlockSize)
	var compressed bytes.Buffer
	w := deflate.NewWriter(&compressed)
	if _, err := w.Write(noise); errors.Join(err, w.Close()) != nil {
		b.Fatal(err)
	}
	out := open(b, ramdisk.Folder(b))
	for _, bench := range []struct {
		name string
		run  func() error
	}{
		{"AES alone, encrypt", func() error { cipher.NewCBCEncrypter(block, iv).CryptBlocks(noise, noise); return nil }},
		{"AES alone, decrypt", func() error { cipher.NewCBCDecrypter(block, iv).CryptBlocks(noise, noise); return nil }},
		{"zlib alone, compress", func() error {
			w := deflate.NewWriter(io.Discard)
			_, err := w.Write(noise)
			return errors.Join(err, w.Close())
		}},
		{"zlib alone, decompress", func() error {
			r, err := gzip.NewReader(bytes.NewReader(compressed.Bytes()))
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			return err
		}},
		{"RIPEMD-160 alone", func() error { _, err := ripemd160.New().Write(noise); return err }},
		{"encrypt", func() error { _, _, err := source.Encrypt(b.Context(), k, io.Discard, nil); return err }},
		{"verify", func() error { return p.Verify(b.Context(), nil) }},
		{"extract", func() error {
			_, err := p.Extract(b.Context(), k, out, "x", archive.DefaultLimits(), nil)
			if err == nil {
				err = out.RemoveAll("x")
			}
			return err
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(size)
			before := processorTime(b)
			for b.Loop() {
				if err := bench.run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime(b)-before).Seconds()*1000/float64(b.N)/(size>>20), "cpu-ms/MiB")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkMemory reports how many bytes are allocated in all while content of a size is packed and read: the same for each size. The files are
// sparse, so that they need no disk.
func BenchmarkMemory(b *testing.B) {
	k := key(b, keyB)
	for _, size := range []int64{1 << 20, 64 << 20, 4 << 30} {
		b.Run(fmt.Sprintf("%d-MiB", size>>20), func(b *testing.B) {
			folder := b.TempDir()
			for i, left := 0, size; left > 0; i++ {
				some := min(left, 1<<30)
				name := filepath.Join(folder, fmt.Sprint("file", i))
				if err := os.WriteFile(name, nil, 0o600); err != nil {
					b.Fatal(err)
				}
				if err := os.Truncate(name, some); err != nil {
					b.Fatal(err)
				}
				left -= some
			}
			source := scan(b, folder)
			for b.Loop() {
				var before, packed, after runtime.MemStats
				runtime.ReadMemStats(&before)
				p, err := store(b, b.TempDir()).Create(b.Context(), archive.Recipe{Content: source, Key: k})
				runtime.ReadMemStats(&packed)
				if err != nil {
					b.Fatal(err)
				}
				// One byte too little is allowed: the last file is refused, and what was read before it is removed.
				_, err = p.Extract(b.Context(), k, open(b, b.TempDir()), "x", archive.Limits{Bytes: size - 1, Files: 10}, nil)
				runtime.ReadMemStats(&after)
				if !errors.Is(err, archive.ErrLimit) {
					b.Fatal(err)
				}
				b.ReportMetric(float64(packed.TotalAlloc-before.TotalAlloc), "B-packing")
				b.ReportMetric(float64(after.TotalAlloc-packed.TotalAlloc), "B-extracting")
			}
		})
	}
}
