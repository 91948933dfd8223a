package theme

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Choose returns the settings of the theme from what the person asked for and what the terminal announces. name is auto, dark,
// light, contrast or mono; colour is auto, 24bit, 256, 16 or none; getenv reads the environment; light is what the terminal answered
// about its background, used for auto and contrast.
func Choose(name, colour string, ascii, light bool, getenv func(string) string) Settings {
	set := Settings{Light: light, ASCII: ascii || !utf8Locale(getenv)}
	switch name {
	case "dark":
		set.Light = false
	case "light":
		set.Light = true
	case "contrast":
		set.Contrast = true
	}
	set.Depth = depth(name, colour, getenv)
	return set
}

// depth returns the colour depth. In order of precedence: an explicit option, NO_COLOR, mono, what the terminal announces.
func depth(name, colour string, getenv func(string) string) Depth {
	switch colour {
	case "24bit":
		return TrueColor
	case "256":
		return ANSI256
	case "16":
		return ANSI16
	case "none":
		return None
	}
	term, announced := getenv("TERM"), getenv("COLORTERM")
	switch {
	case getenv("NO_COLOR") != "", name == "mono", term == "dumb":
		return None
	case announced == "truecolor", announced == "24bit":
		return TrueColor
	case strings.Contains(term, "256color"):
		return ANSI256
	}
	return ANSI16
}

// utf8Locale reads the locale the way setlocale does: the first of the three variables that is set decides. If none is set, the
// locale counts as UTF-8, as in a bare container.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// When bubbletea's package is initialised, it asks the terminal for its background, and waits five seconds for one that
// does not answer, whatever the command. It does not ask if the background is known already: packages are initialised in the
// order of their paths as far as imports allow, so this runs first. No colour here depends on it; see terminal.IsLight.
var _ = knownBackground()

func knownBackground() bool {
	lipgloss.SetHasDarkBackground(true)
	return true
}
