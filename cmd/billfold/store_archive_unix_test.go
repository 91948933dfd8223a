//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/rpcserver/audit"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"

	"filippo.io/age"
)

// addPast adds to the store of a wallet, which does not run, as many irreversible payments of a year ago under the keys old-0, old-1 …, each with
// the bytes of a payment that it has, and two records of the audit log for each, in place of the records that it has.
func addPast(t *testing.T, path string, count int) {
	t.Helper()
	db, err := database.Open(path, database.Durable, `DELETE FROM audit`)
	must(t, err)
	must(t, db.Close())
	kept, err := sqlite.Open(path)
	must(t, err)
	newest, err := kept.Journal.Latest(t.Context(), 1)
	must(t, err)
	past := time.Now().AddDate(-1, 0, 0)
	var wait sync.WaitGroup
	for n := range count {
		e := newest[0]
		var tx ledger.SignedTransaction
		must(t, codec.Unpack(e.Bytes, &tx))
		tx.RefBlockPrefix += uint32(n) + 1
		if e.ID, err = tx.ID(); err == nil {
			e.Bytes, err = tx.Pack()
		}
		must(t, err)
		e.Key, e.Request, e.State, e.Prepared = fmt.Sprint("old-", n), "", store.Irreversible, past.Add(time.Duration(n)*time.Second).Truncate(time.Millisecond)
		record := func() store.Change {
			return kept.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
				text, err := json.Marshal(audit.Record{Number: last.Number + 1, Time: e.Prepared, Who: "till", Method: "transfer", Decision: "allow", Previous: last.Hash})
				sum := sha256.Sum256(text)
				return store.AuditRecord{Number: last.Number + 1, Text: string(text), Hash: hex.EncodeToString(sum[:])}, err
			}, nil)
		}
		wait.Go(func() {
			if err := kept.Journal.Add(t.Context(), e, record(), record()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	must(t, kept.Close())
}

// A server says that an archive is away and that it is back. One that is lost for good is given up, also where that cannot be told; then the
// wallet is backed up again, and what was paid is not paid again.
func TestAnArchiveIsLost(t *testing.T) {
	t.Parallel()
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	node, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	dir := filepath.Join(testwallet.Folder(t), "wallet")
	w := startOn(t, dir, node)
	w.ok("set_password", "soak")
	w.unlock()
	w.ok("import_single_key", "alice", wif)
	pay := func(key string) string {
		var all []json.RawMessage
		must(t, json.Unmarshal([]byte(`["alice","bobby","1","DCT","",true,"`+key+`"]`), &all))
		return w.spend(spendRow{"transfer", all})
	}
	pay("order-0")
	for begin := time.Now(); !strings.Contains(w.ok("get_payment", "order-0"), `"irreversible"`); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("it is not irreversible")
		}
	}
	w.stop()
	path := filepath.Join(dir, sqlite.Name)
	addPast(t, path, 20)
	made, _, err := sqlite.Archiver{Path: path, Before: time.Now().AddDate(0, -1, 0), Keep: 5}.Run(t.Context())
	must(t, err)
	archive := filepath.Join(dir, made.Name)
	w = startOn(t, dir, node)
	w.unlock()
	must(t, os.Rename(archive, archive+".away"))
	w.process.line(`(level=WARN msg="store: an archive is away" file=` + archive + `)`)
	must(t, os.Rename(archive+".away", archive))
	w.process.line(`(level=WARN msg="store: an archive is back" file=` + archive + `)`)
	must(t, os.Remove(archive))
	backup := func() (string, error) {
		return runBeside(t, "sealed\n", "--data-dir="+dir, "backup", filepath.Join(filepath.Dir(dir), "monday"))
	}
	if out, err := backup(); err == nil || !strings.Contains(out, "if it is gone for good, billfold store give-up "+made.Name+" does without it") {
		t.Errorf("without it, the wallet is backed up: %v, %s", err, out)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	must(t, err)
	defer full.Close()
	cmd, told := processOf([]string{"--data-dir=" + dir, "store", "give-up", made.Name}), new(strings.Builder)
	cmd.Stdout, cmd.Stderr = full, told
	if err := cmd.Run(); err != nil || !strings.Contains(told.String(), made.Name+" is given up") {
		t.Errorf("it is not given up: %v, %s", err, told)
	}
	if out, err := backup(); err != nil {
		t.Errorf("the wallet is not backed up once it is given up: %v, %s", err, out)
	}
	for what, want := range map[string]string{
		"verify": fmt.Sprintf("records 1 to %d are gone with %s, which was given up\n%d records?, each follows the one before", made.Records, made.Name, 41-made.Records+1),
		"list":   "the person at the terminal  store give-up  done",
	} {
		if out, err := runBeside(t, "", "--data-dir="+dir, "audit", what); err != nil || !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("audit %s is %v, %s", what, err, out)
		}
	}
	if out := w.ok("get_payment", "old-3"); !strings.Contains(out, `"state":"irreversible"`) || strings.Contains(out, `"transaction":`) {
		t.Errorf("a payment of it is told as %s", out)
	}
	if id := pay("old-3"); id != "" {
		t.Errorf("it is paid again, as %s", id)
	}
	w.stop()
}

// A store is archived by programs that are killed at random, while its wallet pays, until one ends. No payment is lost or made again, each
// request is answered as before, and the audit log is whole.
func TestAStoreIsArchivedWhileItPays(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	const many, kept = 4000, 1000
	box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s")
	node, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
	dir := filepath.Join(testwallet.Folder(t), "wallet")
	w := startOn(t, dir, node)
	w.ok("set_password", "soak")
	w.unlock()
	w.ok("import_single_key", "alice", wif)
	had := w.ok("list_account_balances", "bobby")
	order := func(key string) string {
		var all []json.RawMessage
		must(t, json.Unmarshal([]byte(`["alice","bobby","1","DCT","",true,"`+key+`"]`), &all))
		return w.spend(spendRow{"transfer", all})
	}
	first := map[string]string{"order-0": order("order-0")}
	for begin := time.Now(); !strings.Contains(w.ok("get_payment", "order-0"), `"irreversible"`); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal("it is not irreversible")
		}
	}
	w.stop()
	path := filepath.Join(dir, sqlite.Name)
	addPast(t, path, many)
	w = startOn(t, dir, node)
	w.unlock()
	told := map[string]string{}
	for n := 0; n < many; n += many / 50 {
		key := fmt.Sprint("old-", n)
		told[key] = w.ok("get_payment", key)
	}

	args := []string{"--data-dir=" + dir, "--daemon-url=" + node, "store", "archive", "--before=" + time.Now().AddDate(0, -1, 0).UTC().Format(time.DateOnly)}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, done := 0, false
	for n := 1; !done; n++ {
		cmd := processOf(args)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		must(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			done = err == nil
			t.Logf("after %d were killed: %v, %s", killed, err, out.String())
			if err != nil {
				t.FailNow()
			}
		case <-time.After(time.Duration(random.IntN(60*(1+n))) * time.Millisecond):
			must(t, cmd.Process.Kill())
			<-ended
			killed++
		}
		key := fmt.Sprint("order-", n)
		if first[key] = order(key); first[key] == "" {
			t.Fatalf("%s is not paid", key)
		}
	}
	for n := 0; n < many; n += 97 {
		if id := order(fmt.Sprint("old-", n)); id == "" || id == first["order-0"] || !strings.Contains(w.ok("get_payment", fmt.Sprint("old-", n)), id) { // its own, which means the same
			t.Errorf("old-%d is answered by %q", n, id)
		}
	}
	own, err := age.GenerateX25519Identity()
	must(t, err)
	recipient, key, backup := own.Recipient().String(), writeFile(t, testwallet.Folder(t), "identity", own.String()+"\n"), filepath.Join(filepath.Dir(dir), "monday")
	same := func(when string) {
		t.Helper()
		for key, id := range first {
			if again := order(key); again != id {
				t.Errorf("%s, %s is %s, and was %s", when, key, again, id)
			}
		}
		for key, was := range told {
			if is := w.ok("get_payment", key); is != was {
				t.Errorf("%s, %s is told as %s, and was as %s", when, key, is, was)
			}
		}
		out, err := runBeside(t, "", "--data-dir="+dir, "audit", "verify")
		if err != nil || !strings.Contains(out, " records, each follows the one before") {
			t.Errorf("%s, the audit log is told as %v, %s", when, err, out)
		}
	}
	same("beside the server")
	w.stop()
	w = startOn(t, dir, node)
	w.unlock()
	same("after a restart")
	if now := w.ok("list_account_balances", "bobby"); balanceOf(t, now)-balanceOf(t, had) != int64(len(first))*100_000_000 {
		t.Errorf("bobby had %s and has %s after %d orders", had, now, len(first))
	}
	w.stop()
	doctor := func() string {
		out, _ := runBeside(t, "", "--data-dir="+dir, "--daemon-url="+node, "doctor")
		return out
	}
	if out := doctor(); !regexp.MustCompile(`(?m)^ok +journal +it is the wallet's own`).MatchString(out) {
		t.Errorf("it is not well: %s", out)
	}
	archives, _ := filepath.Glob(filepath.Join(dir, "payments-before-*.db"))
	must(t, os.Rename(archives[0], archives[0]+".away"))
	want := `(?m)^WRONG +journal +the archive ` + archives[0] + `, which has a part of the store, cannot be read: there is no such file; put that file back as it was`
	if out := doctor(); !regexp.MustCompile(want).MatchString(out) {
		t.Errorf("an archive that is away is not told: %s", out)
	}
	if _, err := runBeside(t, "", "--data-dir="+dir, "backup", "--recipient="+recipient, backup+"-short"); err == nil {
		t.Error("a store is backed up without an archive")
	}
	must(t, os.Rename(archives[0]+".away", archives[0]))
	restored := filepath.Join(filepath.Dir(dir), "restored")
	for _, args := range [][]string{
		{"--data-dir=" + dir, "backup", "--recipient=" + recipient, backup}, {"--data-dir=" + restored, "restore", "--identity=" + key, backup},
	} {
		if out, err := runBeside(t, "", args...); err != nil {
			t.Fatalf("%q ends with %v: %s", args, err, out)
		}
	}
	if out, _ := runBeside(t, "", "--data-dir="+restored, "audit", "verify"); !strings.Contains(out, " records, each follows the one before") {
		t.Errorf("the restored audit log is told as %s", out)
	}
	w = startOn(t, restored, node)
	w.unlock()
	same("in the restored wallet, which spends nothing yet")
	if id := order("after the backup"); id != "" {
		t.Errorf("it pays %s", id)
	}
	w.stop()
	book, err := sqlite.Open(path)
	must(t, err)
	defer book.Close()
	payments, records, archived, moved := 0, 0, int64(0), int64(0)
	must(t, book.Journal.All(t.Context(), func(e store.Entry) error {
		if payments++; len(e.Bytes) == 0 {
			t.Errorf("%s has no bytes", e.ID)
		}
		return nil
	}))
	must(t, book.Audit.Records(t.Context(), func(store.AuditRecord) error { records++; return nil }))
	list, err := book.Archives(t.Context())
	must(t, err)
	for _, a := range list {
		archived, moved = archived+a.Payments, moved+a.Records
		if !a.Done {
			t.Errorf("%s is not done", a.Name)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".archive-*"))
	if payments != many+len(first) || records < 2*many || archived < many-kept || moved != 2*many || len(left) > 0 {
		t.Errorf("%d payments and %d records are there, %d and %d were archived, and %v are left", payments, records, archived, moved, left)
	}
}
