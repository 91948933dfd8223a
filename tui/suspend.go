package tui

import (
	"io"

	"billfold/tui/screen"
	"billfold/tui/terminal"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// suspension is the time during which the terminal belongs to the shell.
type suspension struct{ stopped bool }

// Run implements tea.ExecCommand.
func (s *suspension) Run() error {
	s.stopped = terminal.Suspend()
	return nil
}

// SetStdin implements tea.ExecCommand.
func (*suspension) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (*suspension) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (*suspension) SetStderr(io.Writer) {}

// suspended is the end of a suspension.
type suspended struct{ stopped bool }

// suspend hands the terminal to the shell until the shell resumes the program. Without a shell, nothing is stopped.
func suspend() tea.Cmd {
	s := &suspension{}
	return tea.Exec(s, func(error) tea.Msg { return suspended{s.stopped} })
}

// onResume shows, if the program was not stopped, why it was only locked.
func onResume(m *Model, stopped bool) {
	if m.refresh(); stopped {
		return
	}
	said := " Locked, not suspended: no shell is here to bring it back"
	if m.env.Status.Lock == vault.New {
		said = " Not suspended: no shell is here to bring it back"
	}
	m.toast(screen.Toast{Urgent: true, Line: canvas.In(theme.Warn, theme.SignCareful+said)})
}
