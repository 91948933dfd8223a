package keystore

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

// sealedBackup is a backup of so many bytes, which are returned too.
func sealedBackup(t testing.TB, size int) (raw, plain []byte) {
	t.Helper()
	plain = bytes.Repeat([]byte("seventeen bytes. "), size/17+1)[:size]
	var file bytes.Buffer
	s, err := SealBackup(&file, BackupOfWallet, password, cheap())
	must(t, err)
	for rest := plain; len(rest) > 0; { // in writes that fit no piece
		n := min(len(rest), 10_007)
		_, err := s.Write(rest[:n])
		must(t, err)
		rest = rest[n:]
	}
	must(t, s.Close())
	return file.Bytes(), plain
}

// openedBackup reads a backup to its end.
func openedBackup(raw []byte, with string) ([]byte, error) {
	b, err := OpenBackup(bytes.NewReader(raw), with)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return io.ReadAll(b)
}

func TestABackupHasWhatWasSealed(t *testing.T) {
	for _, size := range []int{0, 1, backupPiece - 1, backupPiece, backupPiece + 1, 3 * backupPiece, 3*backupPiece + 5} {
		raw, plain := sealedBackup(t, size)
		got, err := openedBackup(raw, password)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("of %d bytes %d come back, and %v", size, len(got), err)
		}
		if bytes.Contains(raw, []byte("seventeen")) {
			t.Errorf("%d bytes are readable", size)
		}
		if size <= backupPiece+1 {
			b, err := OpenBackup(iotest.HalfReader(bytes.NewReader(raw)), password)
			must(t, err)
			if got, err := io.ReadAll(iotest.OneByteReader(b)); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("of %d bytes %d come back one by one, and %v", size, len(got), err)
			}
		}
		if _, err := openedBackup(raw, "incorrect horse"); !errors.Is(err, ErrWrongPassword) {
			t.Errorf("another password: %v", err)
		}
	}
	if _, err := SealBackup(io.Discard, BackupOfWallet, "", cheap()); !errors.Is(err, ErrEmptyPassword) {
		t.Errorf("without a password: %v", err)
	}
}

// A backup that could not be written is told as that, wherever the disk fails.
func TestABackupThatIsNotWrittenIsToldAsThat(t *testing.T) {
	for left := range 4 {
		s, err := SealBackup(&failing{left: left}, BackupOfWallet, password, cheap())
		if err == nil {
			if _, err = s.Write(make([]byte, 2*backupPiece)); err == nil {
				err = s.Close()
			}
		}
		if (err == nil) != (left == 3) {
			t.Errorf("after %d writes the disk fails: %v", left, err)
		}
	}
}

// A backup that cannot be read is told as that, and not as one that is damaged.
func TestABackupThatCannotBeReadIsToldAsThat(t *testing.T) {
	raw, _ := sealedBackup(t, 2*backupPiece)
	away := errors.New("the disk is away")
	for _, at := range []int{0, 5, 100, 200, 400, 1000, backupPiece, len(raw) - 1} {
		from := io.MultiReader(bytes.NewReader(raw[:at]), iotest.ErrReader(away))
		b, err := OpenBackup(from, password)
		if err == nil {
			_, err = io.ReadAll(b)
		}
		if !errors.Is(err, away) {
			t.Errorf("after %d bytes: %v", at, err)
		}
	}
}

// failing is a disk that fails once, after so many writes.
type failing struct{ left int }

func (f *failing) Write(data []byte) (int, error) {
	f.left--
	if f.left == -1 {
		return 0, io.ErrShortWrite
	}
	return len(data), nil
}

// Whatever is changed, cut off, moved or added, nothing of it passes as a backup.
func TestADamagedBackupIsRefused(t *testing.T) {
	raw, _ := sealedBackup(t, 2*backupPiece+100)
	start := len(raw) - 2*(backupPiece+sealOverhead) - 100 - sealOverhead
	piece := func(n int) []byte {
		return raw[start+n*(backupPiece+sealOverhead) : min(start+(n+1)*(backupPiece+sealOverhead), len(raw))]
	}
	wrongs := map[string][]byte{
		"cut at a piece": raw[:start+backupPiece+sealOverhead], "cut at the last piece": raw[:start+2*(backupPiece+sealOverhead)],
		"cut at the header": raw[:start], "one more byte": append(bytes.Clone(raw), 0),
		"pieces moved": slices.Concat(raw[:start], piece(1), piece(0), piece(2)), "a piece left out": slices.Concat(raw[:start], piece(1), piece(2)),
		"a piece twice":  slices.Concat(raw[:start], piece(0), piece(0), piece(1), piece(2)),
		"the last twice": slices.Concat(raw, piece(2)), "cut short by one": raw[:len(raw)-1],
	}
	for what, wrong := range wrongs {
		if _, err := openedBackup(wrong, password); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := range start + 64 { // the header, and the first nonce
		wrong := bytes.Clone(raw)
		wrong[at] ^= 1
		if _, err := openedBackup(wrong, password); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrVersion) {
			t.Fatalf("another bit in byte %d: %v", at, err)
		}
	}
	for at := range start {
		if _, err := openedBackup(raw[:at], password); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut after %d bytes: %v", at, err)
		}
	}
	newer := bytes.Replace(raw, []byte(`"version":1`), []byte(`"version":3`), 1)
	if _, err := openedBackup(newer, password); !errors.Is(err, ErrVersion) {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := openedBackup([]byte("Dear diary"), password); !errors.Is(err, ErrForeign) {
		t.Errorf("something else: %v", err)
	}
}

// goldenBackup was sealed by the first program that could, from 100 bytes of sealedBackup's.
const goldenBackup = "testdata/backup-v1"

func TestAnOldBackupOpens(t *testing.T) {
	_, plain := sealedBackup(t, 100)
	if got, err := openedBackup(mustRead(t, goldenBackup), password); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%q comes back, and %v", got, err)
	}
}

func FuzzBackup(f *testing.F) {
	good := mustRead(f, goldenBackup)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(backupMagic + `1,"kdf":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte(`"memory_kib"`)) && !bytes.HasPrefix(data, good[:90]) {
			return // another cost may be affordable, but not for a fuzzer
		}
		if _, err := openedBackup(data, password); err == nil && !bytes.Equal(data, good) {
			t.Fatal("a forged backup was accepted")
		}
	})
}
