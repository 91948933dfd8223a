package deflate_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"billfold/content/deflate"
)

// compress writes in parts of a size.
func compress(t testing.TB, plain []byte, part int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := deflate.NewWriter(&out)
	for len(plain) > 0 {
		n, err := w.Write(plain[:min(part, len(plain))])
		if err != nil {
			t.Fatal(err)
		}
		plain = plain[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// inputs are of every kind: without matches, with nothing else, with codes that are too long at first, at the edges of blocks, windows
// and distances. Their generator is fixed by PCG's definition.
func inputs() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in each run
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	all := map[string][]byte{}
	for _, size := range []int{0, 1, 2, 3, 4, 7, 257, 258, 259, 261, 262, 263, 300, 16382, 16383, 16384, 32767, 32768, 65273, 65274, 65275, 65535, 65536, 65537, 300_000} {
		all[fmt.Sprintf("zeros-%d", size)] = make([]byte, size)
		all[fmt.Sprintf("noise-%d", size)] = noise(size)
		few := make([]byte, size)
		for i := range few {
			few[i] = "abc"[random.IntN(3)]
		}
		all[fmt.Sprintf("few-%d", size)] = few
		skewed := make([]byte, size)
		for i := range skewed {
			skewed[i] = byte(min(255, random.ExpFloat64()*10))
		}
		all[fmt.Sprintf("skewed-%d", size)] = skewed
		words := make([][]byte, 300)
		for i := range words {
			words[i] = noise(2 + random.IntN(40))
		}
		var text []byte
		for len(text) < size {
			if random.IntN(5) > 0 {
				text = append(text, words[random.IntN(len(words))]...)
			} else {
				text = append(text, noise(1+random.IntN(9))...)
			}
		}
		all[fmt.Sprintf("words-%d", size)] = text[:size]
	}
	for distance := 32504; distance <= 32508; distance++ {
		again := noise(300)
		once := append(append(again, noise(distance-300)...), again...)
		all[fmt.Sprintf("far-%d", distance)] = bytes.Repeat(once, 3)
	}
	var fibonacci []byte
	for i, a, b := 0, 1, 1; i < 20; i, a, b = i+1, b, a+b {
		fibonacci = append(fibonacci, bytes.Repeat([]byte{byte(i)}, a)...)
	}
	random.Shuffle(len(fibonacci), func(i, j int) { fibonacci[i], fibonacci[j] = fibonacci[j], fibonacci[i] })
	all["overlong"] = fibonacci[:16000]
	return all
}

// testdata/zlib.txt has what zlib 1.2.13 makes of each input at its default level: name, size, SHA-256. DEFLATE_INPUTS=FOLDER writes the inputs
// there, to have another zlib compress them.
func TestBytesAreThoseOfZlib(t *testing.T) {
	all := inputs()
	if folder := os.Getenv("DEFLATE_INPUTS"); folder != "" {
		for name, plain := range all {
			if err := os.WriteFile(folder+"/"+name, plain, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	table, err := os.ReadFile("testdata/zlib.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(table) {
		var name, sum string
		var size int
		if _, err := fmt.Sscan(string(line), &name, &size, &sum); err != nil {
			t.Fatal(err)
		}
		plain, ok := all[name]
		if !ok {
			t.Fatalf("there is no input %s", name)
		}
		delete(all, name)
		got := compress(t, plain, 32<<10)
		if hash := sha256.Sum256(got); len(got) != size || hex.EncodeToString(hash[:]) != sum {
			t.Errorf("%s: %d bytes, zlib makes %d", name, len(got), size)
		}
		if again := compress(t, plain, 300); len(plain) < 70_000 && !bytes.Equal(again, got) {
			t.Errorf("%s: in small parts it has other bytes", name)
		}
	}
	if len(all) != 0 {
		t.Errorf("%d inputs were not compared", len(all))
	}
}

func TestNothingIsWrittenAfterClose(t *testing.T) {
	w := deflate.NewWriter(io.Discard)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("written")
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, os.ErrClosed
	}
	return len(p), nil
}

func TestErrorsOfTheWriterBelow(t *testing.T) {
	plain := inputs()["noise-300000"]
	for _, room := range []int{0, 1000, 200_000} {
		w := deflate.NewWriter(&full{room})
		_, err := w.Write(plain)
		if closed := w.Close(); err == nil && closed == nil || closed == nil {
			t.Errorf("room for %d: %v, %v", room, err, closed)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("abcabcabc"), uint16(2), uint8(1))
	f.Add(bytes.Repeat([]byte("0123456789"), 100), uint16(100), uint8(200))
	f.Fuzz(func(t *testing.T, plain []byte, part uint16, times uint8) {
		plain = bytes.Repeat(plain, 1+int(times))
		compressed := compress(t, plain, 1+int(part))
		r, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes of %d, %v", len(got), len(plain), err)
		}
	})
}

// BenchmarkWriter is beside compress/gzip at the same level, whose bytes are others.
func BenchmarkWriter(b *testing.B) {
	for name, plain := range map[string][]byte{"noise": inputs()["noise-300000"], "words": inputs()["words-300000"]} {
		for maker, make := range map[string]func(io.Writer) io.WriteCloser{
			"zlib-bytes": func(w io.Writer) io.WriteCloser { return deflate.NewWriter(w) },
			"gzip":       func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		} {
			b.Run(name+"/"+maker, func(b *testing.B) {
				b.SetBytes(int64(len(plain)))
				for b.Loop() {
					w := make(io.Discard)
					_, _ = w.Write(plain)
					_ = w.Close()
				}
			})
		}
	}
}
