package rpcserver_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/walletcore/database"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/walletapi"
)

// openLog opens the log in a new store.
func openLog(t *testing.T) *audit.Log {
	t.Helper()
	l, _ := openLogAt(t, filepath.Join(t.TempDir(), "payments?.db"))
	return l
}

// openLogAt opens the log in the store at path, and also the same file as a database.
func openLogAt(t *testing.T, path string) (*audit.Log, *sql.DB) {
	t.Helper()
	kept, err := sqlite.Open(path)
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	db, err := database.Open(path, database.Durable)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return audit.NewLog(kept.Audit), db
}

// verifyLog reads the log, which must be intact.
func verifyLog(t *testing.T, l *audit.Log) (list []audit.Record, head string) {
	t.Helper()
	c, err := l.Verify(t.Context(), func(e audit.Record) { list = append(list, e) })
	must(t, err)
	if c.Last != int64(len(list)) {
		t.Errorf("%d records were seen, the last is %d", len(list), c.Last)
	}
	return list, c.Head
}

// payoutServer is the requester of the calls.
var payoutServer = rpcserver.Requester{Who: "payout", Via: "websocket"}

// payArgs returns the parameters of a payment.
func payArgs(memo string) rpcserver.Params {
	var p rpcserver.Params
	for _, text := range []string{"alice", "bobby", "12.25", "DCT", memo, "true", "order-77"} {
		raw, _ := json.Marshal(text)
		p.Positional = append(p.Positional, raw)
	}
	return p
}

// unwritableLog returns a log in a folder that does not exist.
func unwritableLog(t *testing.T) *audit.Log {
	t.Helper()
	kept, err := sqlite.Open(filepath.Join(t.TempDir(), "none", "payments.db"))
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	return audit.NewLog(kept.Audit)
}

// allowAll are the rules of the reference.
var allowAll = audit.Rules{Spends: audit.Allow, Keys: audit.Allow}

// decide does what the server and the catalogue do before the operation itself.
func decide(t *testing.T, c *audit.Decider, method string, p rpcserver.Params) (recordOutcome func(error), err error) {
	t.Helper()
	with, recordOutcome, err := c.Decide(t.Context(), payoutServer, method, p)
	if err == nil && with.Begin != nil {
		if err = with.Begin(t.Context(), walletapi.Question{Sentence: "export all private keys", Typed: "export"}); err != nil {
			recordOutcome(err)
		}
	}
	return recordOutcome, err
}

func TestSpendsAreRecordedWithTheirOutcome(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "payments?.db")
	l, _ := openLogAt(t, path)
	if list, head := verifyLog(t, l); len(list) != 0 || head != "" {
		t.Error(list, head)
	}
	c := audit.NewDecider(allowAll, l, nil)
	recordOutcome, err := decide(t, c, "transfer", payArgs("a secret memo"))
	must(t, err)
	if list, _ := verifyLog(t, l); len(list) != 1 {
		t.Errorf("before the call there are %d records", len(list))
	}
	recordOutcome(nil)
	recordOutcome, err = decide(t, c, "transfer", payArgs(""))
	must(t, err)
	recordOutcome(&fault.Error{Code: fault.Locked})
	_, err = decide(t, c, "is_locked", rpcserver.Params{})
	must(t, err)
	list, _ := verifyLog(t, l)
	if len(list) != 4 || list[0].What != "12.25 DCT from alice to bobby broadcast true key order-77" || list[0].Decision != "allow" ||
		list[1].Of != 1 || list[1].Outcome != "done" || list[3].Of != 3 || list[3].Outcome != "locked" {
		t.Errorf("%+v", list)
	}
	text, err := os.ReadFile(path)
	must(t, err)
	if wal, err := os.ReadFile(path + "-wal"); strings.Contains(string(text)+string(wal), "secret memo") || err != nil {
		t.Error("the memo is in the file", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestDenyAndAsk(t *testing.T) {
	t.Parallel()
	l := openLog(t)
	for n, policy := range []audit.Policy{audit.Deny, audit.Ask} {
		_, _, err := audit.NewDecider(audit.Rules{Spends: policy}, l, nil).Decide(t.Context(), rpcserver.Requester{Who: "anybody"},
			"transfer", payArgs(""))
		if no, ok := errors.AsType[*rpcserver.Denied](err); !ok || !strings.Contains(no.Hint, `get_payment "order-77" says whether`) {
			t.Errorf("%s: %v", policy, err)
		}
		if list, _ := verifyLog(t, l); len(list) != n+1 || list[n].Decision != "deny" || list[n].Rule == "" {
			t.Errorf("%s: %+v", policy, list)
		}
	}
}

// A spend that cannot be recorded is refused.
func TestNothingIsSpentWithoutALog(t *testing.T) {
	t.Parallel()
	l := unwritableLog(t)
	if _, err := decide(t, audit.NewDecider(allowAll, l, nil), "transfer", payArgs("")); fault.CodeOf(err) != fault.File {
		t.Error(err)
	}
}

// Transactions that are signed and not sent are recorded without waiting for the disk, but
// none is signed any more once they cannot be recorded.
func TestSignedTransactionsAreRecordedWithoutWaiting(t *testing.T) {
	t.Parallel()
	l, db := openLogAt(t, filepath.Join(t.TempDir(), "payments.db"))
	c := audit.NewDecider(allowAll, l, nil)
	only := payArgs("")
	only.Positional[5] = json.RawMessage("false")
	for range 3 {
		recordOutcome, err := decide(t, c, "transfer", only)
		must(t, err)
		recordOutcome(nil)
	}
	list, _ := verifyLog(t, l)
	if len(list) != 6 {
		t.Fatalf("%+v", list)
	}
	for i, e := range list {
		if e.Of > 0 && (e.Of >= e.Number || list[e.Of-1].Decision != "allow" || e.Outcome != "done") {
			t.Errorf("entry %d is %+v", i+1, e)
		}
	}
	_, err := db.Exec(`ALTER TABLE audit RENAME TO taken_away`)
	must(t, err)
	for range 2 { // the first one returns before the fault shows
		_, err = decide(t, c, "transfer", only)
		if _, err := l.Verify(t.Context(), func(audit.Record) {}); err == nil {
			t.Error("what was noted is not there, and that was not told")
		}
	}
	if fault.CodeOf(err) != fault.File {
		t.Error(err)
	}
	_, err = db.Exec(`ALTER TABLE taken_away RENAME TO audit`)
	must(t, err)
	if list, _ := verifyLog(t, l); len(list) != 7 { // records that could not be written were kept
		t.Errorf("%+v", list)
	}
}

func TestConcurrentRecordsMakeOneChain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "payments.db")
	l, _ := openLogAt(t, path)
	other, _ := openLogAt(t, path)
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			if _, err := []*audit.Log{l, other}[i%2].Append(audit.Record{Who: "x", Method: "transfer"}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if list, _ := verifyLog(t, l); len(list) != 40 {
		t.Errorf("%d records", len(list))
	}
}

func TestEveryChangeOfTheLogShows(t *testing.T) {
	t.Parallel()
	for what, statement := range map[string]string{
		"record 2 of the audit log was changed":     `UPDATE audit SET entry = replace(entry, '"who":"x"', '"who":"y"') WHERE number = 2`,
		"record 2 is missing":                       `DELETE FROM audit WHERE number = 2`,
		"record 1 is missing":                       `DELETE FROM audit WHERE number = 1`,
		"record 3 of the audit log does not follow": `UPDATE audit SET entry = (SELECT entry FROM audit WHERE number = 1), hash = (SELECT hash FROM audit WHERE number = 1) WHERE number = 3`,
	} {
		l, db := openLogAt(t, filepath.Join(t.TempDir(), "payments.db"))
		for range 4 {
			_, err := l.Append(audit.Record{Who: "x", Method: "transfer"})
			must(t, err)
		}
		_, err := db.Exec(statement)
		must(t, err)
		if _, err := l.Verify(t.Context(), func(audit.Record) {}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
	// Changing a record together with its hash breaks the link to the next one.
	l, db := openLogAt(t, filepath.Join(t.TempDir(), "payments.db"))
	for range 3 {
		_, err := l.Append(audit.Record{Who: "x", Method: "transfer"})
		must(t, err)
	}
	var text string
	must(t, db.QueryRow(`SELECT entry FROM audit WHERE number = 2`).Scan(&text))
	text = strings.Replace(text, `"who":"x"`, `"who":"y"`, 1)
	sum := sha256.Sum256([]byte(text))
	_, err := db.Exec(`UPDATE audit SET entry = ?, hash = ? WHERE number = 2`, text, hex.EncodeToString(sum[:]))
	must(t, err)
	if _, err := l.Verify(t.Context(), func(audit.Record) {}); err == nil || !strings.Contains(err.Error(), "record 3") {
		t.Error(err)
	}
}

// What an archive had that was given up is a gap. What comes after it is still a chain.
func TestAGapOfTheLogIsTold(t *testing.T) {
	t.Parallel()
	l, db := openLogAt(t, filepath.Join(t.TempDir(), "payments.db"))
	for range 6 {
		_, err := l.Append(audit.Record{Who: "x", Method: "transfer"})
		must(t, err)
	}
	for _, statement := range []string{
		`INSERT INTO archives (number, name, sha256, size, before_day, made_at, payments, records, last_record, done)
			VALUES (1, 'payments-before-2026-01-01.db', '', 0, 0, 0, 0, 3, 3, 2)`,
		`DELETE FROM audit WHERE number <= 3`,
	} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	var seen []int64
	c, err := l.Verify(t.Context(), func(r audit.Record) { seen = append(seen, r.Number) })
	if err != nil || !slices.Equal(seen, []int64{4, 5, 6}) || c.Last != 6 || c.Records() != 3 || len(c.Gaps) != 1 || c.Gaps[0] != (audit.Gap{First: 1, Last: 3, Archive: "payments-before-2026-01-01.db"}) {
		t.Errorf("%v are seen, %+v, %v", seen, c, err)
	}
	_, err = db.Exec(`DELETE FROM audit WHERE number = 5`)
	must(t, err)
	if _, err := l.Verify(t.Context(), func(audit.Record) {}); err == nil || !strings.Contains(err.Error(), "record 5 is missing") {
		t.Errorf("a record that is missing after the gap is told as %v", err)
	}
	_, err = db.Exec(`DELETE FROM audit WHERE number = 4`)
	must(t, err)
	if _, err := l.Verify(t.Context(), func(audit.Record) {}); err == nil || !strings.Contains(err.Error(), "record 4 is missing") {
		t.Errorf("a record that is missing behind the gap is told as %v", err)
	}
}

// A dry run signs nothing, so it is not recorded and nobody is asked. If spends are denied,
// it is denied, too.
func TestADryRunIsARead(t *testing.T) {
	t.Parallel()
	l := openLog(t)
	p := payArgs("")
	p.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
	for _, rules := range []audit.Rules{allowAll, {Spends: audit.Ask, Keys: audit.Allow}} {
		with, _, err := audit.NewDecider(rules, l, nil).Decide(t.Context(), payoutServer, "transfer", p)
		if err != nil || with.Begin != nil || with.Approve != nil {
			t.Errorf("%+v: %v, asked %v, %v", rules, err, with.Begin != nil, with.Approve != nil)
		}
	}
	if list, _ := verifyLog(t, l); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	_, err := decide(t, audit.NewDecider(audit.Rules{Spends: audit.Deny, Keys: audit.Allow}, l, nil), "transfer", p)
	if fault.CodeOf(err) != fault.Denied {
		t.Error(err)
	}
}
