package theme

import "github.com/charmbracelet/lipgloss"

// When bubbletea's package is initialised, it asks the terminal for its background, and waits five seconds for one that
// does not answer, whatever the command. It does not ask if the background is known already: packages are initialised in the
// order of their paths as far as imports allow, so this runs first. No colour here depends on it; see terminal.IsLight.
var _ = knownBackground()

func knownBackground() bool {
	lipgloss.SetHasDarkBackground(true)
	return true
}
