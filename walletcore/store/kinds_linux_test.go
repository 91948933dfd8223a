package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// kinds are the kinds of store, each with what makes empty ones.
func kinds() map[string]func(*testing.T) func(*testing.T) place {
	return map[string]func(*testing.T) func(*testing.T) place{"sqlite": file, "postgres": database}
}

// database is a PostgreSQL, which programs share as servers with a folder each.
func database(t *testing.T) func(*testing.T) place {
	c := storetest.Start(t)
	return func(t *testing.T) place {
		url, folder := newStore(t, c), t.TempDir()
		name := c.Name(url)
		count := func(t testing.TB) string {
			t.Helper()
			for c.Admin("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '"+name+"'") != "0" { // they count when they end
				time.Sleep(20 * time.Millisecond)
			}
			return c.Admin("SELECT deadlocks FROM pg_stat_database WHERE datname = '" + name + "'")
		}
		return place{owned: true, deadlocks: count, open: func(t testing.TB, program int) *store.Store {
			t.Helper()
			own := filepath.Join(folder, strconv.Itoa(program))
			must(t, os.MkdirAll(own, 0o700))
			s, err := postgres.Options{MayLose: true, Folder: own}.Open(t.Context(), url)
			must(t, err)
			t.Cleanup(func() { _ = s.Close() })
			return s
		}}
	}
}
