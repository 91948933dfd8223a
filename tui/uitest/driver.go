// Package uitest drives the real root of the UI in tests: keys and clicks in, screens out. Only tests import it.
//
// Play drives it on a World: a real wallet, online to a real sandbox over a websocket in memory, in virtual time. RunReal drives it on
// a real wallet without a daemon.
package uitest

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/tui"
	"billfold/tui/theme"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// Driver is a terminal with the UI in it.
type Driver struct {
	T     *testing.T
	Model *tui.Model
	Ctx   context.Context // ends with the test
	Quit  bool            // the UI has ended

	w, h    int
	msgs    chan tea.Msg
	updates int // how many messages the UI has handled
}

// Sizes returns the terminal sizes, width and height, at which screens have golden drawings.
func Sizes() [][2]int { return [][2]int{{80, 24}, {100, 30}, {140, 40}, {60, 20}, {50, 16}} }

// RunReal drives the UI on a real wallet: unlocked, without a daemon, with its key file in a temporary folder.
func RunReal(t *testing.T, w, h int, test func(d *Driver, core *walletcore.Wallet)) {
	t.Helper()
	runReal(t, w, h, true, test)
}

// RunNew is RunReal with a wallet that has no password yet.
func RunNew(t *testing.T, w, h int, test func(d *Driver, core *walletcore.Wallet)) {
	t.Helper()
	runReal(t, w, h, false, test)
}

func runReal(t *testing.T, w, h int, withPassword bool, test func(d *Driver, core *walletcore.Wallet)) {
	t.Helper()
	useOneProcessor()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(Start))
		core := RealWallet(t, t.TempDir())
		if withPassword {
			Must(t, core.Vault.Create(t.Context(), Password))
		}
		defer core.Vault.Lock()
		RunOn(t, w, h, tui.CoreOf(core), tui.Options{}, func(d *Driver) { test(d, core) })
	})
}

// RealWallet opens a wallet in a folder, without a daemon.
func RealWallet(t *testing.T, folder string) *walletcore.Wallet {
	core, err := walletcore.Open(walletcore.Config{
		Path: filepath.Join(folder, "wallet.keys"), Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"}),
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true},
	})
	Must(t, err)
	return core
}

// RunOn drives the UI on any core. It must be called in a bubble of synctest.
func RunOn(t *testing.T, w, h int, core tui.Core, opt tui.Options, test func(d *Driver)) {
	if opt.Clock.Now == nil {
		opt.Clock.Now = func() time.Time { return time.Now().UTC() } // whatever the zone of this machine
	}
	start(t, w, h, core, opt, func() {}, test)
}

func start(t *testing.T, w, h int, core tui.Core, opt tui.Options, end func(), test func(d *Driver)) {
	ctx, cancel := context.WithCancel(context.Background())
	d := &Driver{T: t, Ctx: ctx, w: w, h: h, msgs: make(chan tea.Msg)}
	opt.Core = core
	d.Model = tui.New(ctx, opt, theme.New(theme.Settings{ASCII: opt.ASCII}))
	d.Run(d.Model.Init())
	d.Resize(w, h)
	defer func() { // let ticks and listeners end with the test
		cancel()
		d.Model.Close()
		if end != nil {
			end()
			time.Sleep(time.Minute) // let everything that the UI waits for end
		}
	}()
	test(d)
}

// Run performs a command the way the runtime does.
func (d *Driver) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		select {
		case d.msgs <- msg:
		case <-d.Ctx.Done():
		}
	}()
}

// Pump handles messages until none is left, without letting time pass.
func (d *Driver) Pump() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.handle(msg)
		default:
			return
		}
	}
}

// Wait lets time pass and handles the messages that come meanwhile.
func (d *Driver) Wait(dur time.Duration) {
	over := time.NewTimer(dur)
	defer over.Stop()
	for {
		select {
		case msg := <-d.msgs:
			d.handle(msg)
		case <-over.C:
			d.Pump()
			return
		}
	}
}

func (d *Driver) handle(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.Run(cmd)
		}
	case tea.QuitMsg:
		d.Quit = true
	default:
		d.updates++
		_, cmd := d.Model.Update(msg)
		d.Run(cmd)
	}
}

// Send sends a message to the UI and handles everything that follows from it at once.
func (d *Driver) Send(msg tea.Msg) {
	d.handle(msg)
	d.Pump()
}

// Resize changes the size of the terminal.
func (d *Driver) Resize(w, h int) {
	d.w, d.h = w, h
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
}
