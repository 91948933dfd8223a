package main

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// A store that moves while a wallet pays takes along every payment that the wallet acknowledged; all others are refused, and say
// where the store went.
func TestAStoreThatMovesTakesEveryPaymentAlong(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	for range 3 {
		address, folder := c.Database(), testwallet.Folder(t)
		own, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
		must(t, err)
		payment := func(caller, n uint32) store.Entry {
			e := store.Entry{State: store.Prepared, Bytes: []byte{1, 2, 3}, Expiration: 1_800_000_000, RefBlock: 24, Prepared: time.Now()}
			binary.BigEndian.PutUint32(e.ID[:], caller)
			binary.BigEndian.PutUint32(e.ID[4:], n)
			e.Key = "order-" + e.ID.String()
			return e
		}
		must(t, own.Journal.Add(t.Context(), payment(99, 0)))
		var mu sync.Mutex
		var acknowledged []ledger.TransactionID
		var callers sync.WaitGroup
		for caller := range uint32(4) {
			callers.Go(func() {
				for n := uint32(0); ; n++ {
					e := payment(caller, n)
					if err := own.Journal.Add(t.Context(), e); err != nil {
						if moved, is := errors.AsType[*store.MovedError](err); !is || !strings.Contains(moved.Error(), "wallet") &&
							!strings.Contains(moved.Error(), "at ") {
							t.Errorf("refused because %v", err)
						}
						return
					}
					mu.Lock()
					acknowledged = append(acknowledged, e.ID)
					mu.Unlock()
				}
			})
		}
		time.Sleep(50 * time.Millisecond) // they pay
		out, told, code := runToEnd(t, "", "store", "init", "--from="+folder, "--store="+address, "--store-may-lose", "--data-dir="+folder)
		if code != 0 {
			t.Error(out, told)
		}
		callers.Wait()
		if err := own.Journal.Fault(); err == nil || !strings.Contains(err.Error(), "was moved into store") {
			t.Errorf("whoever holds it says %v", err)
		}
		must(t, own.Close())
		db, err := sql.Open("pgx", address)
		must(t, err)
		missing := 0
		for _, id := range acknowledged {
			var n int
			must(t, db.QueryRow(`SELECT COUNT(*) FROM payments WHERE id = $1 AND request_key = $2`, id.String(), "order-"+id.String()).Scan(&n))
			if n == 0 {
				missing++
			}
		}
		must(t, db.Close())
		if missing > 0 || len(acknowledged) == 0 {
			t.Errorf("%d of %d acknowledged payments are missing", missing, len(acknowledged))
		}
		// The file says so to the next program, too, even where somebody puts it back.
		put := filepath.Join(testwallet.Folder(t), sqlite.Name)
		must(t, copyFile(filepath.Join(folder, sqlite.Name+movedSuffix), put))
		_ = copyFile(filepath.Join(folder, sqlite.Name+"-wal"+movedSuffix), put+"-wal")
		if _, err := sqlite.Open(put); err == nil || !strings.Contains(err.Error(), "was moved into store") {
			t.Errorf("put back, it says %v", err)
		}
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	return err
}

// Commands that make and move a store say what they did on standard error where standard output takes nothing.
func TestAStoreMovesUntold(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	for lost := range lostWriters {
		folder := testwallet.Folder(t)
		words := map[string]string{"STORE": "--store=" + c.Database() + " --store-may-lose --data-dir=" + folder, "FOLDER": folder}
		for _, run := range []changingRun{
			{"store init", "STORE store init", "", `store \w+ was made`, shell.Done},
			{"store migrate", "STORE store migrate", "", `version`, shell.Done},
			{"store export", "STORE store export FOLDER/own", "", `(?s)0 payments .*are in .*own`, shell.Done},
		} {
			runUntold(t, run, lost, words)
		}
	}
}

// A wallet keeps its store, and goes on paying, if the database that it was to move into does not answer, lets nobody in or is not fit.
func TestAStoreThatCannotMoveStaysInUse(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	c.Admin(`CREATE DATABASE closed OWNER postgres`)
	address, folder := c.Database(), testwallet.Folder(t)
	own, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
	must(t, err)
	payment := func(n byte) store.Entry {
		return store.Entry{ID: ledger.TransactionID{n}, State: store.Prepared, Bytes: []byte{1, 2, 3}, Expiration: 1_800_000_000, RefBlock: 24,
			Prepared: time.Now(), Key: fmt.Sprint("order-", n)}
	}
	must(t, own.Journal.Add(t.Context(), payment(1)))
	for n, x := range []struct{ at, why string }{
		{"postgres://billfold@127.0.0.1:1/wallet", "does not answer"},
		{strings.Replace(address, "billfold@", "nobody_has_this_name@", 1), "does not let"},
		{strings.Replace(address, "/"+c.Name(address), "/closed", 1), "may not use it"},
	} {
		refused(t, x.why, "store", "init", "--from="+folder, "--store="+x.at, "--store-may-lose", "--data-dir="+folder)
		if err := own.Journal.Add(t.Context(), payment(byte(2+n))); err != nil {
			t.Fatalf("after %q the wallet is told %v", x.why, err)
		}
	}
	refused(t, "no synchronous standby", "store", "init", "--from="+folder, "--store="+address, "--data-dir="+folder)
	must(t, own.Journal.Add(t.Context(), payment(9)))
	must(t, own.Close())
	if out, told, code := runToEnd(t, "", "store", "init", "--from="+folder, "--store="+address, "--store-may-lose", "--data-dir="+folder); code != 0 ||
		!strings.Contains(out, "5 payments") {
		t.Error(out, told)
	}
}
