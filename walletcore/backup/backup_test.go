package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"filippo.io/age"
)

const sealing = "tram-kettle-orbit"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func cheap() *keystore.Options {
	return &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true}
}

// made is a wallet with a key, a store of its own, settings and tokens.
func made(t *testing.T) Source {
	t.Helper()
	folder := ramdisk.Folder(t)
	kept, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
	must(t, err)
	id, err := kept.Journal.Claim(t.Context(), store.NewID())
	must(t, errors.Join(err, kept.Close()))
	secrets := &keystore.Secrets{}
	_, err = secrets.AddKey(ledger.DeriveKey("BACKUP TEST", 0))
	must(t, err)
	_, err = keystore.Create(filepath.Join(folder, keysName), "correct horse", keystore.Public{Journal: id}, secrets, cheap())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(folder, "config.yaml"), []byte("theme: dark\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "rpc-tokens.json"), bytes.Repeat([]byte("x"), 100_000), 0o600))
	must(t, os.WriteFile(filepath.Join(folder, "history.db"), []byte("not needed"), 0o600))
	return Source{Folder: folder, Program: "1.2.3", Sealing: cheap(), Now: time.Now()}
}

func backedUp(t *testing.T, from Source) (file string, m Manifest) {
	t.Helper()
	file = filepath.Join(ramdisk.Folder(t), "monday.billfold")
	m, err := Make(t.Context(), from, file, Seal{Password: sealing})
	must(t, err)
	return file, m
}

// listing returns the names in a folder.
func listing(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestABackupBringsTheWalletBack(t *testing.T) {
	t.Parallel()
	from := made(t)
	before := listing(t, from.Folder)
	file, m := backedUp(t, from)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || listing(t, filepath.Dir(file)) != "monday.billfold" {
		t.Errorf("the backup has mode %v beside %s", info.Mode(), listing(t, filepath.Dir(file)))
	}
	if after := listing(t, from.Folder); after != before || m.Keys != 1 || m.Changes == 0 {
		t.Errorf("the folder has %s, and %+v was made", after, m)
	}
	to := filepath.Join(ramdisk.Folder(t), "new", "wallet")
	back, err := Restore(t.Context(), file, Key{Password: sealing}, to)
	must(t, err)
	if !back.Made.Equal(m.Made) || back.Program != "1.2.3" {
		t.Errorf("it came back as %+v", back)
	}
	if got := listing(t, to); got != "config.yaml payments.db rpc-tokens.json store.mark wallet.keys" {
		t.Errorf("it came back as %s", got)
	}
	for _, name := range []string{"config.yaml", "rpc-tokens.json", keysName} {
		was, err := os.ReadFile(filepath.Join(from.Folder, name))
		must(t, err)
		is, err := os.ReadFile(filepath.Join(to, name))
		must(t, err)
		if info, err := os.Stat(filepath.Join(to, name)); !bytes.Equal(was, is) || err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s came back as %d bytes, mode %v", name, len(is), info.Mode())
		}
	}
	keys, err := keystore.Open(filepath.Join(to, keysName))
	must(t, err)
	kept, err := sqlite.Open(filepath.Join(to, sqlite.Name))
	must(t, err)
	defer kept.Close()
	lost, is := errors.AsType[*store.LostError](kept.Journal.Check(t.Context(), keys.Journal()))
	if !is || lost.Kind != store.NoMark || !strings.Contains(lost.Why, "came out of a backup of ") {
		t.Errorf("it would spend: %v", lost)
	}
}

// A wallet that had never recorded which journal is its own spends nothing either.
func TestAnOldKeyFileIsHeldToo(t *testing.T) {
	t.Parallel()
	from := made(t)
	must(t, os.Remove(filepath.Join(from.Folder, keysName)))
	_, err := keystore.Create(filepath.Join(from.Folder, keysName), "correct horse", keystore.Public{}, &keystore.Secrets{}, cheap())
	must(t, err)
	file, _ := backedUp(t, from)
	to := filepath.Join(ramdisk.Folder(t), "wallet")
	_, err = Restore(t.Context(), file, Key{Password: sealing}, to)
	must(t, err)
	kept, err := sqlite.Open(filepath.Join(to, sqlite.Name))
	must(t, err)
	defer kept.Close()
	if err := kept.Journal.Check(t.Context(), ""); err == nil {
		t.Error("it would spend")
	}
}

func TestNothingIsWrittenOver(t *testing.T) {
	t.Parallel()
	from := made(t)
	file, _ := backedUp(t, from)
	if _, err := Make(t.Context(), from, file, Seal{Password: sealing}); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a second backup of the name ends with %v", err)
	}
	to := ramdisk.Folder(t)
	must(t, os.WriteFile(filepath.Join(to, ".letter"), nil, 0o600))
	if _, err := Restore(t.Context(), file, Key{Password: sealing}, to); err == nil || !strings.Contains(err.Error(), "has .letter in it") {
		t.Errorf("a folder in use ends with %v", err)
	}
	must(t, os.Remove(filepath.Join(to, ".letter")))
	must(t, os.Remove(file))
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Make(stopped, from, file, Seal{Password: sealing}); err == nil || listing(t, filepath.Dir(file)) != "" {
		t.Errorf("a stopped backup ends with %v and leaves %q", err, listing(t, filepath.Dir(file)))
	}
}

// A backup that was cut at any block of a disk, or damaged in any, is refused, and nothing of it is left.
func TestACutBackupLeavesNothing(t *testing.T) {
	t.Parallel()
	file, _ := backedUp(t, made(t))
	raw, err := os.ReadFile(file)
	must(t, err)
	above := ramdisk.Folder(t)
	to, wrong := filepath.Join(above, "new", "wallet"), filepath.Join(ramdisk.Folder(t), "wrong")
	refused := func(what string, at int, text []byte, password string, want error) {
		t.Helper()
		must(t, os.WriteFile(wrong, text, 0o600))
		if _, err := Restore(t.Context(), wrong, Key{Password: password}, to); !errors.Is(err, want) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
		if left := listing(t, above); left != "" {
			t.Fatalf("%s at %d leaves %s", what, at, left)
		}
	}
	const block = 4096
	for at := block; at < len(raw); at += block {
		refused("cut", at, raw[:at], sealing, keystore.ErrDamaged)
		flipped := bytes.Clone(raw)
		flipped[at] ^= 0x10
		refused("damaged", at, flipped, sealing, keystore.ErrDamaged)
	}
	refused("empty", 0, nil, sealing, keystore.ErrDamaged)
	refused("another password", 0, raw, "correct horse", keystore.ErrWrongPassword)
	refused("a newer version", 0, bytes.Replace(raw, []byte(`"version":1`), []byte(`"version":9`), 1), sealing, keystore.ErrVersion)
	if _, err := Restore(t.Context(), filepath.Join(above, "none"), Key{Password: sealing}, to); err == nil || listing(t, above) != "" {
		t.Errorf("a file that is not there: %v", err)
	}
}

// One to a recipient that was cut or damaged at any byte of its header, and at any block of a disk, is refused as well, and so are other identities.
func TestACutBackupToARecipientLeavesNothing(t *testing.T) {
	t.Parallel()
	own, err := age.GenerateX25519Identity()
	must(t, err)
	stranger, err := age.GenerateX25519Identity()
	must(t, err)
	to, err := keystore.ParseRecipients([]string{own.Recipient().String()})
	must(t, err)
	key := func(id *age.X25519Identity) Key {
		ids, err := keystore.ParseIdentities([]byte(id.String()))
		must(t, err)
		return Key{Identities: &ids}
	}
	file := filepath.Join(ramdisk.Folder(t), "monday.billfold")
	from := made(t)
	_, err = Make(t.Context(), from, file, Seal{Recipients: to})
	must(t, err)
	raw, err := os.ReadFile(file)
	must(t, err)
	above := ramdisk.Folder(t)
	folder, wrong := filepath.Join(above, "new", "wallet"), filepath.Join(ramdisk.Folder(t), "wrong")
	refused := func(what string, at int, text []byte, with Key, kinds ...error) {
		t.Helper()
		must(t, os.WriteFile(wrong, text, 0o600))
		if _, err := Restore(t.Context(), wrong, with, folder); !slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
		if left := listing(t, above); left != "" {
			t.Fatalf("%s at %d leaves %s", what, at, left)
		}
	}
	for at := 0; at < len(raw); at++ {
		if at > 512 {
			at = min(at+4095, len(raw)-1)
		}
		refused("cut", at, raw[:at], key(own), keystore.ErrDamaged)
		flipped := bytes.Clone(raw)
		flipped[at] ^= 0x10
		refused("damaged", at, flipped, key(own), keystore.ErrDamaged, keystore.ErrWrongPassword)
	}
	refused("a stranger's", 0, raw, key(stranger), keystore.ErrWrongPassword)
	refused("a password", 0, raw, Key{Password: sealing}, keystore.ErrForeign)
	if _, err := Restore(t.Context(), file, key(own), folder); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(filepath.Join(from.Folder, keysName))
	must(t, err)
	if is, err := os.ReadFile(filepath.Join(folder, keysName)); err != nil || !bytes.Equal(was, is) {
		t.Errorf("the keys come back as %d bytes, and %v", len(is), err)
	}
}

// Archives are a part of the store: they are backed up with it and come back with it, and without one there is no backup.
func TestArchivesAreBackedUp(t *testing.T) {
	t.Parallel()
	from := made(t)
	path := filepath.Join(from.Folder, sqlite.Name)
	day := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	records := func(path string, more int) (n int) {
		kept, err := sqlite.Open(path)
		must(t, err)
		defer kept.Close()
		for range more {
			must(t, kept.Audit.Write(t.Context(), kept.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
				return store.AuditRecord{Number: last.Number + 1, Text: `{"time":"2026-09-01T00:00:00Z"}`, Hash: "x"}, nil
			}, nil)))
		}
		must(t, kept.Audit.Records(t.Context(), func(store.AuditRecord) error { n++; return nil }))
		return n
	}
	var archives []string
	for range 2 { // two of one day
		records(path, 3)
		archive, _, err := sqlite.Archiver{Path: path, Before: day}.Run(t.Context())
		must(t, err)
		archives = append(archives, archive.Name)
	}
	file, m := backedUp(t, from)
	raw, err := os.ReadFile(file)
	must(t, err)
	if !bytes.HasPrefix(raw, []byte(`{"format":"billfold-backup","version":2,`)) {
		t.Errorf("it begins with %.60s, and programs that know no archives take it for damaged", raw)
	}
	to := filepath.Join(ramdisk.Folder(t), "wallet")
	_, err = Restore(t.Context(), file, Key{Password: sealing}, to)
	must(t, err)
	if got := listing(t, to); got != "config.yaml payments-before-2026-10-01-2.db payments-before-2026-10-01.db payments.db rpc-tokens.json store.mark wallet.keys" {
		t.Errorf("it came back as %s", got)
	}
	if n := records(filepath.Join(to, sqlite.Name), 0); n != 6 {
		t.Errorf("of 6 records %d came back", n)
	}
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool { return f.Name == archives[0] })
	if err := m.hasArchives(t.Context(), filepath.Join(to, sqlite.Name)); err == nil || !strings.Contains(err.Error(), "it lacks "+archives[0]) {
		t.Errorf("a backup without an archive is told as %v", err)
	}
	must(t, os.WriteFile(filepath.Join(from.Folder, archives[1]), []byte("altered"), 0o600))
	if _, err := Make(t.Context(), from, file+"2", Seal{Password: sealing}); err == nil || !strings.Contains(err.Error(), archives[1]+" cannot be backed up: it is not as it was made") {
		t.Errorf("with an altered archive it ends with %v", err)
	}
	must(t, os.Remove(filepath.Join(from.Folder, archives[1])))
	if _, err := Make(t.Context(), from, file+"2", Seal{Password: sealing}); err == nil || !strings.Contains(err.Error(), archives[1]+" cannot be backed up: ") {
		t.Errorf("without an archive it ends with %v", err)
	}
	if left := listing(t, filepath.Dir(file)); left != "monday.billfold" {
		t.Errorf("%s are there", left)
	}
}

// What a killed program left is removed by a later backup, and what another one is working in is not.
func TestWhatAKilledBackupLeftIsRemoved(t *testing.T) {
	t.Parallel()
	from := made(t)
	old, present := filepath.Join(from.Folder, workPrefix+"1"), filepath.Join(from.Folder, workPrefix+"2")
	must(t, errors.Join(os.Mkdir(old, 0o700), os.Mkdir(present, 0o700), os.Chtimes(old, time.Time{}, from.Now.Add(-2*workAge))))
	backedUp(t, from)
	_, gone := os.Stat(old)
	if _, err := os.Stat(present); err != nil || !os.IsNotExist(gone) {
		t.Errorf("the old one: %v, that of now: %v", gone, err)
	}
}

// Whoever knows the password may make any text: no name leads out of the folder, and what is accepted is in the form this program writes.
func FuzzRead(f *testing.F) {
	good := func(manifest string, rest string) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(manifest))), manifest+rest...)
	}
	const none = `"sha256":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}`
	const chain = `"chain_id":"e6c436526854574ec0f55432d13f026782e382c30b0687b360c0e898f9c162ae"`
	whole := `{"made":"2026-11-29T16:00:00Z","program":"1",` + chain + `,"keys":1,"accounts":0,"changes":1,"files":[{"name":"payments.db","size":0,` + none +
		`,{"name":"wallet.keys","size":0,` + none + `]}`
	if err := read(bytes.NewReader(good(whole, "")), func(Manifest) error { return nil }, func(_ File, from io.Reader) error {
		_, err := io.Copy(io.Discard, from)
		return err
	}); err != nil {
		f.Fatal(err)
	}
	f.Add(good(whole, ""))
	f.Add(good(whole, "more"))
	f.Add(good(strings.ReplaceAll(whole, "payments.db", "../payments.db"), ""))
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		var taken int64
		err := read(bytes.NewReader(data), func(Manifest) error { return nil }, func(file File, from io.Reader) error {
			if file.Name != filepath.Base(file.Name) || strings.HasPrefix(file.Name, ".") {
				t.Fatalf("%q is taken", file.Name)
			}
			n, err := io.Copy(io.Discard, from)
			taken += n
			return err
		})
		if err == nil && taken > int64(len(data)) {
			t.Fatal("more came out than went in")
		}
	})
}
