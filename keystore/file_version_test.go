package keystore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// holding is a disk on which every file holds these bytes.
type holding struct {
	osDisk
	data []byte
}

func (h holding) Open(string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(h.data)), nil
}

// tryFile opens bytes as a file and unlocks it.
func tryFile(t testing.TB, path string, data []byte) (opened *Store, openErr, unlockErr error) {
	t.Helper()
	opts := cheap()
	opts.freeTries, opts.disk = true, holding{data: data}
	s, err := OpenWith(path, opts)
	if err != nil {
		return nil, err, nil
	}
	return s, nil, s.Unlock(password)
}

// repaired returns data a right checksum, as a forger would.
func repaired(data []byte) []byte {
	body := data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1]
	sum := sha256.Sum256(body)
	return append(hex.AppendEncode(bytes.Clone(body), sum[:]), '\n')
}

func TestEveryByteFlippedIsNoticed(t *testing.T) {
	s := filled(t, cheap())
	good := mustRead(t, s.Path())
	path := filepath.Join(ramdisk.Folder(t), "keys")
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 7)
		if _, err, _ := tryFile(t, path, bad); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d (%q): %v", i, good[i], err)
		}
	}
}

func TestEveryByteIsAuthenticated(t *testing.T) {
	s := filled(t, cheap())
	good := mustRead(t, s.Path())
	path := filepath.Join(ramdisk.Folder(t), "keys")
	unlocked := 0
	for i := range bytes.LastIndexByte(good[:len(good)-1], '\n') {
		bad := bytes.Clone(good)
		switch c := bad[i]; {
		case c >= '0' && c < '9', c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
			bad[i]++ // mostly still well formed
		default:
			bad[i] ^= 1
		}
		_, err, unlockErr := tryFile(t, path, repaired(bad))
		if err == nil && unlockErr == nil {
			t.Fatalf("byte %d (%q of %q) can be forged", i, good[i], good[max(0, i-10):i+1])
		}
		if err == nil {
			unlocked++
		}
	}
	if unlocked < len(good)/4 {
		t.Fatal("the forgeries of the payload should have got as far as Unlock, only", unlocked, "did")
	}
}

func TestForgedPublicDataIsDamageNotAWrongPassword(t *testing.T) {
	s := filled(t, cheap())
	bad := bytes.Replace(mustRead(t, s.Path()), []byte(`"alice"`), []byte(`"mallo"`), 1)
	_, err, unlockErr := tryFile(t, filepath.Join(ramdisk.Folder(t), "keys"), repaired(bad))
	must(t, err)
	want(t, unlockErr, ErrDamaged)
}

func TestCutShortAtEveryLength(t *testing.T) {
	s := filled(t, cheap())
	good := mustRead(t, s.Path())
	path := filepath.Join(ramdisk.Folder(t), "keys")
	for n := range good {
		if _, err, _ := tryFile(t, path, good[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(good), err)
		}
	}
	for _, more := range []string{"x", " ", "\nx\n", string(good)} {
		_, err, _ := tryFile(t, path, append(bytes.Clone(good), more...))
		want(t, err, ErrDamaged)
	}
}

// A file that went through mail, version control or an editor is the same file: its line ends, a mark and blank lines around it mean nothing. It stays as
// it is until the wallet changes.
func TestAKeyFileInOtherLinesIsRead(t *testing.T) {
	s := filled(t, cheap())
	good := mustRead(t, s.Path())
	crlf := bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n"))
	for name, changed := range map[string][]byte{"CRLF": crlf, "mark": append([]byte("\uFEFF"), good...), "empty line": append(bytes.Clone(good), '\n'),
		"Notepad": append([]byte("\uFEFF"), crlf...), "empty lines": append(append([]byte("\r\n"), crlf...), "\r\n\r\n"...)} {
		path := filepath.Join(ramdisk.Folder(t), "keys")
		must(t, os.WriteFile(path, changed, 0o600))
		other, err := OpenWith(path, cheap())
		must(t, err)
		must(t, other.Unlock(password))
		if !bytes.Equal(mustRead(t, path), changed) {
			t.Errorf("%s: reading it changed it", name)
		}
		must(t, other.Update(func(c *Contents) error { c.AddAccount(77, "erin-1"); return nil }))
		if now := mustRead(t, path); bytes.ContainsAny(now, "\r\uFEFF") || bytes.Count(now, []byte("\n")) != 3 {
			t.Errorf("%s: it was not written as this program writes it", name)
		}
	}
}

func TestFilesOfOtherKinds(t *testing.T) {
	s := filled(t, cheap())
	good := string(mustRead(t, s.Path()))
	path := filepath.Join(ramdisk.Folder(t), "keys")
	for _, c := range []struct {
		file, says string
		kind       error
	}{
		{"hello", "not a Billfold key file", ErrForeign},
		{`{"version":1,"cipher_keys":""}`, "billfold import", ErrForeign},
		{strings.Replace(good, `"version":1`, `"version":4`, 1), "newer", ErrVersion},
		{`{"format":"billfold-keystore","version":99,"whatever":true}`, "version 99", ErrVersion},
		{`{"format":"billfold-keystore","version":-1}`, "version", ErrDamaged},
		{`{"format":"billfold-keystore","version":999999999999999999999}`, "version", ErrDamaged},
	} {
		_, err, _ := tryFile(t, path, []byte(c.file))
		want(t, err, c.kind)
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q does not say %q", err, c.says)
		}
	}
	_, err := Open(filepath.Join(ramdisk.Folder(t), "missing"))
	want(t, err, ErrNotFound)
}

func TestHostileCostsAreRefusedAtOnce(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "keys")
	for _, p := range []Params{
		{100 << 20, 1, 1}, {64, 1 << 31, 1}, {1 << 20, 60, 1}, {64, 1, 0}, {64, 0, 1}, {1, 1, 4}, {1 << 21, 1, 255},
	} {
		public, err := Public{}.normal([]ledger.PublicKey{})
		must(t, err)
		head, err := encodeHeader(newDerivation(p), make([]byte, 72), &public, 0)
		must(t, err)
		_, err, _ = tryFile(t, path, appendPayload(head, make([]byte, 64)))
		want(t, err, ErrDamaged)
		if !strings.Contains(err.Error(), "impossible key derivation") {
			t.Error(p, err)
		}
	}
}

// goldenFile was written by the first release of the format, with the contents
// of filled. It must open for ever.
const goldenFile = "testdata/version-1.keys"

func TestFilesOfVersion1OpenForEver(t *testing.T) {
	golden, unlockedErr, err := tryFile(t, filepath.Join(ramdisk.Folder(t), "keys"), mustRead(t, goldenFile))
	must(t, errors.Join(unlockedErr, err))
	if dump(t, golden) != dump(t, filled(t, cheap())) {
		t.Fatal("the contents differ:", dump(t, golden))
	}
}

func FuzzOpen(f *testing.F) {
	good := mustRead(f, goldenFile)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(magic + `1,"kdf":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, raw := range [][]byte{data, repairedOrSame(data)} {
			m, err := parseFile(raw)
			if err != nil {
				continue
			}
			if !bytes.Equal(m.raw, raw) {
				t.Fatal("two files say the same")
			}
			if m.kdf.MemoryKiB > 1024 || m.kdf.Time > 2 {
				continue // affordable, but not for a fuzzer
			}
			key, err := m.unwrap(password)
			if err != nil {
				continue
			}
			if secrets, err := m.unlock(key); err == nil {
				if !bytes.Equal(raw, good) {
					t.Fatal("a forged file was accepted")
				}
				clear(key)
				secrets.Wipe()
			}
		}
	})
}

func repairedOrSame(data []byte) []byte {
	if len(data) == 0 {
		return data
	}
	return repaired(data)
}

func FuzzPayload(f *testing.F) {
	must(f, filled(f, cheap()).View(func(s *Secrets) error {
		plain, err := s.encode()
		f.Add(plain)
		return err
	}))
	f.Add([]byte{1, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := decodeSecrets(data, listedIn(data))
		if err != nil {
			return
		}
		first, err := s.encode()
		must(t, err)
		again, err := decodeSecrets(first, s.PublicKeys())
		must(t, err)
		second, err := again.encode()
		must(t, err)
		if !bytes.Equal(first, second) {
			t.Fatal("encoding is not stable")
		}
	})
}

// listedIn makes as many public keys as a payload says that it has.
func listedIn(payload []byte) []ledger.PublicKey {
	if len(payload) == 0 {
		return nil
	}
	n, _ := binary.Uvarint(payload[1:])
	keys := make([]ledger.PublicKey, min(n, uint64(len(payload)/secretSize)))
	for i := range keys {
		binary.BigEndian.PutUint64(keys[i][:], uint64(i))
	}
	return keys
}

// A file has the oldest version that can hold what it lists, so that older programs read it.
func TestAFileHasTheOldestVersionThatHoldsIt(t *testing.T) {
	for name, c := range map[string]struct {
		public *Public
		want   int
	}{"nothing": {nil, 1}, "keys": {&Public{Keys: []ledger.PublicKey{testKey(0).Public()}}, 1}, "a journal": {&Public{Journal: "a"}, 2},
		"a waiting one": {&Public{Waiting: []Registration{{Name: "a"}}}, 3}, "both": {&Public{Journal: "a", Waiting: []Registration{{Name: "a"}}}, 3}} {
		if got := versionOf(c.public); got != c.want {
			t.Errorf("%s: version %d, want %d", name, got, c.want)
		}
	}
}
