package uitest

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/tui"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"

	tea "github.com/charmbracelet/bubbletea"
)

// patience bounds how long a driver waits for what must come; it is reached only
// when something is broken.
const patience = 20 * time.Second

// Box is a real wallet with the keys of accounts of the demo, online to a real sandbox.
type Box struct {
	*testwallet.Wallet
	pace *mined
}

// NewBox starts sandbox and wallet for the time of the test, and mines a block.
func NewBox(t *testing.T, accounts ...string) *Box {
	t.Helper()
	b := NewUnmade(t)
	b.Hold(accounts...)
	return b
}

// NewUnmade is NewBox with a wallet that has no password yet.
func NewUnmade(t *testing.T) *Box {
	t.Helper()
	s := testwallet.New(t, func(cfg *walletcore.Config) {
		kept, err := sqlite.Open(filepath.Join(filepath.Dir(cfg.Path), sqlite.Name))
		Must(t, err)
		t.Cleanup(func() { Must(t, kept.Close()) })
		cfg.Store = kept
	})
	b := &Box{Wallet: s, pace: &mined{}}
	b.Mine(t, 1)
	return b
}

// Drive drives the UI on the wallet. The clock of the UI stands still but for Wait;
// those of wallet and sandbox do not, and blocks come by Mine.
func (b *Box) Drive(t *testing.T, w, h int, opt tui.Options, test func(d *Driver)) {
	t.Helper()
	b.pace.now = time.Now().UTC()
	opt.Clock = tui.Clock{Now: b.pace.time, After: b.pace.after}
	b.pace.resting = 1 // the wait for events
	if opt.Approvals != nil {
		b.pace.resting++
	}
	start(t, w, h, tui.CoreOf(b.Wallet.Wallet), opt, b.pace, test)
}

// Mine makes blocks.
func (b *Box) Mine(t *testing.T, blocks int) {
	t.Helper()
	for range blocks {
		_, err := b.Box.Mine()
		Must(t, err)
	}
}

// Key is the private key of an account of the demo.
func (b *Box) Key(account string) string {
	for _, k := range sandbox.DemoKeys() {
		if k.Account == account {
			return k.Key.WIF()
		}
	}
	return ""
}

// mined is the time of a UI on a sandbox: it goes by when a test says so.
type mined struct {
	mu      sync.Mutex
	now     time.Time
	timers  []timer
	resting int // commands that wait for what may never come
}

// timer is a message that is due.
type timer struct {
	at  time.Time
	msg func(time.Time) tea.Msg
}

func (m *mined) time() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *mined) after(dur time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
	m.timers = append(m.timers, timer{m.time().Add(dur), msg})
	return nil
}

func (m *mined) waitIdle(d *Driver) {
	d.T.Helper()
	limit := time.After(patience)
	for d.running > m.resting {
		select {
		case msg := <-d.msgs:
			d.came(msg)
		case <-limit:
			d.T.Fatalf("%d commands of the UI do not end:\n%s", d.running-m.resting, d.Screen())
		}
	}
}

// pass moves the clock and delivers what is due, a tenth of a second at a time.
func (m *mined) pass(d *Driver, dur time.Duration) {
	for end := m.time().Add(dur); m.time().Before(end); {
		m.mu.Lock()
		m.now = m.now.Add(100 * time.Millisecond)
		m.mu.Unlock()
		var due []timer
		var later []timer
		for _, t := range m.timers {
			if t.at.After(m.time()) {
				later = append(later, t)
			} else {
				due = append(due, t)
			}
		}
		m.timers = later
		for _, t := range due {
			d.Send(t.msg(m.time()))
		}
		d.Pump()
	}
}

func (m *mined) end() {}

// Until handles what comes until the screen shows all of the texts.
func (d *Driver) Until(parts ...string) {
	d.T.Helper()
	limit := time.After(patience)
	for !d.has(parts) {
		select {
		case msg := <-d.msgs:
			d.came(msg)
			d.Pump()
		case <-limit:
			d.T.Fatalf("the screen never shows %q:\n%s", parts, d.Screen())
		}
	}
}

// Pay makes the wallet pay an amount of DCT from one of its accounts, and mines a block.
func (b *Box) Pay(t *testing.T, from, to, amount string) {
	t.Helper()
	b.PayMemo(t, from, to, amount, "")
}

// PayMemo is Pay with an encrypted memo.
func (b *Box) PayMemo(t *testing.T, from, to, amount, memo string) {
	t.Helper()
	params := build.TransferParams{From: from, To: to, Amount: amount, Asset: "DCT", Memo: memo}
	made, err := b.Wallet.Payments.Prepare(b.Ctx, build.NewRequest("transfer", params, build.Transfer))
	Must(t, err)
	_, err = b.Wallet.Payments.Send(b.Ctx, made)
	Must(t, err)
	b.Mine(t, 1)
}
