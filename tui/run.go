package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"billfold/tui/terminal"
	"billfold/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// backgroundWait is the time that the terminal may take to report its background.
const backgroundWait = 200 * time.Millisecond

// Run shows the UI until the person quits or ctx ends. It owns the terminal meanwhile and leaves it clean, also after a panic. It
// handles no signals: they should end ctx. It neither locks nor unlocks the wallet when it returns.
func Run(ctx context.Context, opt Options) error {
	if opt.Core.Session == nil {
		return errors.New("the UI was started without a wallet")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := terminalOf(opt)
	if opt.Clipboard == nil && out != nil {
		opt.Clipboard = out.Copy
	}
	light := isLight(opt)
	opt.Restyle = func(name, color string, ascii bool) theme.Theme {
		return theme.New(theme.Choose(name, color, ascii, light, os.Getenv))
	}
	model := New(ctx, opt, opt.Restyle(opt.Theme, opt.Color, opt.ASCII))
	defer model.Close()
	program := tea.NewProgram(newPaced(model, terminal.NewPainter(out)), programOptions(opt, out)...)
	stop := context.AfterFunc(ctx, program.Quit) // tea.WithContext would leave the input reader running
	defer stop()
	_, err := program.Run()
	model.refresh()
	model.readPayments()
	lines, unsaved := model.saveTyped(ctx, model.env, saveLimit)
	if ctx.Err() != nil { // the person was not asked
		for _, one := range model.unsaved(model.env) {
			lines = append(lines, "Lost: "+one)
		}
	}
	if !opt.Sandbox { // a sandbox ends with the program, with everything saved in it
		printLines(opt, out, lines)
	}
	if unsaved != nil && err == nil {
		return unsaved
	}
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	case err != nil:
		return err
	}
	return model.Err()
}

// printLines prints lines below the prompt at which the UI was started. If the terminal was closed, they are lost.
func printLines(opt Options, screen *terminal.Output, lines []string) {
	out := opt.Output
	if screen != nil {
		out = screen
	}
	for _, one := range lines {
		_, _ = fmt.Fprintln(out, one)
	}
}

func programOptions(opt Options, screen *terminal.Output) []tea.ProgramOption {
	// Signals end ctx, which is the caller's business; two handlers would wait
	// for each other.
	out := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithFPS(catchUpRate)}
	switch in := opt.Input.(type) {
	case nil:
		out = append(out, tea.WithInput(&terminal.WholePaste{File: os.Stdin}))
	case *os.File:
		out = append(out, tea.WithInput(&terminal.WholePaste{File: in}))
	default:
		out = append(out, tea.WithInput(in))
	}
	if screen != nil {
		return append(out, tea.WithOutput(screen))
	}
	return append(out, tea.WithOutput(opt.Output))
}

// terminalOf returns the output as a terminal; nil if it is none.
func terminalOf(opt Options) *terminal.Output {
	switch out := opt.Output.(type) {
	case nil:
		return terminal.Standard()
	case *os.File:
		return &terminal.Output{File: out}
	}
	return nil
}

// isLight asks the terminal for its background before any key is read, and takes no answer for dark.
func isLight(opt Options) bool {
	if opt.Input != nil || opt.Output != nil || opt.Theme != "" && opt.Theme != "auto" && opt.Theme != "contrast" {
		return false
	}
	return terminal.IsLight(backgroundWait)
}
