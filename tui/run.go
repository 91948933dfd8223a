package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"billfold/tui/page/rpc"
	"billfold/tui/theme"
	"billfold/walletcore/approval"

	tea "github.com/charmbracelet/bubbletea"
)

// Listener is a door that programs use to call the wallet.
type Listener = rpc.Listener

// Options say what the UI drives and how it looks. Only Core is needed.
type Options struct {
	Core         Core
	Listeners    func() []Listener // nil: none
	Terms        []rpc.Term        // under which programs may call
	Approvals    *approval.Queue   // spends of programs that wait for a yes; nil: nobody is asked
	Sandbox      bool              // the embedded ledger: every page says so
	OfferSandbox bool              // the first page may offer it; Run then returns ErrWantSandbox
	Folder       string            // where the wallet is kept, as shown on the first page

	Theme string // auto, dark, light, contrast, mono; empty is auto
	Color string // auto, 24bit, 256, 16, none; empty is auto
	ASCII bool

	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: standard output

	now func() time.Time // tests only
}

// ErrWantSandbox is what Run returns when the person picked the sandbox on the
// first page: the caller starts it and runs the UI again on it.
var ErrWantSandbox = errors.New("the sandbox was picked on the first page")

// lightWait is how long the terminal may take to tell its background.
const lightWait = 200 * time.Millisecond

// Run shows the UI until the person leaves it or ctx ends. It owns the
// terminal meanwhile and leaves it clean, also after a panic; it handles no
// signals, ctx does. When it
// returns, the wallet is as locked as it was left.
func Run(ctx context.Context, opt Options) error {
	if opt.Core.Session == nil {
		return errors.New("the UI was started without a wallet")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	model := newModel(ctx, opt, theme.New(theme.Choose(opt.Theme, opt.Color, opt.ASCII, isLight(opt), os.Getenv)))
	defer model.close()
	program := tea.NewProgram(model, programOptions(opt)...)
	stop := context.AfterFunc(ctx, program.Quit) // bubbletea's own way leaves its reader behind
	defer stop()
	_, err := program.Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	case err != nil:
		return err
	}
	return model.result
}

func programOptions(opt Options) []tea.ProgramOption {
	// Signals end ctx, which is the caller's business; two handlers would wait
	// for each other.
	out := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(20)}
	switch in := opt.Input.(type) {
	case nil:
		out = append(out, tea.WithInput(&wholePaste{File: os.Stdin}))
	case *os.File:
		out = append(out, tea.WithInput(&wholePaste{File: in}))
	default:
		out = append(out, tea.WithInput(in))
	}
	if opt.Output != nil {
		out = append(out, tea.WithOutput(opt.Output))
	}
	return out
}

// isLight asks the terminal for its background, before any key is read, and
// takes silence for dark.
func isLight(opt Options) bool {
	if opt.Input != nil || opt.Output != nil || opt.Theme != "" && opt.Theme != "auto" && opt.Theme != "contrast" {
		return false
	}
	return terminalIsLight(lightWait)
}
