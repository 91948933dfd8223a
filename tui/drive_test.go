package tui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// start is when every driven test begins.
var start = time.Date(2026, 11, 20, 14, 2, 58, 0, time.UTC)

// drive runs the real root model, in a bubble with its own clock.
type drive struct {
	t     *testing.T
	model *Model
	msgs  chan tea.Msg
	ctx   context.Context
	quit  bool
}

// driven runs a test with a terminal of w by h cells on the given wallet.
func driven(t *testing.T, w, h int, core *paper, test func(d *drive)) {
	drivenWith(t, w, h, core, Options{}, test)
}

func drivenWith(t *testing.T, w, h int, core *paper, opt Options, test func(d *drive)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		core.open()
		driveOn(t, w, h, core.core(), opt, test)
	})
}

// drivenReal runs a test on a real wallet: unlocked, without a daemon, its key
// file in a folder of its own.
func drivenReal(t *testing.T, w, h int, test func(d *drive, core *walletcore.Wallet)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(start))
		core := realWallet(t, t.TempDir())
		if err := core.Create(t.Context(), password); err != nil {
			t.Fatal(err)
		}
		defer core.Lock()
		driveOn(t, w, h, CoreOf(core), Options{}, func(d *drive) { test(d, core) })
	})
}

func realWallet(t *testing.T, folder string) *walletcore.Wallet {
	core, err := walletcore.Open(walletcore.Config{
		Path: filepath.Join(folder, "wallet.keys"), Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"}),
		Keystore: &keystore.Options{Params: keystore.Params{MemoryKiB: 64, Time: 1, Threads: 1}, AllowWeak: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return core
}

func driveOn(t *testing.T, w, h int, core Core, opt Options, test func(d *drive)) {
	ctx, cancel := context.WithCancel(context.Background())
	if opt.Clock.Now == nil {
		opt.Clock.Now = func() time.Time { return time.Now().UTC() } // whatever the zone of this machine
	}
	opt.Core = core
	d := &drive{t: t, msgs: make(chan tea.Msg), ctx: ctx}
	d.model = New(ctx, opt, theme.New(theme.Settings{}))
	d.run(d.model.Init())
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	defer func() { // let ticks and listeners end with the test
		cancel()
		d.model.Close()
		time.Sleep(time.Minute)
	}()
	test(d)
}

// run performs a command the way the runtime does.
func (d *drive) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		select {
		case d.msgs <- msg:
		case <-d.ctx.Done():
		}
	}()
}

// pump handles messages until nothing is left to do at this moment.
func (d *drive) pump() {
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

func (d *drive) handle(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		_, cmd := d.model.Update(msg)
		d.run(cmd)
	}
}

func (d *drive) send(msg tea.Msg) {
	d.handle(msg)
	d.pump()
}

// wait lets time pass, a tenth of a second at a time.
func (d *drive) wait(dur time.Duration) {
	for ; dur > 0; dur -= 100 * time.Millisecond {
		time.Sleep(100 * time.Millisecond)
		d.pump()
	}
}

// press sends keys by name, separated by spaces; text between quotes is typed.
func (d *drive) press(keys string) {
	for _, k := range strings.Fields(keys) {
		d.send(keyMsg(k))
	}
}

func (d *drive) typed(text string) {
	for _, r := range text {
		if r == ' ' {
			d.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			continue
		}
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func keyMsg(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace,
		"ctrl+s": tea.KeyCtrlS, "ctrl+l": tea.KeyCtrlL, "ctrl+c": tea.KeyCtrlC, "ctrl+g": tea.KeyCtrlG, "ctrl+t": tea.KeyCtrlT,
		"ctrl+x": tea.KeyCtrlX, "ctrl+u": tea.KeyCtrlU, "ctrl+k": tea.KeyCtrlK, "ctrl+r": tea.KeyCtrlR, "f1": tea.KeyF1, "pgdown": tea.KeyPgDown, "space": tea.KeySpace}
	if t, ok := named[name]; ok {
		if t == tea.KeySpace {
			return tea.KeyMsg{Type: t, Runes: []rune{' '}}
		}
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// screen is what the terminal shows, without colour; it holds the frame to
// its size on the way.
func (d *drive) screen() string {
	d.t.Helper()
	plain := ansi.Strip(d.model.View())
	lines := strings.Split(plain, "\n")
	if len(lines) != d.model.h {
		d.t.Errorf("the frame has %d rows in a terminal of %d", len(lines), d.model.h)
	}
	for i, l := range lines {
		if canvas.Width(l) != d.model.w {
			d.t.Errorf("row %d is %d cells wide in a terminal of %d: %q", i, canvas.Width(l), d.model.w, l)
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (d *drive) shows(parts ...string) {
	d.t.Helper()
	s := d.screen()
	for _, p := range parts {
		if !strings.Contains(s, p) {
			d.t.Errorf("the screen does not show %q:\n%s", p, s)
		}
	}
}

func (d *drive) hides(parts ...string) {
	d.t.Helper()
	s := d.screen()
	for _, p := range parts {
		if strings.Contains(s, p) {
			d.t.Errorf("the screen shows %q:\n%s", p, s)
		}
	}
}

// golden compares the screen with testdata/NAME.txt.
func (d *drive) golden(name string) {
	d.t.Helper()
	goldenFile(d.t, name, d.screen())
}

func goldenFile(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update if it should).\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

func themeOf(s theme.Settings) theme.Theme { return theme.New(s) }
