package payment_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// trialCallers is the number of callers that ask at once.
const trialCallers = 32

// askedPerTrouble is the number of outcomes that callers hear from one trouble to the
// next, at first. Everything in the trial goes by what was done, not by time: on
// a slow machine it is the same trial.
const askedPerTrouble = 12

// payAll asks for every order until it is paid. A life of the wallet is short;
// what it leaves behind is for the next.
func (tr *trial) payAll() {
	open := make([]order, tr.count)
	for n := range open {
		open[n] = order{n: n}
	}
	perLife := max(tr.count/200, min(tr.count/3, 400))
	for round := 0; len(open) > 0; round++ {
		if round > 30 {
			tr.t.Fatalf("%d orders are never paid, such as %s; what was decided, by time, is in %s", len(open), open[0].key(), tr.record)
		}
		tr.pace = int64(askedPerTrouble * (1 + round)) // the last few orders have less to suffer
		for at := 0; at < len(open); at += perLife {
			tr.life(open[at:min(at+perLife, len(open))])
			if lives := at/perLife + 1; lives%stormLives == 0 {
				tr.lookUp(nil)
			}
		}
		open = tr.lookUp(open)
	}
}

// stormLives is the maximum number of lives in a storm: blocks come many times as fast in it as on a ledger, and a wallet that never lives
// long enough to read them falls behind further with each life.
const stormLives = 20

// life is one life of the wallet, in this process or another, under a storm.
func (tr *trial) life(orders []order) {
	lives := tr.counts.read().Lives // the first two are of either kind, so that a short trial has both
	tr.counts.add(func(c *countsRead) { c.Lives++ })
	calm := tr.storm()
	defer calm()
	switch {
	case lives == 0:
		tr.killedLife(orders, len(orders)/4)
	case lives == 1:
		tr.endedLife(orders)
	case tr.chance(25):
		tr.killedLife(orders, tr.lifeOf(orders))
	case tr.chance(20): // two programs at once, with the same orders
		tr.counts.add(func(c *countsRead) { c.Pairs++ })
		var wg sync.WaitGroup
		wg.Go(func() { tr.killedLife(orders, tr.lifeOf(orders)) })
		tr.endedLife(orders)
		wg.Wait()
	default:
		tr.endedLife(orders)
	}
}

// lifeOf returns the number of outcomes that callers hear before a life ends: often
// all, often some.
func (tr *trial) lifeOf(orders []order) int { return len(orders)/4 + tr.upTo(len(orders)+1) }

// longestLife ends a life in which nothing moves.
const longestLife = 10 * time.Second

// endedLife runs the wallet in this process and ends it abruptly.
func (tr *trial) endedLife(orders []order) {
	run, err := tr.begin()
	testwallet.Must(tr.t, err)
	ctx, cancel := context.WithTimeout(run.ctx, longestLife)
	defer cancel()
	twins := make(map[int]bool)
	for range len(orders)/50 + 1 {
		twins[tr.upTo(len(orders))] = true
	}
	var heard atomic.Int64
	last := int64(tr.lifeOf(orders))
	askAll(ctx, run.wallet, orders, func(i int) bool { return twins[i] }, func(o order, info *txbuild.Signed, err error) {
		if tr.hear(o, info, err); heard.Add(1) == last {
			run.end()
		}
	})
	tr.counts.add(func(c *countsRead) {
		c.Twins += len(twins)
		if heard.Load() >= last {
			c.Ends++
		}
	})
	run.end()
}

// askAll asks for the orders with many callers, for some of them twice at once.
func askAll(ctx context.Context, w *walletcore.Wallet, orders []order, twice func(int) bool, hear func(order, *txbuild.Signed, error)) {
	if w.Payments.Daemon.WaitOnline(ctx) != nil {
		return
	}
	next := make(chan order)
	go func() {
		defer close(next)
		for i, o := range orders {
			for range 1 + len(map[bool][]int{true: {0}}[twice(i)]) {
				select {
				case next <- o:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	var wg sync.WaitGroup
	for range trialCallers {
		wg.Go(func() {
			for o := range next {
				ask(ctx, w, o, hear)
			}
		})
	}
	wg.Wait()
}

// ask asks for one order, a few times when the wallet says that it cannot.
func ask(ctx context.Context, w *walletcore.Wallet, o order, hear func(order, *txbuild.Signed, error)) {
	for range 4 {
		info, err := w.Payments.Spend(
			ctx,
			txbuild.NewRequest("transfer", o.request(), txbuild.Transfer),
			payment.Sending{Broadcast: true, Key: o.key()},
		)
		if err == nil {
			err = contradicted(w, info)
		}
		hear(o, info, err)
		if err == nil || ctx.Err() != nil {
			return
		}
		switch fault.CodeOf(err) {
		case fault.DaemonAway, fault.DaemonGarbage, fault.Canceled:
			_ = w.Payments.Daemon.WaitOnline(ctx)
		default:
			return
		}
	}
}

// unsettled reports whether the payment may still happen by the words of the error.
func unsettled(err error) bool {
	e, ok := errors.AsType[*fault.Error](err)
	return ok && e.Unsettled
}

// contradicted is an error of fault.Internal when a caller was answered without an error
// about a payment that came to nothing.
func contradicted(w *walletcore.Wallet, info *txbuild.Signed) error {
	p := w.Payments.Read(info.TransactionID)
	if p == nil || p.State != payment.Expired && p.State != payment.Rejected {
		return nil
	}
	return &fault.Error{
		Code:    fault.Internal,
		Op:      "transfer",
		Message: "answered without an error, but the payment is " + p.State.String(),
	}
}

// hear keeps what a caller was told.
func (tr *trial) hear(o order, info *txbuild.Signed, err error) {
	if tr.heard.Add(1)%tr.pace == 0 {
		select {
		case tr.beat <- struct{}{}:
		default:
		}
	}
	tr.counts.add(func(c *countsRead) {
		if c.Asked++; fault.CodeOf(err) == fault.OutcomeUnknown && err != nil {
			c.Unknown++
		}
	})
	tr.toldMu.Lock()
	defer tr.toldMu.Unlock()
	told := tr.told[o.key()]
	switch {
	case err == nil:
		if told.id != (ledger.TransactionID{}) && told.id != info.TransactionID {
			tr.t.Errorf("%s: told of %s, then of %s", o.key(), told.id, info.TransactionID)
		}
		told.id = info.TransactionID
	case slices.Contains([]fault.Code{fault.DaemonRefused, fault.Expired, fault.NeverSent}, fault.CodeOf(err)) && !unsettled(err):
		told.never = true
	case fault.CodeOf(err) == fault.Internal:
		told.contradicted = true
		tr.t.Errorf("%s: %v", o.key(), err)
	case fault.CodeOf(err) == fault.RequestKey:
		tr.t.Errorf("%s: %v", o.key(), err)
	}
	tr.told[o.key()] = told
}

// killedLife runs the wallet in a process of its own and kills that.
func (tr *trial) killedLife(orders []order, last int) {
	program, err := os.Executable()
	testwallet.Must(tr.t, err)
	cmd := exec.Command(program, "-test.run=^TestTrialChild$")
	cmd.Env = append(os.Environ(), "TRIAL_DIR="+tr.dir, "TRIAL_URLS="+strings.Join(tr.urls(), " "), "TRIAL_RECORD="+tr.record)
	var list strings.Builder
	for _, o := range orders {
		fmt.Fprintln(&list, o.n, o.attempt)
	}
	cmd.Stdin = strings.NewReader(list.String())
	out, err := cmd.StdoutPipe()
	testwallet.Must(tr.t, err)
	testwallet.Must(tr.t, cmd.Start())
	heard := bufio.NewScanner(out)
	for heard.Scan() && heard.Text() != "ready" {
	}
	late := time.AfterFunc(longestLife, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	for n := 0; heard.Scan(); n++ {
		if tr.hearLine(heard.Text()); n == last {
			_ = cmd.Process.Kill()
		}
	}
	if cmd.Wait() != nil {
		tr.counts.add(func(c *countsRead) { c.Kills++ })
	}
}

// hearLine reads what a child was told: order, attempt, then id or code.
func (tr *trial) hearLine(line string) {
	var o order
	var kind, what string
	if n, _ := fmt.Sscanln(line, &kind, &o.n, &o.attempt, &what); n != 4 {
		return // the last line of a process that was killed, or the testing package's
	}
	switch kind {
	case "paid":
		if id, err := ledger.ParseTransactionID(what); err == nil {
			tr.hear(o, &txbuild.Signed{TransactionID: id}, nil)
		}
	case "failed":
		tr.hear(o, nil, &fault.Error{Code: fault.Code(what), Op: "transfer", Message: "told to another program"})
	case "open":
		tr.hear(o, nil, &fault.Error{Code: fault.Code(what), Op: "transfer", Message: "told to another program", Unsettled: true})
	}
}

// TestTrialChild is the other process of killedLife.
func TestTrialChild(t *testing.T) {
	dir := os.Getenv("TRIAL_DIR")
	if dir == "" {
		t.Skip("it is run by TestPayments")
	}
	run, err := beginTrialWallet(dir, strings.Fields(os.Getenv("TRIAL_URLS")), os.Getenv("TRIAL_RECORD"))
	testwallet.Must(t, err)
	defer run.end()
	var orders []order
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var o order
		if _, err := fmt.Sscan(in.Text(), &o.n, &o.attempt); err != nil {
			t.Fatal(err)
		}
		orders = append(orders, o)
	}
	var mu sync.Mutex
	fmt.Println("\nready")
	askAll(run.ctx, run.wallet, orders, func(i int) bool { return i%40 == 0 }, func(o order, info *txbuild.Signed, err error) {
		mu.Lock()
		defer mu.Unlock()
		if unsettled(err) {
			fmt.Println("open", o.n, o.attempt, fault.CodeOf(err))
			return
		}
		if err != nil {
			fmt.Println("failed", o.n, o.attempt, fault.CodeOf(err))
			return
		}
		fmt.Println("paid", o.n, o.attempt, info.TransactionID)
	})
}
