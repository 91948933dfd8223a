package tui

import (
	"errors"
	"io"
	"time"

	"billfold/tui/action"
	"billfold/tui/lastview"
	"billfold/tui/page/rpc"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// Options configure what the UI drives and how it looks. Only Core is required.
type Options struct {
	Core         Core
	RPC          rpc.Core        // the listeners
	Approvals    *approval.Queue // requests of programs that wait for an answer; nil: nobody is asked
	Sandbox      bool            // the embedded ledger: every page says so
	OfferSandbox bool            // the first page may offer it; Run then returns ErrWantSandbox
	Visits       *lastview.Views // where this person was last time; nil: not known and not kept
	Folder       string          // where the wallet is kept, as shown on the first page
	Shell        screen.Shell    // how a shell runs the program on the same wallet

	Restyle func(theme, color string, ascii bool) theme.Theme // nil: the look never changes

	Keys      action.Bindings // keys that replace default ones
	KeysFault string          // why Keys is not used, in one sentence; empty if it is

	Theme string // auto, dark, light, contrast, mono; empty is auto
	Color string // auto, 24bit, 256, 16, none; empty is auto
	ASCII bool

	Motion screen.Motion // how much moves; empty is all
	Hide   bool          // amounts are dots until the person shows them

	Clipboard func(text string) error // puts text on the clipboard; nil: the terminal's clipboard, if there is a terminal

	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: standard output
	Clock  Clock
}

// ErrWantLinear is returned by Run if the person chose linear mode on the first page: the caller goes on there.
var ErrWantLinear = errors.New("linear mode was picked on the first page")

// ErrWantNode is returned by Run if the person chose a node on the first page: the caller runs the UI again on a wallet that asks it.
var ErrWantNode = errors.New("a node was chosen on the first page")

// ErrWantSandbox is returned by Run if the person picked the sandbox on the first page: the caller starts it and runs the UI again
// on it.
var ErrWantSandbox = errors.New("the sandbox was picked on the first page")

// Clock is the UI's source of time; a nil field stands for the machine's clock.
type Clock struct {
	Now   func() time.Time
	After func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd
}

func (c Clock) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// after returns a command that sends msg after d.
func (c Clock) after(d time.Duration, msg tea.Msg) tea.Cmd {
	after := c.After
	if after == nil {
		after = tea.Tick
	}
	return after(d, func(time.Time) tea.Msg { return msg })
}
