package payment_test

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// BenchmarkPayments measures journalled payments with memo, by one and by 64
// callers: next to the limit, which is signature, memo and journal alone, and
// with the ledger's own work (a sandbox in this process checks each signature).
func BenchmarkPayments(b *testing.B) {
	for _, callers := range []int{1, 64} {
		n := "callers=" + strconv.Itoa(callers)
		b.Run("limit: signature and memo/"+n, func(b *testing.B) { benchBare(b, callers, nil) })
		b.Run("limit: signature, memo and journal/"+n, func(b *testing.B) { benchBare(b, callers, benchJournal(b)) })
		b.Run("journalled send/"+n, func(b *testing.B) { benchSend(b, callers, func(int64) string { return "" }) })
		b.Run("journalled send with request key/"+n, func(b *testing.B) {
			benchSend(b, callers, func(n int64) string { return "order " + strconv.FormatInt(n, 10) })
		})
	}
}

// byCallers does b.N things.
func byCallers(b *testing.B, callers int, one func(n int64) error) {
	b.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := one(n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
}

func benchJournal(b *testing.B) *store.Store {
	b.Helper()
	book, err := sqlite.Open(filepath.Join(b.TempDir(), "payments.db"))
	testwallet.Must(b, err)
	b.Cleanup(func() { _ = book.Close() })
	return book
}

// benchBare does what a payment cannot do without.
func benchBare(b *testing.B, callers int, book *store.Store) {
	own, to := ledger.DeriveKey("bench", 0), ledger.DeriveKey("bench", 1).Public()
	from := own.Public()
	secret, err := own.SharedSecret(to)
	testwallet.Must(b, err)
	var made atomic.Uint32
	byCallers(b, callers, func(int64) error {
		memo, err := ledger.EncryptMemoWith(secret, from, to, 0, "for order 77")
		if err != nil {
			return err
		}
		tx := ledger.SignedTransaction{
			Transaction: ledger.Transaction{Expiration: ledger.Time(made.Add(1)), Operations: []ledger.Operation{
				ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo})}},
		}
		digest, err := tx.Digest(ledger.ChainID{})
		if err != nil {
			return err
		}
		tx.Signatures = []ledger.Signature{own.Sign(digest)}
		if book == nil {
			return nil
		}
		p := payment.EntryOfTransaction(tx)
		if p.ID, err = tx.ID(); err != nil {
			return err
		}
		e, err := p.JournalEntry()
		if err != nil {
			return err
		}
		return book.Journal.Add(context.Background(), e)
	})
}

// benchSend pays on a ledger that makes a block every 0.2 s.
func benchSend(b *testing.B, callers int, key func(int64) string) {
	book := benchJournal(b)
	genesis, err := sandbox.DemoGenesis(time.Now())
	testwallet.Must(b, err)
	box := testwallet.Ledger(b, sandbox.Options{Genesis: genesis, BlockTime: 200 * time.Millisecond})
	s := testwallet.Connect(b, filepath.Join(b.TempDir(), "wallet.keys"), box.URL(), func(c *walletcore.Config) { c.Store = book })
	ctx := context.Background()
	testwallet.Must(b, s.Client.WaitOnline(ctx))
	testwallet.Must(b, s.Vault.Create(ctx, testwallet.Password))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.Box = box
	s.Mine() // the beginning is days old
	byCallers(b, callers, func(n int64) error {
		_, err := s.Payments.Spend(
			ctx,
			txbuild.NewRequest(
				"transfer",
				txbuild.TransferParams{From: "alice", To: "bobby", Amount: "0.001", Asset: "DCT", Memo: "for order 77"},
				txbuild.Transfer,
			),
			payment.Sending{Broadcast: true, Key: key(n)},
		)
		return err
	})
}

// BenchmarkCatchUp reads the 2,000 blocks that may hold one payment, over a line
// on which a round trip takes 20 ms.
func BenchmarkCatchUp(b *testing.B) {
	const blocks = 2000
	box := testwallet.Ledger(b, sandbox.Options{})
	for range blocks {
		_, err := box.Mine()
		testwallet.Must(b, err)
	}
	s := testwallet.Connect(b, filepath.Join(b.TempDir(), "wallet.keys"), longLine(b, box.URL(), 10*time.Millisecond), nil)
	testwallet.Must(b, s.Client.WaitOnline(s.Ctx))
	ctx := context.Background()
	dyn, err := s.Client.DynamicGlobalProperties(ctx)
	testwallet.Must(b, err)
	for b.Loop() {
		f := payment.NewFollower(s.Payments)
		daemon, err := s.Client.Current()
		testwallet.Must(b, err)
		f.Use(daemon)
		testwallet.Must(b, f.Trust(ctx))
		if err := f.ReadFrom(ctx, dyn.HeadBlockNumber-blocks+1, &dyn); err != nil || f.Next() != dyn.HeadBlockNumber+1 {
			b.Fatal(f.Next(), err)
		}
	}
	b.ReportMetric(blocks*float64(b.N)/b.Elapsed().Seconds(), "blocks/s")
}

// longLine passes what it hears on to a daemon and back, each way so much later.
func longLine(b *testing.B, url string, later time.Duration) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testwallet.Must(b, err)
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(url, "ws://"))
			if err != nil {
				_ = near.Close()
				continue
			}
			go passLater(near, far, later)
			go passLater(far, near, later)
		}
	}()
	return "ws://" + l.Addr().String()
}

type piece struct {
	due  time.Time
	data []byte
}

func passLater(from io.Reader, to io.WriteCloser, later time.Duration) {
	defer to.Close()
	under := make(chan piece, 10_000)
	go func() {
		defer close(under)
		for {
			data := make([]byte, 64<<10)
			n, err := from.Read(data)
			if err != nil {
				return
			}
			under <- piece{time.Now().Add(later), data[:n]}
		}
	}()
	for p := range under {
		time.Sleep(time.Until(p.due))
		_, _ = to.Write(p.data) // a line that broke ends the reading as well
	}
}
