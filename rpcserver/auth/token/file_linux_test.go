package token

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// backends returns the backends. Each function makes an empty one and returns a function that opens it for one more program.
func backends(t *testing.T) map[string]func(*testing.T) func() *Store {
	t.Helper()
	return map[string]func(*testing.T) func() *Store{
		"file": func(t *testing.T) func() *Store {
			path := filepath.Join(t.TempDir(), "rpc-tokens.json")
			return func() *Store {
				s, err := OpenStore(path)
				must(t, err)
				return s
			}
		},
		"table": func(t *testing.T) func() *Store {
			c := storetest.Start(t)
			url := c.Database()
			o := postgres.Options{MayLose: true}
			must(t, o.Init(t.Context(), url, store.NewID(), nil))
			return func() *Store {
				kept, err := o.OpenAside(t.Context(), url)
				must(t, err)
				t.Cleanup(func() { must(t, kept.Close()) })
				s, err := OpenTable(kept.Tokens)
				must(t, err)
				return s
			}
		},
	}
}

// makeOlder makes loaded tokens older, for backends that consider their age.
func makeOlder(s *Store, by time.Duration) {
	if p, ok := s.backend.(*tableBackend); ok {
		p.now = func() time.Time { return time.Now().Add(by) }
	}
}

// All programs see the same tokens in every backend: what one makes, changes and revokes, the others see.
func TestTokensAreTheSameForAll(t *testing.T) {
	for name, begin := range backends(t) {
		t.Run(name, func(t *testing.T) {
			open := begin(t)
			here, there := open(), open()
			made, credential, err := here.New("till", Scope{Methods: []string{"transfer"}})
			must(t, err)
			makeOlder(there, time.Second)
			got, known, _ := there.find(idOf(credential))
			if !known || !got.matches(credential) || got.Name != "till" || got.Scope.Methods[0] != "transfer" ||
				!got.Created.Equal(made.Created) {
				t.Errorf("elsewhere it is %+v", got)
			}
			if _, _, err := there.New("till", Scope{}); err == nil {
				t.Error("a name was given twice")
			}
			if _, err := there.SetScope(made.ID, Scope{Methods: []string{"is_locked"}}); err != nil {
				t.Error(err)
			}
			makeOlder(here, time.Second)
			if got, _, _ := here.find(made.ID); len(got.Scope.Methods) != 1 || got.Scope.Methods[0] != "is_locked" {
				t.Errorf("it may do %v", got.Scope)
			}
			if _, err := here.Revoke("till"); err != nil {
				t.Error(err)
			}
			makeOlder(there, 2*time.Second) // more than a second after the load before
			if _, known, _ := there.find(made.ID); known {
				t.Error("it is revoked, and known elsewhere")
			}
			if _, err := there.Revoke("till"); !errors.Is(err, ErrNoToken) {
				t.Error(err)
			}
			var group sync.WaitGroup
			for i := range 8 {
				s := open()
				group.Go(func() {
					if _, _, err := s.New(fmt.Sprint("t", i), Scope{}); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			makeOlder(here, 3*time.Second)
			if list, err := here.List(); len(list) != 8 || err != nil {
				t.Errorf("%d of 8 tokens are there (%v)", len(list), err)
			}
		})
	}
}

// While the store does not answer, tokens are used for a few more seconds, and then nobody is let in.
func TestTokensOfAStoreThatIsAway(t *testing.T) {
	c := storetest.Start(t)
	line, url := c.Relay(), c.Database()
	o := postgres.Options{MayLose: true}
	must(t, o.Init(t.Context(), url, store.NewID(), nil))
	kept, err := o.OpenAside(t.Context(), line.URL(t, url))
	must(t, err)
	defer kept.Close()
	s, err := OpenTable(kept.Tokens)
	must(t, err)
	made, credential, err := s.New("till", Scope{})
	must(t, err)
	line.Cut()
	makeOlder(s, time.Second)
	if _, known, err := s.find(made.ID); !known {
		t.Error("it is forgotten at once", err)
	}
	makeOlder(s, staleFor+2*time.Second)
	if _, known, err := s.find(made.ID); known || err == nil {
		t.Error("nobody can tell whether it was revoked, and it is let in, or called unknown")
	}
	_, err = NewAuthenticator(s, nil, Ledger{}).Authenticate(credential, netip.Addr{})
	if fault.CodeOf(err) != fault.File || strings.Contains(err.Error(), "revoked") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("who may be good is told %v", err)
	}
	line.Mend()
	makeOlder(s, staleFor+4*time.Second)
	if _, known, _ := s.find(made.ID); !known {
		t.Error("the store is back, and it is not known")
	}
}

// Tokens are copied from a file to a table, and back.
func TestTokensMove(t *testing.T) {
	all := backends(t)
	file, table := all["file"](t)(), all["table"](t)()
	made, credential, err := file.New("till", Scope{Methods: []string{"transfer"}, PerDay: []Limit{{"5", "DCT"}}})
	must(t, err)
	if n, err := Copy(file, table); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if got, known, _ := table.find(made.ID); !known || !got.matches(credential) || len(got.Scope.PerDay) != 1 {
		t.Errorf("it is %+v", got)
	}
	if _, err := Copy(file, table); err == nil {
		t.Error("tokens were overwritten")
	}
}

// A permitted call pays nothing if its token is revoked elsewhere before the payment is written, however long that takes.
func TestAPaymentOfARevokedTokenIsNotWritten(t *testing.T) {
	c := storetest.Start(t)
	url, o := c.Database(), postgres.Options{MayLose: true, Folder: t.TempDir()}
	must(t, o.Init(t.Context(), url, store.NewID(), nil))
	kept, err := o.Open(t.Context(), url)
	must(t, err)
	defer kept.Close()
	here, err := OpenTable(kept.Tokens)
	must(t, err)
	_, credential, err := here.New("till", Scope{Methods: []string{"transfer"}})
	must(t, err)
	p, err := NewAuthenticator(here, NewSpent(kept.Limits, time.Now), Ledger{}).Authenticate(credential, netip.Addr{})
	must(t, err)
	ctx := store.WithCallBatch(t.Context())
	_, err = p.Authorize(ctx, "transfer", rpcserver.Params{})
	must(t, err)
	must(t, kept.Journal.Add(ctx, store.Entry{ID: ledger.TransactionID{1}, State: store.Prepared, Prepared: time.Now()}))
	beside, err := o.OpenAside(t.Context(), url)
	must(t, err)
	defer beside.Close()
	there, err := OpenTable(beside.Tokens)
	must(t, err)
	_, err = there.Revoke("till")
	must(t, err)
	err = kept.Journal.Add(ctx, store.Entry{ID: ledger.TransactionID{2}, State: store.Prepared, Prepared: time.Now()})
	if no := faulttest.Refused(t, err, fault.Denied); no.RequestKey != "" || !strings.Contains(no.Message, "revoked") {
		t.Errorf("it is answered %+v", no)
	}
}

// A server that gets a hint about a revocation does not wait until its tokens are old.
func TestARevocationIsHeardOf(t *testing.T) {
	c := storetest.Start(t)
	url, o := c.Database(), postgres.Options{MayLose: true, Folder: t.TempDir()}
	must(t, o.Init(t.Context(), url, store.NewID(), nil))
	kept, err := o.Open(t.Context(), url)
	must(t, err)
	defer kept.Close()
	here, err := OpenTable(kept.Tokens)
	must(t, err)
	at := time.Now()
	here.backend.(*tableBackend).now = func() time.Time { return at } // its tokens never get old
	beside, err := o.OpenAside(t.Context(), url)
	must(t, err)
	defer beside.Close()
	there, err := OpenTable(beside.Tokens)
	must(t, err)
	made, _, err := there.New("till", Scope{})
	must(t, err)
	knows := func(want bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			if _, known, _ := here.find(made.ID); known == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("it is never known: %v", want)
			}
		}
	}
	knows(true)
	_, err = there.Revoke("till")
	must(t, err)
	knows(false)
}
