package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/storetest"
)

// A store that forgot is held, and the hold is in the store: one that is put in its place, and forgot less, is held as well, also where the
// servers have started and written meanwhile.
func testOlderCopies(t *testing.T, c *storetest.Cluster) {
	ctx, url, folder := t.Context(), initialised(t, c), t.TempDir()
	a := server(t, folder, url)
	for n := range uint32(10) {
		if err := a.Journal.Add(ctx, payment(n, "")); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	at, db := a.Journal.Server(), open(t, url)
	copied := func(mark int) {
		t.Helper()
		for _, do := range []string{
			fmt.Sprintf(`UPDATE servers SET epoch = 1, mark = %d, nonce = 'copied', expires_at = 0 WHERE id = '%s'`, mark, at),
			`DELETE FROM held_for`, `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', held_from = 0`,
		} {
			if _, err := db.Exec(ctx, do); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, mark := range []int{2, 7} {
		copied(mark)
		for range 2 {
			a = server(t, folder, url)
			if _, held := errors.AsType[*store.HeldError](a.Journal.Add(ctx, payment(20, ""))); !held {
				t.Errorf("it pays from a copy with %d commits", mark)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	a = server(t, folder, url)
	if _, err := a.Journal.Renew(ctx); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Journal.Add(ctx, payment(30, "")), a.Close()); err != nil {
		t.Errorf("what was accepted is answered %v", err)
	}
	a = server(t, folder, url)
	if err := a.Journal.Add(ctx, payment(31, "")); err != nil {
		t.Errorf("after another start, what was accepted is answered %v", err)
	}
}
