package payment_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// usualPayments is the number of payments that the trial makes with all other tests: a few lives of the wallet, the first of which is killed and
// the second of which pays some orders twice at once. From 1,000 on, as in make payments, every kind of trouble must have come.
const usualPayments = 120

// TestPayments makes payments while everything fails that can: wallets end in
// the middle or are killed, the daemon ends and comes back without what was
// pending, lines break before and after the broadcast, answers come too late,
// broadcasts are refused, forks take blocks back, requests come twice, and two
// programs share a wallet. Each payment is an order that is asked for, under
// request keys, until it is paid. In the end balances, blocks and journal must
// agree: no order is paid twice, none is lost, no state is wrong.
//
// PAYMENTS_TRIALS says how many, PAYMENTS_SEED which; with all other tests it makes
// usualPayments.
func TestPayments(t *testing.T) {
	t.Parallel()
	count, seed := usualPayments, rand.Uint64()
	if text := os.Getenv("PAYMENTS_TRIALS"); text != "" {
		n, err := strconv.Atoi(text)
		testwallet.Must(t, err)
		count = n
	}
	if text := os.Getenv("PAYMENTS_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		testwallet.Must(t, err)
		seed = n
	}
	t.Logf("%d payments from seed %d; repeat with PAYMENTS_SEED=%d", count, seed, seed)
	began := time.Now()
	tr := newTrial(t, seed, count)
	tr.payAll()
	tr.stopDaemon()
	tr.startDaemon() // what it kept on disk is what counts
	found := tr.verify()
	t.Logf("%d payments from seed %d in %v: %+v", count, seed, time.Since(began).Round(time.Second), tr.counts.read())
	t.Logf(
		"paid twice: %d, lost: %d, states wrong: %d, balances wrong: %d, answers wrong: %d",
		found.twice,
		found.lost,
		found.states,
		found.balances,
		found.answers,
	)
	if found != (findings{}) {
		t.Error("payments were not made once each")
	}
	c := tr.counts.read()
	if c.Kills+c.Twins == 0 || // few payments may miss one of them by chance
		count >= 1000 &&
			(c.Kills == 0 || c.Twins == 0 || c.Ends == 0 || c.Daemons == 0 || c.Forks == 0 || c.Cuts == 0 ||
				c.Refusals == 0 || c.SlowJournals == 0 || c.SlowBlocks == 0 || c.Forgot == 0 || c.Unknown == 0) {
		t.Error("the trial did not try what it should")
	}
}

// trial is a ledger with two lines to it, a wallet's folder, and the orders.
type trial struct {
	t      testing.TB
	count  int
	counts *counts

	mu   sync.Mutex
	luck *rand.Rand
	deck []trouble // what goes wrong next

	slowed int // how many troubles until blocks are answered at once again; the storm's own

	heard atomic.Int64  // outcomes that callers heard
	pace  int64         // outcomes from one trouble to the next
	beat  chan struct{} // tells the storm of every so many

	genesis *sandbox.Genesis
	dir     string
	record  string // the file with what wallets decided and what went wrong, by time; kept if the test fails
	address string
	box     *sandbox.Sandbox
	stopBox func()
	lines   [2]*testwallet.Relay

	told   map[string]answerTold // what the callers heard, by request key
	toldMu sync.Mutex
}

// answerTold holds what callers of one request key were told that cannot be
// taken back.
type answerTold struct {
	id    ledger.TransactionID // of an outcome that was no error; zero when there was none
	never bool                 // told that nothing was spent

	contradicted bool // told without an error of a payment that had come to nothing
}

// counts says what happened.
type counts struct {
	mu sync.Mutex
	countsRead
}

type countsRead struct {
	Lives, Kills, Ends, Pairs, Daemons, Forks, Cuts, Losses, HangUps, Delays    int
	SlowJournals, SlowBlocks, Forgot, Refusals, Twins, Asked, Unknown, Attempts int
}

func (c *counts) add(change func(*countsRead)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.countsRead)
}

func (c *counts) read() countsRead {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.countsRead
}

// trialBlockTime is the time between two blocks; on the chain it is a second.
const trialBlockTime = 60 * time.Millisecond

func newTrial(t testing.TB, seed uint64, count int) *trial {
	t.Helper()
	place, err := net.Listen("tcp", "127.0.0.1:0")
	testwallet.Must(t, err)
	tr := &trial{
		t: t, count: count, counts: new(counts), luck: rand.New(rand.NewPCG(seed, seed)), genesis: testwallet.Genesis(t),
		dir: testwallet.Folder(t), address: place.Addr().String(),
		told: map[string]answerTold{}, beat: make(chan struct{}, 1), pace: askedPerTrouble,
	}
	testwallet.Must(t, place.Close())
	tr.record = newTrialRecord(t)
	tr.startDaemon()
	t.Cleanup(tr.stopDaemon)
	for i := range tr.lines {
		tr.lines[i] = testwallet.RelayTo(t, tr.box.URL())
	}
	run, err := tr.begin()
	testwallet.Must(t, err)
	testwallet.Must(t, run.client.WaitOnline(run.ctx))
	testwallet.Must(t, run.wallet.Vault.Create(run.ctx, testwallet.Password))
	belongs, err := run.wallet.Import.ImportSingleKey(run.ctx, "alice", testwallet.Key("alice").WIF())
	if !belongs {
		t.Fatal(err)
	}
	run.end()
	return tr
}

func (tr *trial) urls() []string { return []string{tr.lines[0].URL, tr.lines[1].URL} }

// chance is true in so many of a hundred cases.
func (tr *trial) chance(percent int) bool { return tr.upTo(100) < percent }

// upTo is a number below n.
func (tr *trial) upTo(n int) int {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.luck.IntN(n)
}

// startDaemon starts the ledger as it was left on disk, without what was pending.
func (tr *trial) startDaemon() {
	tr.t.Helper()
	box, err := sandbox.New(sandbox.Options{
		Genesis: tr.genesis, Listen: tr.address, BlockTime: trialBlockTime, State: filepath.Join(tr.dir, "ledger"),
	})
	if err != nil {
		tr.t.Errorf("the daemon does not start again: %v", err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- box.Run(ctx) }()
	tr.box = box
	tr.stopBox = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			tr.t.Error(err)
		}
	})
}

func (tr *trial) stopDaemon() { tr.stopBox() }

// running is one run of a wallet in this process.
type running struct {
	ctx     context.Context
	client  *daemonclient.Client
	wallet  *walletcore.Wallet
	journal *store.Journal
	end     func()
}

// newTrialRecord makes an empty record.
func newTrialRecord(t testing.TB) (path string) {
	t.Helper()
	file, err := os.CreateTemp("", "billfold-storm-*.log")
	testwallet.Must(t, err)
	testwallet.Must(t, file.Close())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what the wallets decided and what went wrong, by time, is in %s", file.Name())
			return
		}
		testwallet.Must(t, os.Remove(file.Name()))
	})
	return file.Name()
}

// recorder returns a log that adds to a record, to which several processes may add at once.
func recorder(path, who string) (log *slog.Logger, end func(), err error) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, nil, err
	}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug})).With("who", who), func() { _ = file.Close() }, nil
}

// beginTrialWallet starts a wallet as a program does.
func beginTrialWallet(dir string, urls []string, record string) (*running, error) {
	log, endLog, err := recorder(record, fmt.Sprint("process ", os.Getpid()))
	if err != nil {
		return nil, err
	}
	book, err := sqlite.Open(filepath.Join(dir, "payments.db"))
	if err != nil {
		return nil, err
	}
	client := daemonclient.New(daemonclient.Config{
		Logger: log,
		URLs:   urls, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond, AnswerTimeout: 150 * time.Millisecond,
		CallTimeout: 500 * time.Millisecond,
		LagAfter:    1000 * time.Hour, StaleAfter: 1000 * time.Hour,
		AheadAfter: 1000 * time.Hour, // the chain's time has nothing to do with ours
	})
	w, err := walletcore.Open(
		walletcore.Config{Path: filepath.Join(dir, "wallet.keys"), Keystore: testwallet.CheapKeys(), Daemon: client,
			Store: book, OwnClock: true, Logger: log},
	)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for _, part := range []func(context.Context) error{client.Run, w.Run} {
		wg.Go(func() { _ = part(ctx) })
	}
	if !w.Vault.IsNew() {
		err = w.Vault.Unlock(ctx, testwallet.Password)
	}
	var once sync.Once
	return &running{ctx, client, w, book.Journal, func() {
		once.Do(func() {
			_ = book.Close() // in the middle of everything
			cancel()
		})
		wg.Wait()
		endLog()
	}}, err
}

func (tr *trial) begin() (*running, error) { return beginTrialWallet(tr.dir, tr.urls(), tr.record) }

// order is one payment that must be made once: attempt says how many earlier
// request keys for it are known to have come to nothing.
type order struct{ n, attempt int }

func (o order) key() string { return fmt.Sprintf("order %d, attempt %d", o.n, o.attempt) }

// amount is in the smallest unit.
func (o order) amount() int64 { return int64(1 + o.n%997) }

func (o order) request() txbuild.TransferParams {
	req := txbuild.TransferParams{From: "alice", To: "bobby", Amount: ledger.FormatAmount(o.amount(), 8), Asset: "DCT"}
	if o.n%16 == 0 {
		req.Memo = fmt.Sprintf("for order %d", o.n)
	}
	return req
}
