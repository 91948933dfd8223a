package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/walletcore/store"
	"billfold/walletcore/storetest"
)

// claimed is a journal in a folder of its own that has been written to n times.
func claimed(t *testing.T, n int) (path, id string) {
	t.Helper()
	path = filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	id, err := j.Claim(t.Context(), store.NewID())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	goOn(t, path, 1, n)
	return path, id
}

// goOn adds the payments from first on.
func goOn(t *testing.T, path string, first, n int) {
	t.Helper()
	j := open(t, path)
	defer j.Close()
	for i := range n {
		if err := j.Add(t.Context(), entry(uint32(first+i))); err != nil {
			t.Fatal(err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// backUp copies a closed journal; the function it gives puts the copy back.
func backUp(t *testing.T, path string) (restore func()) {
	t.Helper()
	kept := filepath.Join(ramdisk.Folder(t), "backup")
	copyFile(t, path, kept)
	return func() { copyFile(t, kept, path) }
}

func TestALostJournalIsNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, path string)
		want store.LostKind
	}{
		"nothing happened": {func(*testing.T, string) {}, ""},
		"went on":          {func(t *testing.T, path string) { goOn(t, path, 50, 3) }, ""},
		"removed": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, store.Missing},
		"removed with its mark": {func(t *testing.T, path string) {
			for _, p := range []string{path, filepath.Join(filepath.Dir(path), MarkName)} {
				if err := os.Remove(p); err != nil {
					t.Fatal(err)
				}
			}
		}, store.Missing},
		"an older copy": {func(t *testing.T, path string) {
			restore := backUp(t, path)
			goOn(t, path, 50, 3)
			restore()
		}, store.Older},
		"a copy that went on somewhere else": {func(t *testing.T, path string) {
			mark := filepath.Join(filepath.Dir(path), MarkName)
			before := backUp(t, path)
			goOn(t, path, 50, 3)
			here := backUp(t, mark)
			before()
			goOn(t, path, 70, 9)
			here()
		}, store.Foreign},
		"another wallet's": {func(t *testing.T, path string) {
			other, _ := claimed(t, 9)
			copyFile(t, other, path)
		}, store.Foreign},
		"no mark": {func(t *testing.T, path string) {
			if err := os.Remove(filepath.Join(filepath.Dir(path), MarkName)); err != nil {
				t.Fatal(err)
			}
		}, store.NoMark},
		"half a mark": {func(t *testing.T, path string) { // the other half is whole
			mark := filepath.Join(filepath.Dir(path), MarkName)
			raw, err := os.ReadFile(mark)
			if err != nil {
				t.Fatal(err)
			}
			at, err := readMark(mark)
			if err != nil {
				t.Fatal(err)
			}
			raw[(at.Commit%2)*markSlot+60] ^= 1
			if err := os.WriteFile(mark, raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"a mark that cannot be read": {func(t *testing.T, path string) {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), MarkName), []byte("billfold"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, store.NoMark},
	} {
		t.Run(name, func(t *testing.T) {
			path, id := claimed(t, 5)
			c.harm(t, path)
			j := open(t, path)
			defer j.Close()
			err := j.Check(t.Context(), id)
			lost, _ := errors.AsType[*store.LostError](err)
			if lost == nil && (err != nil || c.want != "") || lost != nil && lost.Kind != c.want {
				t.Errorf("it is told as %v", err)
			}
		})
	}
}

// A wallet whose journal is lost writes to it all the same: pins, blocks, drafts. None of that makes the journal whole, however
// much it is, and however often the program is started.
func TestALostJournalStaysLostWhateverIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, path, mark string)
		want store.LostKind
	}{
		"an older copy": {func(t *testing.T, path, _ string) {
			restore := backUp(t, path)
			goOn(t, path, 50, 1)
			restore()
		}, store.Older},
		"a mark that cannot be read": {func(t *testing.T, _, mark string) {
			if err := os.WriteFile(mark, []byte("billfold"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, store.NoMark},
		"an empty mark": {func(t *testing.T, _, mark string) {
			if err := os.WriteFile(mark, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, store.NoMark},
		"another wallet's mark": {func(t *testing.T, _, mark string) {
			other, _ := claimed(t, 2)
			copyFile(t, filepath.Join(filepath.Dir(other), MarkName), mark)
		}, store.Foreign},
	} {
		t.Run(name, func(t *testing.T) {
			path, id := claimed(t, 5)
			c.harm(t, path, filepath.Join(filepath.Dir(path), MarkName))
			check := func(want store.LostKind) {
				t.Helper()
				j := open(t, path)
				defer j.Close()
				if lost, ok := errors.AsType[*store.LostError](j.Check(t.Context(), id)); !ok || lost.Kind != want {
					t.Errorf("it is told as %v", lost)
				}
			}
			check(c.want)
			if c.want == store.Older { // its next commit has the number of the one that it lacks
				c.want = store.Foreign
			}
			for i := range 3 {
				goOn(t, path, 100+10*i, 1+i)
				check(c.want)
			}
			manyCommits(t, path)
			goOn(t, path, 200, 2)
			check(c.want)
			j := open(t, path)
			defer j.Close()
			again, err := j.Renew(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			id = again
			goOn(t, path, 300, 2)
			if err := j.Check(t.Context(), id); err != nil {
				t.Errorf("what was accepted is told as %v", err)
			}
			if at, err := readMark(filepath.Join(filepath.Dir(path), MarkName)); err != nil || at.Commit < commitsKept {
				t.Errorf("its mark stayed at %+v (%v)", at, err)
			}
		})
	}
}

// manyCommits leaves a journal one commit before it forgets the first ones.
func manyCommits(t *testing.T, path string) {
	t.Helper()
	j := open(t, path)
	defer j.Close()
	const last = commitsKept + 10*pruneEvery - 1
	_, err := j.db.Load().Exec(`WITH RECURSIVE n(i) AS (SELECT max(number) + 1 FROM journal_commits UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO journal_commits SELECT i, 'x' FROM n`, last)
	if err == nil {
		_, err = j.db.Load().Exec(`UPDATE journal_log SET number = ?, nonce = 'x'`, last)
	}
	if err == nil { // no log begins so many commits before its first one
		_, err = j.db.Load().Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A key file of earlier versions knows of no journal: the mark alone tells.
func TestAMarkTellsOfAJournalThatNoKeyFileKnows(t *testing.T) {
	path, _ := claimed(t, 2)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	j := open(t, path)
	defer j.Close()
	if lost, ok := errors.AsType[*store.LostError](j.Check(t.Context(), "")); !ok || lost.Kind != store.Missing {
		t.Errorf("it is told as %v", lost)
	}
}

// A damaged mark tells that there was one: the journal is not claimed anew for a key file from before.
func TestADamagedMarkIsNoticedByAKeyFileThatKnowsNoJournal(t *testing.T) {
	for name, text := range map[string]string{"emptied": "", "a text": "billfold"} {
		t.Run(name, func(t *testing.T) {
			path, _ := claimed(t, 2)
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), MarkName), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, kind := range []store.LostKind{store.NoMark, store.Missing} {
				j := open(t, path)
				if lost, ok := errors.AsType[*store.LostError](j.Check(t.Context(), "")); !ok || lost.Kind != kind {
					t.Errorf("it is told as %v", lost)
				}
				if err := errors.Join(j.Close(), os.RemoveAll(path)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A mark that cannot be written would stay where it is, and an older copy would pass for whole.
func TestAMarkThatCannotBeWrittenStopsTheProgram(t *testing.T) {
	path, _ := claimed(t, 2)
	mark := filepath.Join(filepath.Dir(path), MarkName)
	if err := errors.Join(os.Remove(mark), os.Mkdir(mark, 0o700)); err != nil { // whoever runs the test cannot write to that
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || errors.Is(err, errShared) || !strings.Contains(err.Error(), "make it readable and writable") {
		t.Errorf("it is told as %v", err)
	}
	if os.Getuid() == 0 {
		return // who may write to everything
	}
	if err := errors.Join(os.Remove(mark), os.WriteFile(mark, nil, 0o400)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "make it readable and writable") {
		t.Errorf("one that is only read is told as %v", err)
	}
}

func TestAJournalIsClaimedOnce(t *testing.T) {
	path, id := claimed(t, 2)
	j := open(t, path)
	defer j.Close()
	if again, err := j.Claim(t.Context(), store.NewID()); err != nil || again != id {
		t.Errorf("it became %q (%v), it was %q", again, err, id)
	}
	if err := j.Check(t.Context(), id); err != nil {
		t.Error(err)
	}
}

func TestOnlyTheLatestCommitsAreKept(t *testing.T) {
	path, id := claimed(t, 2)
	j := open(t, path)
	defer j.Close()
	const last = commitsKept + 10*pruneEvery - 1
	_, err := j.db.Load().Exec(`WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO journal_commits SELECT i, 'x' FROM n`, last)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(t.Context(), entry(50)); err != nil {
		t.Fatal(err)
	}
	var kept int
	if err := j.db.Load().QueryRow(`SELECT COUNT(*) FROM journal_commits`).Scan(&kept); err != nil || kept != commitsKept {
		t.Errorf("%d are kept (%v)", kept, err)
	}
	if err := j.Check(t.Context(), id); err != nil {
		t.Error(err)
	}
}

// What a program remembers of its latest commit holds only until another one writes to the same journal.
func TestCommitsOfProgramsThatShareAJournalAreNumberedInTurn(t *testing.T) {
	path, _ := claimed(t, 0)
	one, other := open(t, path), open(t, path)
	defer one.Close()
	defer other.Close()
	before, err := one.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	turns := []*book{one, one, other, one, other, other, one}
	for i, j := range turns {
		if err := j.Add(t.Context(), entry(uint32(i))); err != nil {
			t.Fatal(err)
		}
	}
	after, err := other.Position(t.Context())
	if err != nil || after.ID != before.ID || after.Commit != before.Commit+int64(len(turns)) {
		t.Errorf("from %+v it came to %+v, %v", before, after, err)
	}
	id, err := one.Renew(t.Context())
	if err == nil {
		err = errors.Join(one.Add(t.Context(), entry(100)), one.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if last := one.state.last; last.ID != id || last.Commit != after.Commit+2 {
		t.Errorf("who renewed it remembers %+v", last)
	}
	if err := errors.Join(other.Add(t.Context(), entry(101)), other.Close()); err != nil {
		t.Fatal(err)
	}
	if last := other.state.last; last.ID != id || last.Commit != after.Commit+3 {
		t.Errorf("the other one remembers %+v", last)
	}
}

// Whichever statement fails, a hold is told as ended only where it has, and a deposit as acknowledged, now or before, only where it is.
func TestAStatementThatFailsIsNoSuccess(t *testing.T) {
	path, _ := claimed(t, 2)
	faults := new(storetest.Faults)
	book, err := Options{Between: faults.Between}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	failed := 0
	each := func(do func(n int) (hit string)) {
		for n := 1; do(n) != ""; n++ {
			failed++
		}
	}
	each(func(n int) string {
		to := store.Cursor{Block: uint32(n)}
		if faults.Arm(n, false); n == 1 {
			faults.ArmAt("INSERT INTO deposit_cursors", 1, false)
		}
		moved, err := book.Cursors.Advance(t.Context(), 17, to)
		hit := faults.Disarm()
		if at, unread := book.Cursors.Cursor(t.Context(), 17); unread != nil || err == nil && (!moved || at != to) || err != nil && moved {
			t.Errorf("%q failed: acknowledged %t, %v, and the cursor is at %v (%v)", hit, moved, err, at, unread)
		}
		return hit
	})
	each(func(n int) string {
		if err := book.Journal.Identity.(*file).Write(t.Context(), store.HoldFor("a test holds it", time.Now())); err != nil {
			t.Fatal(err)
		}
		faults.Arm(n, false)
		_, err := book.Journal.Renew(t.Context())
		hit := faults.Disarm()
		if hold, unread := book.Journal.Hold(t.Context()); unread != nil || err == nil && hold.Why != "" {
			t.Errorf("%q failed: the hold ended with %v, and it is %+v (%v)", hit, err, hold, unread)
		}
		return hit
	})
	if failed < 8 {
		t.Errorf("only %d statements failed", failed)
	}
}
