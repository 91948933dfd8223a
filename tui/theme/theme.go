package theme

import (
	"io"
	"strings"
	"sync"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Style is the look of a piece of text: its meaning, its background and its attributes. It is comparable, so neighbours of
// equal style are written as one run.
type Style struct {
	Fg   Token
	Bg   Token // NoBg, or one of the Bg tokens
	Attr Attr
}

// Of returns the style of a meaning on the terminal's own background.
func Of(t Token) Style { return Style{Fg: t} }

// On returns the style on a background.
func (s Style) On(bg Token) Style { s.Bg = bg; return s }

// With returns the style with attributes added.
func (s Style) With(a Attr) Style { s.Attr |= a; return s }

// Depth is the number of colours that the terminal shows.
type Depth int

// The depths, from none to 24 bit.
const (
	None Depth = iota
	ANSI16
	ANSI256
	TrueColor
)

// Settings select a theme. The zero value is dark without colour.
type Settings struct {
	Depth    Depth
	Light    bool // a light background
	Contrast bool // the high-contrast colours
	ASCII    bool // signs from ASCII only
}

// Theme turns styles into escape sequences and signs into what the terminal can show. It is safe to copy and to share.
type Theme struct {
	set       Settings
	renderer  *lipgloss.Renderer
	sequences *sync.Map // cache of Around: Style to [2]string
}

// New returns the theme of the settings.
func New(set Settings) Theme {
	r := lipgloss.NewRenderer(io.Discard, termenv.WithUnsafe())
	r.SetColorProfile(profile(set.Depth))
	r.SetHasDarkBackground(!set.Light)
	return Theme{set: set, renderer: r, sequences: new(sync.Map)}
}

func profile(d Depth) termenv.Profile {
	return [...]termenv.Profile{termenv.ANSI, termenv.ANSI, termenv.ANSI256, termenv.TrueColor}[d]
}

// Settings returns the settings that the theme was made from.
func (t Theme) Settings() Settings { return t.set }

// ASCII reports whether only ASCII bytes may be written.
func (t Theme) ASCII() bool { return t.set.ASCII }

// Style returns the lipgloss style of s.
func (t Theme) Style(s Style) lipgloss.Style {
	out := t.renderer.NewStyle().Inline(true)
	attr := s.Attr | t.attr(s.Fg)
	if s.Bg != NoBg {
		attr |= t.attr(s.Bg)
		if c := t.colour(s.Bg); c != "" {
			out = out.Background(lipgloss.Color(c))
		}
	}
	if c := t.colour(s.Fg); c != "" {
		out = out.Foreground(lipgloss.Color(c))
	}
	return out.Bold(attr&Bold != 0).Faint(attr&Dim != 0).Italic(attr&Italic != 0).Reverse(attr&Reverse != 0)
}

// Around returns the escape sequences before and after text of one line in a style: what Style would write there.
func (t Theme) Around(s Style) (before, after string) {
	if known, ok := t.sequences.Load(s); ok {
		pair, _ := known.([2]string)
		return pair[0], pair[1]
	}
	before, after, _ = strings.Cut(t.Style(s).Render("x"), "x")
	t.sequences.Store(s, [2]string{before, after})
	return before, after
}

// Hex returns the 24 bit colour of a meaning, for pictures.
func (t Theme) Hex(k Token) string { return t.colour(k) }

// colour returns the colour of a meaning at the theme's depth; empty: the terminal's default.
func (t Theme) colour(k Token) string {
	r := row(k)
	switch {
	case t.set.Depth == None:
		return ""
	case t.set.Depth == ANSI16 && t.set.Light:
		return r.lightANSI
	case t.set.Depth == ANSI16:
		return r.darkANSI
	case t.set.Contrast:
		return contrast(k, t.set.Light)
	case t.set.Light:
		return r.light
	}
	return r.dark
}

func (t Theme) attr(k Token) Attr {
	switch t.set.Depth {
	case None:
		return row(k).mono
	case ANSI16:
		return row(k).attr
	}
	if t.set.Contrast && (k == Warn || k == Danger || k == OK || k == Pending || k == Info) {
		return Bold
	}
	return 0
}
