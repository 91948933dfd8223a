package keystore

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"billfold/ledger"
)

// oldHeader is the header as encoding/json alone writes it, which is the format of the file.
func oldHeader(t testing.TB, d derivation, wrapped []byte, public Public) []byte {
	t.Helper()
	line, err := json.Marshal(headerJSON{Format: formatName, Version: versionOf(&public),
		KDF: kdfJSON{kdfName, d.MemoryKiB, d.Time, d.Threads, d.salt}, Key: wrapped, Public: &public})
	must(t, err)
	return append(line, '\n')
}

func listsOf(t testing.TB, names ...string) Public {
	t.Helper()
	p := Public{Accounts: []Account{}, AccountKeys: []AccountKeys{}, Keys: []ledger.PublicKey{}}
	for i, name := range names {
		id := ledger.AccountID(i * i * i)
		p.Accounts = append(p.Accounts, Account{id, name})
		p.AccountKeys = append(p.AccountKeys, AccountKeys{id, slicesOf(i % 3)})
	}
	var err error
	p, err = p.normal(slicesOf(len(names)))
	must(t, err)
	return p
}

// slicesOf returns n keys in order, the null key among them.
func slicesOf(n int) []ledger.PublicKey {
	keys := []ledger.PublicKey{}
	for i := range n {
		keys = append(keys, ledger.PublicKey{31: byte(i / 100), 32: byte(i % 100)})
	}
	return keys
}

// The lists are written and read byte by byte as encoding/json does.
func TestListsAreWrittenAsJSON(t *testing.T) {
	t.Parallel()
	d := newDerivation(Params{64, 1, 1})
	for _, names := range [][]string{
		{}, {""}, {"alice", "bobby-2.x"},
		{`"`, `\`, "<b>&amp;", "\x00\x1f\x7f\t\n\r\b\f", "žluťoučký", "\u2028\u2029\ufffd", `","name":"`, `"accounts":[`, strings.Repeat("\x01", maxText)},
	} {
		public := listsOf(t, names...)
		for _, journal := range []string{"", `a "journal"`} {
			public.Journal, public.Waiting = journal, nil
			if journal != "" && len(names) > 0 {
				public.Waiting = []Registration{{Name: names[0], Owner: ledger.PublicKey{32: 1}}}
			}
			want := oldHeader(t, d, []byte("wrapped"), public)
			head, err := encodeHeader(d, []byte("wrapped"), &public, 0)
			must(t, err)
			if !bytes.Equal(head, want) {
				t.Fatalf("%q\n%s\n%s", names, head, want)
			}
			v := &fileVersion{head: head}
			must(t, v.parseHeader())
			if again := oldHeader(t, v.kdf, v.wrapped, v.public); !bytes.Equal(again, want) {
				t.Fatalf("%q is read as\n%s", names, again)
			}
		}
	}
}

// FuzzHeader holds that what is accepted is what encoding/json writes of what was read.
func FuzzHeader(f *testing.F) {
	public := listsOf(f, "alice", `b"o<b`, "ž")
	head, err := encodeHeader(newDerivation(Params{64, 1, 1}), make([]byte, 72), &public, 0)
	must(f, err)
	f.Add(head)
	f.Add(bytes.Replace(head, []byte(`"1.2.1"`), []byte(`"1.2.01"`), 1))
	f.Add(bytes.Replace(head, []byte(`,"keys":[`), []byte(`, "keys":[`), 1))
	f.Fuzz(func(t *testing.T, head []byte) {
		v := &fileVersion{head: head}
		if v.parseHeader() == nil && !bytes.Equal(oldHeader(t, v.kdf, v.wrapped, v.public), head) {
			t.Fatalf("another form was accepted: %q", head)
		}
	})
}

// Reading a file takes little more memory than what is kept of it: for each account and key less than 400 bytes beside
// the file itself.
func TestReadingMakesNoCopies(t *testing.T) { // not in parallel: the allocations of all are counted
	const accounts = 1000
	s := manyKeys(t, accounts)
	raw := mustRead(t, s.Path())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := parseFile(raw)
	runtime.ReadMemStats(&after)
	must(t, err)
	if got := after.TotalAlloc - before.TotalAlloc; got > 400*accounts+10*noise {
		t.Errorf("%d bytes were allocated to read %d accounts", got, accounts)
	}
	if got := after.Mallocs - before.Mallocs; got > 500 {
		t.Errorf("%d allocations were made to read %d accounts", got, accounts)
	}
	if len(v.public.Accounts) != accounts {
		t.Error("they were not read")
	}
}
