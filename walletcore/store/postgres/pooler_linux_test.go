package postgres_test

import (
	"strings"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// A pooler hands sessions on, or forgets their settings; a store is not used through one, and why is told in a sentence.
func TestAPoolerIsRefused(t *testing.T) {
	c := storetest.Start(t)
	direct, o := c.Database(), postgres.Options{Folder: t.TempDir(), MayLose: true, Lease: lease}
	if err := o.Init(t.Context(), direct, store.NewID(), nil); err != nil {
		t.Fatal(err)
	}
	const lenient = "ignore_startup_parameters = extra_float_digits, idle_in_transaction_session_timeout, lock_timeout, " +
		"client_connection_check_interval, default_transaction_isolation, statement_timeout, search_path"
	for name, through := range map[string]string{
		"session": c.Pooler("session"), "transaction": c.Pooler("transaction"),
		"session, without settings": c.Pooler("session", lenient), "transaction, without settings": c.Pooler("transaction", lenient),
	} {
		address := strings.Replace(direct, c.Address(), through, 1)
		s, err := o.Open(t.Context(), address)
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: it is used", name)
			continue
		}
		if t.Log(name, err); !strings.Contains(err.Error(), "pooler") {
			t.Errorf("%s: nobody is told why: %v", name, err)
		}
	}
}
