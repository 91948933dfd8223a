package postgres

import (
	"context"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5"
)

// A store of the first version is refused until it was migrated, which no server may see happen; then everything is there. A store that
// a newer program made is used as far as that allows it.
func TestAStoreOfAnotherVersion(t *testing.T) {
	c := storetest.Start(t)
	url := c.Database()
	o := Options{Folder: t.TempDir(), Server: "one", MayLose: true}
	ctx := t.Context()
	if err := o.alter(ctx, url, func(conn *pgx.Conn, _ int) error {
		for _, statement := range append(migrations()[0], // as the program of then did
			`INSERT INTO store_meta (one, store_id, version, oldest_reader, generation, held_since, held_why)
				VALUES (1, 'id', 1, 1, 1, 7, 'old')`,
			`INSERT INTO payments (id, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at, sent_at,
				in_block_at, chain, request, proven, sure_block, owner)
				VALUES ('`+ledger.TransactionID{7}.String()+`', 'irreversible', '00', 5, 1, 2, 0, '', '', 1000, 2000, 3000, '', '', 1, 0, 's')`,
			`INSERT INTO servers VALUES ('s', 'alive', 1, 1, 'n', 0, 9999999999999, '', 1, '')`) {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	refused := func(why string) {
		t.Helper()
		s, err := o.Open(ctx, url)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("it is answered %v, not %s", err, why)
		}
	}
	refused("billfold store migrate brings it up to date")
	if _, _, err := o.Migrate(ctx, url); err == nil || !strings.Contains(err.Error(), "alive") {
		t.Errorf("it is migrated under a server that lives: %v", err)
	}
	do := func(statement string) {
		t.Helper()
		if err := o.alter(ctx, url, func(conn *pgx.Conn, _ int) error { _, err := conn.Exec(ctx, statement); return err }); err != nil {
			t.Fatal(err)
		}
	}
	do(`UPDATE servers SET expires_at = 0`)
	if before, after, err := o.Migrate(ctx, url); before != 1 || after != len(migrations()) || err != nil {
		t.Fatal(before, after, err)
	}
	s, err := o.Open(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	if hold, err := s.Journal.Hold(context.Background()); hold.Why != "old" || hold.Search || err != nil {
		t.Errorf("the earlier hold is %+v (%v)", hold, err)
	}
	if was, err := s.Journal.Get(ctx, ledger.TransactionID{7}); err != nil || was.State != store.Irreversible || !was.FinalAt.IsZero() {
		t.Errorf("the payment of before is %+v (%v)", was, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	do(`UPDATE store_meta SET version = version + 1`) // which the version before may still use
	if s, err = o.Open(ctx, url); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	do(`UPDATE store_meta SET oldest_reader = version`)
	refused("newer version")
}
