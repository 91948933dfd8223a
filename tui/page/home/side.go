package home

import (
	"strings"
	"time"

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
			h = min(wrapped(p.lines, a.W-6)+2, max(a.H-leastSide*(len(parts)-1-i), leastSide))
		}
		putAll(a.Top(h).Box(canvas.Frame{Title: canvas.Bold(theme.Text, p.title)}), p.lines)
		a = a.Below(h)
	}
}

// leastSide is the least height of a panel.
const leastSide = 4

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
	out := []canvas.Line{canvas.Text(format.Many(int(n), "operation"))}
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

// holds are what is on hold, with when it can be withdrawn, and what may be withdrawn from the account or by it.
func (b *beside) holds(env screen.Env) (out []canvas.Line) {
	for _, h := range b.hold {
		out = append(out, held(env, h)...)
	}
	for _, p := range b.allowed {
		out = append(out, allowed(env, p)...)
	}
	if len(out) == 0 {
		out = append(out, canvas.In(theme.Muted, "Nothing is on hold."))
	}
	return out
}

func held(env screen.Env, h ledgerview.Hold) []canvas.Line {
	out := []canvas.Line{canvas.Join(env.Money().Amount(h.Asset, h.Amount), canvas.In(theme.Muted, "  "+h.ID.String()))}
	day := h.Until.UTC().Format("2006-01-02")
	if h.Free > 0 {
		out = append(out, canvas.Join(canvas.Text("  "), env.Money().Amount(h.Asset, h.Free), canvas.In(theme.OK, " free now")))
	}
	switch {
	case h.Bought:
		out = append(out, canvas.In(theme.Muted, "  a purchase; back on "+day+" unless it is delivered"))
	case h.Free == h.Amount:
	case h.Until.IsZero():
		out = append(out, canvas.In(theme.Muted, "  all of it when it has lain long enough"))
	default:
		out = append(out, canvas.In(theme.Muted, "  all of it on "+day))
	}
	return out
}

// allowed is a permission to withdraw. Its amounts are not on hold: they may be spent, too.
func allowed(env screen.Env, p ledgerview.Permission) []canvas.Line {
	who := canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), format.Account(p.To), canvas.Text(" may withdraw"))
	if p.To.ID == env.Account.ID {
		who = canvas.Join(canvas.Text("You may withdraw from "), format.Account(p.From))
	}
	return []canvas.Line{
		who,
		canvas.Join(canvas.Text("  "), env.Money().Amount(p.Limit.Asset, p.Limit.Amount), canvas.In(theme.Muted, " each "+period(p.Period))),
		canvas.Join(canvas.Text("  "), env.Money().Amount(p.Limit.Asset, p.Left), canvas.In(theme.Muted, " left now")),
		canvas.In(theme.Muted, "  "+periods(p.Periods)),
		canvas.In(theme.Muted, "  until "+p.Until.UTC().Format("2006-01-02")+"  "+p.ID.String()),
	}
}

// periods counts the periods that are not over, the present one among them.
func periods(n int) string {
	if n == 1 {
		return "in the last period"
	}
	return "in " + format.Count(n) + " periods"
}

// period is a length of time in the largest unit that it is whole in.
func period(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n > 0 && d%unit.length == 0 {
			return count(n, unit.name)
		}
	}
	return count(int(d/time.Second), "second")
}

func count(n int, unit string) string {
	if n == 1 {
		return unit
	}
	return format.Count(n) + " " + unit + "s"
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
