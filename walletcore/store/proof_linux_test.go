package store_test

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5"
)

var errRevoked = errors.New("revoked")

// provenBy has payments made with a token, until they are refused; it returns how many were made.
func provenBy(t *testing.T, token store.TokenRow, callers int, servers ...*server) func() int64 {
	var made, number atomic.Int64
	var work sync.WaitGroup
	for _, s := range servers {
		for range callers {
			work.Go(func() {
				for {
					ctx := store.WithCallBatch(t.Context())
					store.CallBatchOf(ctx).Require(&store.TokenProof{Row: token, Refusal: errRevoked})
					n := number.Add(1)
					e := entry(uint32(n))
					e.Key = "key " + strconv.Itoa(int(n))
					switch err := s.outcome(ctx, e); {
					case err == nil:
						made.Add(1)
					case errors.Is(err, errRevoked):
						return
					default:
						t.Error(err)
						return
					}
				}
			})
		}
	}
	return func() int64 {
		work.Wait()
		return made.Load()
	}
}

// Nothing that a token makes is committed after its revocation was, however busy it is and wherever it is revoked. The tokens beside it
// are not disturbed.
func TestARevokedTokenPaysNothingMore(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	for name, revoker := range map[string]func(url string, all []*server) *store.Store{
		"at a server": func(_ string, all []*server) *store.Store { return all[0].Store },
		"beside them": func(url string, _ []*server) *store.Store {
			desk, err := postgres.Options{MayLose: true}.OpenAside(t.Context(), url)
			must(t, err)
			t.Cleanup(func() { must(t, desk.Close()) })
			return desk
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := newStore(t, c)
			all := []*server{newServer(t, c, url), newServer(t, c, url)}
			till := store.TokenRow{ID: "till", Name: "till", Hash: "1", Scope: "{}"}
			other := store.TokenRow{ID: "other", Name: "other", Hash: "2", Scope: "{}"}
			admin, err := pgx.Connect(t.Context(), url)
			must(t, err)
			defer admin.Close(t.Context())
			for _, statement := range []string{ // who revokes notes what is paid by then, and takes its time before it commits
				`CREATE TABLE seen (payments BIGINT)`,
				`CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					INSERT INTO seen SELECT COUNT(*) FROM payments WHERE request_key LIKE 'key %'; PERFORM pg_sleep(0.3); RETURN NULL; END $$`,
			} {
				_, err := admin.Exec(t.Context(), statement)
				must(t, err)
			}
			tokens := revoker(url, all).Tokens
			must(t, tokens.Replace(t.Context(), 1, []store.TokenRow{till, other}))
			_, err = admin.Exec(t.Context(), `CREATE TRIGGER see AFTER DELETE ON tokens EXECUTE FUNCTION see()`)
			must(t, err)
			made := provenBy(t, till, 8, all...)
			time.Sleep(300 * time.Millisecond)
			must(t, tokens.Replace(t.Context(), 2, []store.TokenRow{other}))
			paid := made()
			var seen, there int64
			must(t, admin.QueryRow(t.Context(), `SELECT (SELECT payments FROM seen), COUNT(*) FROM payments`).Scan(&seen, &there))
			if seen != paid || there != paid || paid == 0 {
				t.Errorf("%d payments were made before the revocation, %d are told, %d are there", seen, paid, there)
			}
			ctx := store.WithCallBatch(t.Context())
			store.CallBatchOf(ctx).Require(&store.TokenProof{Row: other, Refusal: errRevoked})
			must(t, all[1].outcome(ctx, entry(1<<20)))
			for what, proof := range map[string]store.TokenProof{
				"another scope":      {Row: store.TokenRow{ID: "other", Hash: "2", Scope: "{ }"}},
				"another credential": {Row: store.TokenRow{ID: "other", Hash: "3", Scope: "{}"}},
				"run out":            {Row: other, Expires: time.Now().Add(-time.Second)},
			} {
				proof.Refusal = errRevoked
				store.CallBatchOf(ctx).Require(&proof)
				if err := all[0].outcome(ctx, entry(1<<20+1)); !errors.Is(err, errRevoked) {
					t.Errorf("a payment of a token with %s: %v", what, err)
				}
			}
			if _, err := all[1].Journal.Get(t.Context(), entry(1<<20+1).ID); !errors.Is(err, store.ErrNotFound) {
				t.Error("what was refused is there:", err)
			}
		})
	}
}
