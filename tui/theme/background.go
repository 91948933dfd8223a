package theme

import "github.com/charmbracelet/lipgloss"

// When bubbletea's package is initialised it asks the terminal for its background, and waits five seconds for one that
// does not answer, whatever the command. What is known already is not asked for: packages are initialised in the order of their
// paths as far as imports allow, so this comes first. No colour here depends on it; see terminal.IsLight.
var _ = knownBackground()

func knownBackground() bool {
	lipgloss.SetHasDarkBackground(true)
	return true
}
