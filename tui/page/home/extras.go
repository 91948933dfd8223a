package home

import (
	"context"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/lastview"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// extras holds what an account has besides balances, and what has happened since the last visit.
type extras struct {
	heldItems   []ledgerview.Hold
	permissions []ledgerview.Permission // to withdraw from this account, or granted to it
	tokens      []ledgerview.OwnedToken
	lastVisit   lastview.View // zero: this is the first
	sinceVisit  history.Totals
	newestRow   ledger.HistoryID // the newest row when the extras were read
	known       bool
}

// readExtras reads the extras of an account. If it fails, the part that was read comes with the error.
func readExtras(ctx context.Context, core ExtrasReader, id ledger.AccountID, last lastview.View, top ledger.HistoryID) (extras, error) {
	b := extras{lastVisit: last, newestRow: top}
	var err error
	if b.heldItems, err = core.Held(ctx, id); err != nil {
		return b, err
	}
	if b.permissions, err = core.Permissions(ctx, id); err != nil {
		return b, err
	}
	if b.tokens, err = core.OwnedBy(ctx, id); err != nil {
		return b, err
	}
	if last.Row != 0 {
		b.sinceVisit, err = core.Totals(ctx, id, historyindex.Filter{After: last.Row})
	}
	b.known = err == nil
	return b, err
}

// onHold returns how much of an asset is on hold, in its smallest unit.
func (e *extras) onHold(asset ledger.AssetID) (sum int64) {
	for _, h := range e.heldItems {
		if h.Asset.ID == asset {
			sum += h.Amount
		}
	}
	return sum
}

// drawSide draws what only large windows have room for: what has happened since the last visit, what is on hold, and tokens.
func (m *Model) drawSide(env screen.Env, a canvas.Area) {
	parts := []struct {
		title string
		lines []canvas.Line
	}{
		{m.extras.sinceTitle(env), m.extras.changeLines(env)},
		{"On hold", m.extras.holdLines(env)},
		{"Tokens", m.extras.tokenLines()},
	}
	for i, p := range parts {
		h := a.H
		if i < len(parts)-1 {
			h = min(wrappedHeight(p.lines, a.W-6)+2, max(a.H-minSideHeight*(len(parts)-1-i), minSideHeight))
		}
		putLines(a.Top(h).Box(canvas.Frame{Title: canvas.Bold(theme.Text, p.title)}), p.lines)
		a = a.Below(h)
	}
}

// minSideHeight is the least height of a panel at the side.
const minSideHeight = 4

// wrappedHeight returns how many rows the lines take when wrapped to w cells.
func wrappedHeight(lines []canvas.Line, w int) (n int) {
	for _, l := range lines {
		n += len(l.Wrap(w))
	}
	return n
}

func (e *extras) sinceTitle(env screen.Env) string {
	if e.lastVisit.At.IsZero() {
		return "Since last time"
	}
	return "Since " + env.Times().Since(e.lastVisit.At)
}

// changeLines returns how many rows came since the last visit, and what they moved.
func (e *extras) changeLines(env screen.Env) []canvas.Line {
	switch {
	case !e.known:
		return []canvas.Line{canvas.In(theme.Muted, "…")}
	case e.lastVisit.Row == 0:
		return []canvas.Line{canvas.In(theme.Muted, "Your next visit will list what has happened since this one.")}
	case e.sinceVisit.Rows == 0:
		return []canvas.Line{canvas.In(theme.Muted, "Nothing happened.")}
	}
	n := e.sinceVisit.Rows
	out := []canvas.Line{canvas.Text(format.Many(int(n), "operation"))}
	for _, s := range e.sinceVisit.Sums {
		out = append(out, sumLines(env, s)...)
	}
	return out
}

// sumLines returns what came in and went out of one asset.
func sumLines(env screen.Env, s history.Sum) (out []canvas.Line) {
	if s.In.IsInt64() && s.In.Sign() > 0 {
		out = append(out, env.Money().Aligned(format.Column{}, "+", theme.MoneyIn, s.Asset, s.In.Int64()))
	}
	if s.Out.IsInt64() && s.Out.Sign() > 0 {
		out = append(out, env.Money().Aligned(format.Column{}, "-", theme.MoneyOut, s.Asset, s.Out.Int64()))
	}
	return out
}

// holdLines returns what is on hold and until when, and the permissions to withdraw from the account or granted to it.
func (e *extras) holdLines(env screen.Env) (out []canvas.Line) {
	for _, h := range e.heldItems {
		out = append(out, holdText(env, h)...)
	}
	for _, p := range e.permissions {
		out = append(out, permissionText(env, p)...)
	}
	if len(out) == 0 {
		out = append(out, canvas.In(theme.Muted, "Nothing is on hold."))
	}
	return out
}

func holdText(env screen.Env, h ledgerview.Hold) []canvas.Line {
	out := []canvas.Line{canvas.Join(env.Money().Amount(h.Asset, h.Amount), canvas.In(theme.Muted, "  "+h.ID.String()))}
	day := env.Times().DayIn(h.Until)
	if h.Free > 0 {
		out = append(out, canvas.Join(canvas.Text("  "), env.Money().Amount(h.Asset, h.Free), canvas.In(theme.OK, " free now")))
	}
	switch {
	case h.Bought:
		out = append(out, canvas.In(theme.Muted, "  a purchase; back on "+day+" unless it is delivered"))
	case h.Free == h.Amount:
	case h.Until.IsZero():
		out = append(out, canvas.In(theme.Muted, "  all of it once it has been held long enough"))
	default:
		out = append(out, canvas.In(theme.Muted, "  all of it on "+day))
	}
	return out
}

// permissionText returns the lines of a permission to withdraw. Its amounts are not on hold: the owner can spend them, too.
func permissionText(env screen.Env, p ledgerview.Permission) []canvas.Line {
	who := canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), format.Account(p.To), canvas.Text(" may withdraw"))
	if p.To.ID == env.Account.ID {
		who = canvas.Join(canvas.Text("You may withdraw from "), format.Account(p.From))
	}
	return []canvas.Line{
		who,
		canvas.Join(canvas.Text("  "), env.Money().Amount(p.Limit.Asset, p.Limit.Amount),
			canvas.In(theme.Muted, " each "+periodText(p.Period))),
		canvas.Join(canvas.Text("  "), env.Money().Amount(p.Limit.Asset, p.Left), canvas.In(theme.Muted, " left now")),
		canvas.In(theme.Muted, "  "+periodsText(p.Periods)),
		canvas.In(theme.Muted, "  until "+env.Times().DayIn(p.Until)+"  "+p.ID.String()),
	}
}

// periodsText returns how many periods remain, including the present one.
func periodsText(n int) string {
	if n == 1 {
		return "in the last period"
	}
	return "in " + format.Count(n) + " periods"
}

// periodText returns a duration in the largest unit of which it is a multiple.
func periodText(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n > 0 && d%unit.length == 0 {
			return unitCount(n, unit.name)
		}
	}
	return unitCount(int(d/time.Second), "second")
}

func unitCount(n int, unit string) string {
	if n == 1 {
		return unit
	}
	return format.Count(n) + " " + unit + "s"
}

// tokenLines returns the collections, with the number of tokens in each.
func (e *extras) tokenLines() []canvas.Line {
	if len(e.tokens) == 0 {
		return []canvas.Line{canvas.In(theme.Muted, "None. 9 has all about assets and tokens.")}
	}
	count, order := map[string]int{}, []ledgerview.OwnedToken{}
	for _, t := range e.tokens {
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
