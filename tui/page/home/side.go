package home

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// drawSide draws what large windows have room for: what happened since the last visit, what is on hold, and tokens.
func (m *Model) drawSide(env screen.Env, a canvas.Area) {
	parts := []struct {
		title string
		lines []canvas.Line
	}{
		{m.beside.sinceTitle(), m.beside.changes(env)},
		{"On hold", m.beside.holds(env)},
		{"Tokens", m.beside.tokenLines()},
	}
	for i, p := range parts {
		h := a.H
		if i < len(parts)-1 {
			h = min(wrapped(p.lines, a.W-6)+2, max(a.H/(len(parts)-i), 3))
		}
		putAll(a.Top(h).Box(canvas.Frame{Title: canvas.Bold(theme.Text, p.title)}), p.lines)
		a = a.Below(h)
	}
}

// wrapped is how many lines the lines take.
func wrapped(lines []canvas.Line, w int) (n int) {
	for _, l := range lines {
		n += len(l.Wrap(w))
	}
	return n
}

func (b *beside) sinceTitle() string {
	if b.last.At.IsZero() {
		return "Since last time"
	}
	return "Since " + b.last.At.UTC().Format("2006-01-02 15:04")
}

// changes are what the rows since the last visit moved.
func (b *beside) changes(env screen.Env) []canvas.Line {
	switch {
	case !b.known:
		return []canvas.Line{canvas.In(theme.Muted, "…")}
	case b.last.Row == 0:
		return []canvas.Line{canvas.In(theme.Muted, "Your next visit begins here: what comes in between is listed.")}
	case b.changed.Rows == 0:
		return []canvas.Line{canvas.In(theme.Muted, "Nothing happened.")}
	}
	n := b.changed.Rows
	out := []canvas.Line{canvas.Text(format.Count(int(n)) + " " + plural(int(n), "operation"))}
	for _, s := range b.changed.Sums {
		out = append(out, moved(env, s)...)
	}
	return out
}

// moved are the sums of an asset, each whole.
func moved(env screen.Env, s history.Sum) (out []canvas.Line) {
	if s.In.IsInt64() && s.In.Sign() > 0 {
		out = append(out, env.Money().Aligned(format.Column{}, "+", theme.MoneyIn, s.Asset, s.In.Int64()))
	}
	if s.Out.IsInt64() && s.Out.Sign() > 0 {
		out = append(out, env.Money().Aligned(format.Column{}, "-", theme.MoneyOut, s.Asset, s.Out.Int64()))
	}
	return out
}

// holds are what is on hold, with when it can be withdrawn.
func (b *beside) holds(env screen.Env) (out []canvas.Line) {
	for _, h := range b.hold {
		out = append(out, canvas.Join(env.Money().Amount(h.Asset, h.Amount), canvas.In(theme.Muted, "  "+h.ID.String())))
		if h.Free > 0 {
			out = append(out, canvas.Join(canvas.Text("  "), env.Money().Amount(h.Asset, h.Free), canvas.In(theme.OK, " free now")))
		}
		if h.Free < h.Amount {
			until := "  all of it when it has lain long enough"
			if !h.Until.IsZero() {
				until = "  all of it on " + h.Until.UTC().Format("2006-01-02")
			}
			out = append(out, canvas.In(theme.Muted, until))
		}
	}
	if len(out) == 0 {
		out = append(out, canvas.In(theme.Muted, "Nothing is on hold."))
	}
	return out
}

// tokenLines are the collections, with how many of each there are.
func (b *beside) tokenLines() []canvas.Line {
	if len(b.tokens) == 0 {
		return []canvas.Line{canvas.In(theme.Muted, "None. 9 has all about assets and tokens.")}
	}
	count, order := map[string]int{}, []ledgerview.OwnedToken{}
	for _, t := range b.tokens {
		if count[t.Kind.Symbol]++; count[t.Kind.Symbol] == 1 {
			order = append(order, t)
		}
	}
	var out []canvas.Line
	for _, t := range order {
		name := canvas.Cut(format.Clean(t.Kind.Symbol), 24)
		gap := strings.Repeat(" ", max(25-canvas.Width(name), 1))
		out = append(out, canvas.Text(name+gap+format.Count(count[t.Kind.Symbol])))
	}
	return out
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
