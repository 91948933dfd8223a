package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// refused runs billfold, which must fail with a sentence that contains why.
func refused(t *testing.T, why string, args ...string) {
	t.Helper()
	out, told, code := runToEnd(t, "", args...)
	if code == 0 || !strings.Contains(told, why) || strings.Count(told, "\n") > 2 {
		t.Errorf("billfold %s ended with %d: %s%s", strings.Join(args, " "), code, out, told)
	}
}

// A store with which a payment could be made twice, or read by others, stops the start.
func TestASharedStoreThatIsNotFitIsRefused(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	address, folder := c.Database(), testwallet.Folder(t)
	at := func(words ...string) []string { return append(words, "--store="+address, "--data-dir="+folder) }
	lossy := func(words ...string) []string { return append(at(words...), "--store-may-lose") }
	serve := []string{"--rpc-http=127.0.0.1:0", "--daemon-url=ws://127.0.0.1:1"}

	refused(t, "has no store yet", lossy(serve...)...)
	refused(t, "no synchronous standby", at("store", "init")...)
	refused(t, "has no store yet", lossy("store", "claim", "key", strings.Repeat("a", 40))...)
	if out, told, code := runToEnd(t, "", lossy("store", "init")...); code != 0 {
		t.Fatal(out, told)
	}
	refused(t, "has a store already", lossy("store", "init")...)
	refused(t, "billfold store status names a block", at("store", "accept")...)
	refused(t, "no synchronous standby", at(serve...)...)
	refused(t, "has a password in it", "store", "status", "--store="+strings.Replace(address, "billfold@", "billfold:secret@", 1))
	refused(t, "would not be protected", "store", "status", "--store=postgres://billfold@192.0.2.1/wallet?sslmode=require")

	server := start(t, lossy(serve...)...)
	remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}.isReady("not ready: the wallet has no keys") // other servers may have some
	copied := testwallet.Folder(t)
	mark, err := os.ReadFile(filepath.Join(folder, "store.mark"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(copied, "store.mark"), mark, 0o600))
	server.stop()
	refused(t, "give --store with the address of the database", append(serve, "--data-dir="+folder)...)
	refused(t, "give --store with the address of the database", append(serve, "--data-dir="+copied)...)

	db, err := sql.Open("pgx", address)
	must(t, err)
	defer db.Close()
	var version, oldest int
	must(t, db.QueryRow("SELECT version, oldest_reader FROM store_meta").Scan(&version, &oldest))
	for _, x := range []struct{ change, why string }{
		{"oldest_reader = 1000, version = 1000", "newer version"},
		{fmt.Sprintf("oldest_reader = %d, version = %d, store_id = 'another'", oldest, version), "is not the one that this server used before"},
	} {
		_, err = db.Exec("UPDATE store_meta SET " + x.change)
		must(t, err)
		refused(t, x.why, lossy(serve...)...)
	}
	for setting, why := range map[string]string{"fsync": "fsync = on", "full_page_writes": "full_page_writes = on"} {
		c.Admin("ALTER SYSTEM SET "+setting+" = off", "SELECT pg_reload_conf()")
		other := strings.Replace(c.Database(), "sslmode=disable", "sslmode=disable&connect_timeout=5", 1)
		refused(t, why, "store", "init", "--store="+other, "--store-may-lose", "--data-dir="+folder)
		c.Admin("ALTER SYSTEM RESET "+setting, "SELECT pg_reload_conf()")
	}
}

// A server that hung while a copy of its folder took its place reports that, and resumes on its own once the copy has ended.
func TestAServerGetsItsPlaceBack(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	address, folder, copied := c.Database(), testwallet.Folder(t), testwallet.Folder(t)
	if out, told, code := runToEnd(t, "", "store", "init", "--store="+address, "--store-may-lose"); code != 0 {
		t.Fatal(out, told)
	}
	serve := func(folder string) (*process, remote) {
		p := start(t, "--store="+address, "--store-may-lose", "--data-dir="+folder, "--rpc-http=127.0.0.1:0", "--daemon-url=ws://127.0.0.1:1")
		r := remote{t, p.line(`^wallet API over HTTP on (http://\S+)$`)}
		r.isReady("not ready: the wallet has no keys")
		return p, r
	}
	first, api := serve(folder)
	must(t, first.cmd.Process.Signal(syscall.SIGSTOP))
	mark, err := os.ReadFile(filepath.Join(folder, "store.mark"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(copied, "store.mark"), mark, 0o600))
	second, _ := serve(copied) // after the lease has ended
	must(t, first.cmd.Process.Signal(syscall.SIGCONT))
	api.isReady("not ready: another program has the place of this server")
	second.stop()
	api.isReady("not ready: the wallet has no keys")
}

// If nothing was found, nobody is told to claim it.
func TestNothingFoundIsNotToBeClaimed(t *testing.T) {
	for _, shared := range []bool{false, true} {
		if said := lostKeysNote(0, shared); said != "" {
			t.Errorf("it says %q", said)
		}
		if lostKeysNote(1, shared) == "" {
			t.Error("of a payment that was found it says nothing")
		}
	}
}

// A wallet's own store is copied into the database, and back.
func TestAStoreMovesIntoTheDatabaseAndOut(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1, 1, 0, "1 DCT") // which imports a wallet's store
	refused(t, "was copied into a database already", "store", "init", "--from="+f.members[0].folder, "--store="+f.address,
		"--store-may-lose", "--data-dir="+f.members[0].folder)
	o := order{n: 1}
	out, err := f.post(f.members[0].api(), "", "transfer", o.params()...)
	must(t, err)
	if out.Error != nil {
		t.Fatal(out.Error)
	}
	back := filepath.Join(testwallet.Folder(t), "back")
	keys := "cp " + filepath.Join(f.members[0].folder, keystoreName) + " " + filepath.Join(back, keystoreName)
	if said := f.program("store", "export", back, "--copy", "--store="+f.address, "--data-dir="+f.members[0].folder); !strings.Contains(said, keys) {
		t.Error(said)
	}
	said := f.program("audit", "verify", "--data-dir="+back)
	if !strings.Contains(said, "each follows the one before") {
		t.Error(said)
	}
	if said := f.program("store", "verify", "--store="+f.address); !strings.Contains(said, "1 payment can be read") {
		t.Error(said)
	}
	db, err := sql.Open("pgx", f.address)
	must(t, err)
	defer db.Close()
	var id string
	must(t, db.QueryRow(`UPDATE payments SET origin = 1, request_key = NULL RETURNING id`).Scan(&id))
	const what = "1.2.16 paid 0.00000002 DCT to 1.2.17"
	for end := time.Now().Add(patience); strings.Contains(f.program("servers", "--store="+f.address), ", locked; "); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a server that paid is listed as locked")
		}
	}
	if said := f.program("store", "status", "--store="+f.address, "--store-may-lose"); !strings.Contains(said, "nobody has claimed: 1;") {
		t.Error(said)
	}
	for _, words := range [][]string{{"store", "found"}, {"store", "found", "--json"}} {
		if said := f.program(append(words, "--store="+f.address)...); !strings.Contains(said, id) || !strings.Contains(said, what) {
			t.Errorf("%v: %s", words, said)
		}
	}
	if said := f.program("store", "claim", "order-7", id, "--store="+f.address); !strings.Contains(said, what) {
		t.Error(said)
	}
	if said := f.program("store", "found", "--store="+f.address); !strings.Contains(said, "no payment waits") {
		t.Error(said)
	}
	claims := filepath.Join(testwallet.Folder(t), "claims.csv")
	must(t, os.WriteFile(claims, []byte("\norder-8,"+id+"\n"), 0o600))
	refused(t, "line 2: there is no payment of this id", "store", "claim", "--file="+claims, "--store="+f.address)
	refused(t, "after a loss and claimed this way", "store", "claim", "--undo", "order-8", "--store="+f.address)
	f.program("store", "claim", "--undo", "order-7", "--store="+f.address)
	at := "--store=" + f.address
	if said := f.program("store", "claim", "--file="+claims, "--dry-run", at); !strings.Contains(said, "can be made: 1;") {
		t.Error(said)
	}
	var status statusRow
	must(t, json.Unmarshal([]byte(f.program("store", "status", "--json", "--store="+f.address, "--store-may-lose")), &status))
	if status.Unclaimed != 1 || status.Payments != 1 || status.Held != nil || len(status.Servers) != 1 ||
		!status.Servers[0].Alive {
		t.Errorf("%+v", status)
	}
	if said := f.program("store", "claim", "--file="+claims, "--store="+f.address); !strings.Contains(said, "order-8") {
		t.Error(said)
	}
	if said := f.program("servers", "--store="+f.address); !strings.Contains(said, "server-0") || !strings.Contains(said, "alive") || strings.Contains(said, "locked") {
		t.Error(said)
	}
	if out, err := f.post(f.members[0].api(), "", "lock"); err != nil || out.Error != nil {
		t.Fatal(out, err)
	}
	for end := time.Now().Add(patience); !strings.Contains(f.program("servers", "--store="+f.address), ", locked; "); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a locked server is not listed as locked")
		}
	}
	refused(t, "all servers are locked: unlock them", "store", "status", "--store="+f.address, "--store-may-lose")
	if out, err := f.post(f.members[0].api(), "", "unlock", fleetPassword); err != nil || out.Error != nil {
		t.Fatal(out, err)
	}
	f.program("store", "export", filepath.Join(testwallet.Folder(t), "moved"), "--store="+f.address, "--data-dir="+f.members[0].folder)
	next := order{n: 2}
	out, err = f.post(f.members[0].api(), "", "transfer", next.params()...)
	must(t, err)
	if out.Error == nil || !strings.Contains(out.Error.Message, "it was moved into ") {
		t.Errorf("after the store moved a server answers %+v", out)
	}
}

// The status of the store reports that nothing is confirmed without a standby.
func TestMissingStandbyIsReported(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	address := c.Database()
	says := func(want string, words ...string) {
		t.Helper()
		if out, told, code := runToEnd(t, "", append(words, "--store="+address)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%d: %s%s", code, out, told)
		}
	}
	says("", "store", "init", "--store-may-lose")
	says("may lose payments", "store", "status", "--store-may-lose")
	for _, how := range []string{"--json=false", "--json"} {
		refused(t, "ALTER SYSTEM SET synchronous_standby_names = 'NAME'", "store", "status", how, "--store="+address)
	}
	standby := c.Standby(true)
	says("synchronous_standby_names = standby; 1 connected", "store", "status")
	standby.Stop()
	for _, how := range []string{"--json=false", "--json"} {
		out, told, code := runToEnd(t, "", "store", "status", how, "--store="+address)
		if code == 0 || !strings.Contains(told, "while no standby is connected") || how == "--json=false" &&
			!strings.Contains(out, "nothing is confirmed until one is") {
			t.Errorf("%s: %d: %s%s", how, code, out, told)
		}
	}
}

// Servers that cannot do their part are named with what to do; one that ended in good order is not missed, and one of several may be locked.
func TestServersThatAreNotFitAreNamed(t *testing.T) {
	t.Parallel()
	ended := time.Unix(1_800_000_000, 0)
	well, locked := postgres.Server{Name: "a", Alive: true, Follows: true, Locked: new(false)}, postgres.Server{Name: "b", Alive: true, Follows: true, Locked: new(true)}
	for want, servers := range map[string][]postgres.Server{
		"":                                {well, locked, {Name: "c", Ended: &ended}, {Name: "old", Alive: true, Follows: true}},
		"c is gone: it was killed":        {well, {Name: "c"}},
		"c has no daemon: billfold doct":  {well, {Name: "c", Alive: true}},
		"all servers are locked: unlock ": {locked, locked},
		"c is gone: it was killed or cut off; start it again, or look what happened to it; if it is gone for good: billfold store forget c; all servers are locked": {locked, {Name: "c"}},
	} {
		said := ""
		if err := unfit(&postgres.Status{Servers: servers}); err != nil {
			said = err.Error()
		}
		if !strings.HasPrefix(said, want) || (said == "") != (want == "") {
			t.Errorf("it says %q, not %q", said, want)
		}
	}
}

// What neither pays nor follows runs beside a server on a shared store, in that server's own folder.
func TestShortCommandsRunBesideAServer(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1, 1, time.Second, "1 DCT")
	m := f.members[0]
	o := order{n: 1}
	out, err := f.post(m.api(), "", "transfer", o.params()...)
	must(t, err)
	if out.Error != nil {
		t.Fatal(out.Error)
	}
	at := func(words ...string) []string {
		return append(words, "--store="+f.address, "--store-may-lose", "--data-dir="+m.folder, "--daemon-url="+m.toLedger.URL)
	}
	f.program(at("token", "new", "books", "--methods=transfer", "--accounts=alice")...)
	refused(t, "nobody-has-this-name", at("token", "new", "typo", "--methods=transfer", "--accounts=nobody-has-this-name")...)
	if said, _, _ := runToEnd(t, "", at("doctor")...); !regexp.MustCompile(`(?m)^ok +journal +it is in the database that the servers share, and a payment can`).MatchString(said) {
		t.Error(said)
	}
	if said := f.program(at("pins", "forget", "bobby")...); !strings.Contains(said, `forgot account`) {
		t.Error(said)
	}
	file := filepath.Join(testwallet.Folder(t), "rent.json")
	f.program(at("tx", "export", "--to="+m.api(), "--out="+file, "transfer", "alice", "bobby", "2", "DCT", "", "true")...)
	f.program(at("tx", "inspect", file)...)
	if out, told, code := runToEnd(t, fleetPassword+"\n", at("tx", "sign", file, "--yes")...); code != 0 {
		t.Errorf("it is not signed (%d): %s%s", code, out, told)
	}
}

// A server that is gone for good is forgotten, with a record, unless it is alive or has open payments; store status then misses it no longer.
func TestAServerIsForgotten(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	address := c.Database()
	at := func(words ...string) []string {
		return append(words, "--store="+address, "--store-may-lose", "--data-dir="+testwallet.Folder(t))
	}
	run := func(words ...string) string {
		t.Helper()
		out, told, code := runToEnd(t, "", at(words...)...)
		if code != 0 {
			t.Fatalf("billfold %s ended with %d: %s%s", strings.Join(words, " "), code, out, told)
		}
		return out
	}
	run("store", "init")
	db, err := sql.Open("pgx", address)
	must(t, err)
	defer db.Close()
	do := func(statement string) {
		t.Helper()
		_, err := db.Exec(statement)
		must(t, err)
	}
	do(`INSERT INTO servers (id, name, epoch, mark, nonce, touched, expires_at, version, started_at, place)
		VALUES ('0123456789abcdef', 'pay-1', 1, 7, 'n', 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 60000, '', 1, '')`)
	refused(t, "there is no server", at("store", "forget", "pay-2")...)
	refused(t, "is alive; end it first", at("store", "forget", "pay-1")...)
	do(`UPDATE servers SET expires_at = 1`)
	for end := time.Now().Add(patience); ; time.Sleep(500 * time.Millisecond) { // the database has only just started
		if _, told, code := runToEnd(t, "", at("store", "status")...); code != 0 && strings.Contains(told, "billfold store forget pay-1") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody is told how to forget a server")
		}
	}
	do(`INSERT INTO payments (id, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at, sent_at, in_block_at, chain,
		request, proven, sure_block, owner) VALUES ('a', 'sent', '', 0, 0, 0, 0, '', '', 0, 0, 0, '', '', 0, 0, '0123456789abcdef')`)
	refused(t, "nobody has taken over the open payments", at("store", "forget", "pay-1")...)
	do(`DELETE FROM payments`)
	if said := run("store", "forget", "01234567"); !strings.Contains(said, "pay-1 (01234567) is forgotten") {
		t.Error(said)
	}
	run("store", "status")
	if said := run("store", "verify"); !strings.Contains(said, "1 audit record") {
		t.Error(said)
	}
	var entry string
	var number, epoch, mark int
	must(t, db.QueryRow(`SELECT entry, h.number, epoch, mark FROM audit, audit_head h, servers`).Scan(&entry, &number, &epoch, &mark))
	if !strings.Contains(entry, "store forget") || !strings.Contains(entry, "pay-1") || number != 1 || epoch != 2 || mark != 7 {
		t.Error(entry, number, epoch, mark)
	}
	refused(t, "there is no server", at("store", "forget", "pay-1")...)
}
