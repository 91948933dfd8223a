package payment_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

const (
	speedTurn  = 2 * time.Second // each side of a row at a time
	speedTurns = 3
	farAway    = 500 * time.Microsecond // a round trip
)

// TestStoreSpeed prints what stores of several servers do a second, beside what PostgreSQL's own pgbench makes of one row a
// transaction on the same cluster, in turns: each row has its limit in the same run.
func TestStoreSpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip("the figures are worth something on a quiet machine only: make bench runs it")
	}
	c := storetest.Start(t)
	s := &storeSpeed{T: t, cluster: c, line: c.Relay()}
	s.url = s.empty()
	s.line.Delay(farAway)
	for _, r := range []struct {
		name    string
		measure func(*storeSpeed)
	}{
		{"journal beside it", func(s *storeSpeed) { s.journal("journal, 64 callers, the database beside it", s.url, 64, 0) }},
		{"one caller", func(s *storeSpeed) { s.journal("journal, 1 caller, 0.5 ms away", s.line.URL(s, s.url), 1, 0) }},
		{"journal", func(s *storeSpeed) { s.journal("journal, 64 callers, 0.5 ms away", s.line.URL(s, s.url), 64, 10_000) }},
		{"servers", (*storeSpeed).servers},
		{"sends", (*storeSpeed).sends},
	} {
		t.Run(r.name, func(t *testing.T) {
			s.T = t
			r.measure(s)
		})
	}
	t.Logf("\n%s", s.table.String())
}

type storeSpeed struct {
	*testing.T
	cluster *storetest.Cluster
	line    *storetest.Relay
	url     string
	next    atomic.Uint32
	table   strings.Builder
}

// row adds one to the table; it fails where a share of the limit, or a rate, is not reached.
func (s *storeSpeed) row(what string, reached float64, limit string, of, share, least float64) {
	wanted := ""
	if share > 0 {
		wanted = fmt.Sprintf("≥ %.1f ×", share)
	}
	if least > 0 {
		wanted = fmt.Sprintf("≥ %.0f/s", least)
	}
	text := fmt.Sprintf("%-46s %7.0f/s   %-44s %7.0f/s  %5.2f   %s", what, reached, limit, of, reached/of, wanted)
	s.Log(text)
	fmt.Fprintln(&s.table, text)
	if reached < share*of || reached < least {
		s.Errorf("%s reaches %.0f/s; %s is wanted", what, reached, wanted)
	}
}

// empty makes an empty store.
func (s *storeSpeed) empty() (url string) {
	s.Helper()
	url = s.cluster.Database()
	testwallet.Must(s, postgres.Options{MayLose: true}.Init(s.Context(), url, store.NewID(), nil))
	return url
}

// open opens the store as a server of its own.
func (s *storeSpeed) open(url string) *store.Store {
	s.Helper()
	book, err := postgres.Options{Folder: s.TempDir(), MayLose: true}.Open(s.Context(), url)
	testwallet.Must(s, err)
	return book
}

// journal compares new payments with pgbench, each client of which writes a row like them a transaction.
func (s *storeSpeed) journal(what, url string, callers int, least float64) {
	s.Helper()
	book := s.open(url)
	defer book.Close()
	var reached, of float64
	for range speedTurns {
		reached += s.write(callers, book) / speedTurns
		of += s.cluster.Bench(url, aRow, callers, speedTurn) / speedTurns
	}
	s.row(what, reached, fmt.Sprintf("pgbench, clients: %d", callers), of, 0, least)
}

// aRow is a new payment as pgbench writes it.
const aRow = `INSERT INTO payments (id, request_key, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at,
	sent_at, in_block_at, chain, request, proven, sure_block, owner)
	VALUES (md5(random()::text), md5(random()::text), 'irreversible', repeat('ab', 200), 1, 1, 1, 1, '', '', 1, 1, 1, '', '', 1, 1, 'pgbench');
`

// write returns how many new payments a second so many callers write into the journals, in turn.
func (s *storeSpeed) write(callers int, books ...*store.Store) float64 {
	var made atomic.Int64
	var all sync.WaitGroup
	begin := time.Now()
	for i := range callers {
		book := books[i%len(books)]
		all.Go(func() {
			for time.Since(begin) < speedTurn {
				n := s.next.Add(1)
				e := store.Entry{Key: "order " + strconv.Itoa(int(n)), State: store.Prepared, Expiration: 1_800_000_000,
					Bytes: make([]byte, 200), Prepared: time.UnixMilli(1_800_000_000_000 + int64(n))}
				binary.BigEndian.PutUint32(e.ID[:], n)
				if err := book.Journal.Add(context.Background(), e); err != nil {
					s.Error(err)
					return
				}
				made.Add(1)
			}
		})
	}
	all.Wait()
	return float64(made.Load()) / time.Since(begin).Seconds()
}

// servers compares three servers of one store with one.
func (s *storeSpeed) servers() {
	var books []*store.Store
	for range 3 {
		book := s.open(s.line.URL(s, s.url))
		defer book.Close()
		books = append(books, book)
	}
	var one, three float64
	for range speedTurns {
		one += s.write(64, books[0]) / speedTurns
		three += s.write(3*64, books...) / speedTurns
	}
	s.row("journal, three servers of 64 callers", three, "one server", one, 1.5, 0)
}

// sends compares payments of a wallet over this store with those over a file.
func (s *storeSpeed) sends() {
	file, err := sqlite.Open(filepath.Join(s.TempDir(), "payments.db"))
	testwallet.Must(s, err)
	defer file.Close()
	far := s.open(s.empty()) // what the others wrote would be taken over and followed
	defer far.Close()
	of, reached := s.payer(file), s.payer(far)
	var overFile, overFar float64
	for range speedTurns {
		overFile += of() / speedTurns
		overFar += reached() / speedTurns
	}
	s.row("sends over PostgreSQL, 64 callers", overFar, "sends over SQLite", overFile, 0.7, 0)
}

// payer returns what makes payments of a wallet of its own for a while, on a ledger that makes a block every 0.2 s.
func (s *storeSpeed) payer(book *store.Store) (perSecond func() float64) {
	s.Helper()
	genesis, err := sandbox.DemoGenesis(time.Now())
	testwallet.Must(s, err)
	box := testwallet.Ledger(s, sandbox.Options{Genesis: genesis, BlockTime: 200 * time.Millisecond})
	w := testwallet.Connect(s, filepath.Join(s.TempDir(), "wallet.keys"), box.URL(), func(c *walletcore.Config) { c.Store = book })
	testwallet.Must(s, w.Client.WaitOnline(s.Context()))
	testwallet.Must(s, w.Vault.Create(s.Context(), testwallet.Password))
	w.ImportKey("alice", testwallet.Key("alice"))
	w.Box = box
	w.Mine()
	return func() float64 {
		var made atomic.Int64
		var all sync.WaitGroup
		begin := time.Now()
		for range 64 {
			all.Go(func() {
				for time.Since(begin) < speedTurn {
					if err := pay(s.Context(), w, s.next.Add(1)); err != nil {
						s.Error(err)
						return
					}
					made.Add(1)
				}
			})
		}
		all.Wait()
		return float64(made.Load()) / time.Since(begin).Seconds()
	}
}

func pay(ctx context.Context, w *testwallet.Wallet, n uint32) error {
	transfer := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "0.001", Asset: "DCT", Memo: "for order 77"}
	_, err := w.Payments.Spend(ctx, txbuild.NewRequest("transfer", transfer, txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: "order " + strconv.Itoa(int(n))})
	return err
}
