package home

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/chart"
	"billfold/walletcore/ledgerview"
)

// drawChart draws the balance in focus over the chosen span.
func (m *Model) drawChart(env screen.Env, a canvas.Area) {
	title, asset := canvas.Bold(theme.Text, "Balance"), ledgerview.AssetRef{}
	var one assetTrend
	if at := m.cursors[panelBalances].At; at < len(m.balances) {
		asset = m.balances[at].Asset
		title = canvas.Bold(theme.Text, format.Symbol(asset)+" balance")
		one = m.trend.assets[asset.ID]
	}
	in := a.Box(canvas.Frame{Title: title, State: canvas.In(theme.Muted, m.trend.span.name()+" · c range")})
	in.Zone(screen.Command{ID: "home.range"})
	if note := m.chartNote(env, one); note != nil {
		putLines(in, []canvas.Line{note})
		return
	}
	low, high := chart.Bounds(one.line)
	top, bottom := axisAmount(asset, high), axisAmount(asset, low)
	w := max(len(top), len(bottom))
	plot := in.Sub(w+3, 0, in.W-w-4, in.H-1)
	for y := range plot.H {
		label, tick := "", "│"
		switch {
		case y == 0:
			label, tick = top, "┤"
		case y == plot.H-1 && low != high:
			label, tick = bottom, "┤"
		}
		in.Put(1, y, canvas.In(theme.Muted, strings.Repeat(" ", w-len(label))+label+" "+tick))
	}
	in.Put(w+2, in.H-1, canvas.In(theme.Muted, "└"+strings.Repeat("─", plot.W)))
	in.Put(w+5, in.H-1, canvas.In(theme.Muted, " "+env.Times().Axis(one.from)+" "))
	in.PutRight(2, in.H-1, canvas.In(theme.Muted, " now "))
	chart.Line(plot, one.line, env.ASCII, theme.Info)
}

// chartNote returns why there is nothing to draw; nil if there is something.
func (m *Model) chartNote(env screen.Env, one assetTrend) canvas.Line {
	switch {
	case env.Hidden:
		return canvas.In(theme.Muted, "Amounts are hidden. * shows them.")
	case len(one.line) > 1:
		return nil
	case m.core.Past == nil || !m.trend.read.IsZero() && !m.trend.past.Known:
		return canvas.In(theme.Muted, "Not known: the history of this account was not read yet.")
	case m.trend.read.IsZero():
		return canvas.In(theme.Muted, "…")
	case len(m.balances) == 0:
		return canvas.In(theme.Muted, "Nothing here yet.")
	}
	return canvas.In(theme.Muted, "Not known so far back.")
}

// axisAmount returns a balance in short, as only an axis may show it: three significant digits, and letters for thousands.
func axisAmount(asset ledgerview.AssetRef, amount int64) string {
	unit := big.NewInt(1)
	for range asset.Precision {
		unit.Mul(unit, big.NewInt(10))
	}
	n := new(big.Int).Mul(big.NewInt(amount), big.NewInt(1000))
	v, letter := n.Div(n, unit).Uint64(), "" // thousandths
	for _, next := range []string{"k", "M", "G", "T"} {
		if v < 1_000_000 {
			break
		}
		v, letter = v/1000, next
	}
	text := fmt.Sprintf("%d.%03d", v/1000, v%1000)
	switch {
	case v >= 100_000:
		text = text[:len(text)-4]
	case v >= 10_000:
		text = text[:len(text)-2]
	case v >= 1000:
		text = text[:len(text)-1]
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + letter
}

// Sentences returns the charts of 30 days in words, by asset: "up 2.1% in 30 days, low 11.8k, high 12.5k". An asset whose past is
// not known or whose balance did not change has none.
func Sentences(
	ctx context.Context, core Core, id ledger.AccountID, now time.Time, held []ledgerview.Balance,
) map[ledger.AssetID]string {
	out := map[ledger.AssetID]string{}
	if core.Past == nil {
		return out
	}
	t := trend{read: now}
	var err error
	if t.past, err = core.Past.Past(ctx, id, t.start(now), pastPatience); err != nil {
		return out
	}
	t.compute(now, held)
	for _, b := range held {
		if one := t.assets[b.Asset.ID]; one.change != "" && len(one.line) > 1 {
			out[b.Asset.ID] = trendSentence(b.Asset, one.line)
		}
	}
	return out
}

func trendSentence(asset ledgerview.AssetRef, line []int64) string {
	low, high := chart.Bounds(line)
	first, last := line[0], line[len(line)-1]
	bounds := ", low " + axisAmount(asset, low) + ", high " + axisAmount(asset, high)
	switch change := strings.TrimLeft(percentChange(first, last), "+-"); {
	case low == high:
		return "" // no change
	case first == 0:
		return "new in 30 days" + bounds
	case last < first:
		return "down " + change + " in 30 days" + bounds
	case last > first:
		return "up " + change + " in 30 days" + bounds
	}
	return "same as 30 days ago" + bounds
}
