package assets

import (
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
	"billfold/tui/widget/sheet"
	"billfold/walletcore/ledgerview"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := layout.AssetScreen(a.W, a.H, env.Class, len(m.tokens.value))
	if all := (layout.Rect{W: a.W, H: a.H}); env.Zoomed {
		p = layout.AssetPanels{Single: true, List: all, Tokens: all}
	}
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	if !p.Single || m.focus == panelAssets {
		m.drawList(env, at(p.List))
	}
	if !p.Detail.Empty() {
		m.drawDetail(env, at(p.Detail))
	}
	if !p.Single || m.focus == panelTokens {
		m.drawTokens(env, at(p.Tokens))
	}
}

func (m *Model) drawList(env screen.Env, a canvas.Area) {
	title, state := canvas.Join(canvas.Text("Assets"), env.AsOf(m.readAt())), canvas.In(theme.Muted, format.Count(len(m.balances.value)))
	if m.searching() {
		title, state = canvas.Text("All assets"), canvas.In(theme.Muted, "found "+format.Count(len(m.found.value)))
	}
	p := panel.Panel{ID: panelAssets, Focus: m.focus == panelAssets, Title: title, State: state, Foot: "/ find any"}
	in := p.Draw(env, a)
	if m.searching() {
		in.Put(2, 0, canvas.In(theme.Muted, "/ "))
		in.Put(4, 0, m.search.Line(in.W-6, m.typing))
		in = in.Below(1)
	}
	if note := m.note(env); note != nil {
		for i, l := range note.Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	at, n := &m.cursors[panelAssets], len(m.balances.value)
	line := func(i int) canvas.Line { return balanceLine(env, m.balances.value[i], m.amountColumn(env), in.W-4) }
	if m.searching() {
		n = len(m.found.value)
		line = func(i int) canvas.Line { return m.foundLine(m.found.value[i]) }
	}
	if in.H > headlessHeight {
		in.Put(2, 0, m.heads(in.W-4))
		in = in.Below(1)
	}
	p.Rows(in, at, n, func(i int) []canvas.Line { return []canvas.Line{line(i)} })
}

// headlessHeight is the greatest height at which a list has no heads over its columns.
const headlessHeight = 3

// heads returns the heads of the list's columns.
func (m *Model) heads(w int) canvas.Line {
	if m.searching() {
		return canvas.Join(canvas.In(theme.Muted, "ASSET").Pad(symbolW), canvas.In(theme.Muted, "ID"))
	}
	const symbol, amount = "ASSET", "AVAILABLE"
	return canvas.In(theme.Muted, symbol+strings.Repeat(" ", max(min(w, lineW)-len(symbol)-len(amount), 1))+amount)
}

// The widths of a row of what the account holds, and of the symbol in a row of what was found.
const (
	lineW   = 48
	symbolW = 17
)

// note returns what stands in place of the rows while the list has none; nil if it has some.
func (m *Model) note(env screen.Env) canvas.Line {
	reading, fault, empty := m.balances.at.IsZero(), m.balances.fault, len(m.balances.value) == 0
	none := "This account holds nothing. / finds any asset of the ledger."
	if m.searching() {
		reading, fault, empty = m.found.at.IsZero(), m.found.fault, len(m.found.value) == 0
		none = "No asset begins with that."
	}
	switch {
	case !empty:
		return nil
	case len(env.Accounts) == 0 && !m.searching():
		return canvas.Text("This wallet has no account yet. / finds any asset of the ledger.")
	case fault != nil:
		what, next := advice.Of(fault)
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what+". "), canvas.In(theme.Muted, next))
	case reading && !env.Live():
		return canvas.In(theme.Muted, "Assets cannot be read now: no node is live.")
	case reading:
		return canvas.In(theme.Pending, theme.SignWork+" Reading …")
	}
	return canvas.Text(none)
}

// amountColumn returns the layout that fits all of the account's amounts.
func (m *Model) amountColumn(env screen.Env) format.Column {
	var c format.Column
	for _, b := range m.balances.value {
		c = c.Fit("", b.Asset, b.Amount)
	}
	return c
}

// balanceLine returns the row of an asset that the account holds: its symbol, and how much.
func balanceLine(env screen.Env, b ledgerview.Balance, c format.Column, w int) canvas.Line {
	amount := env.Money().Number(c, "", theme.Text, b.Asset, b.Amount)
	symbol := canvas.Text(format.Symbol(b.Asset))
	gap := max(min(w, lineW)-symbol.Width()-amount.Width(), 1)
	return canvas.Join(symbol, canvas.Text(strings.Repeat(" ", gap)), amount)
}

// foundLine returns the row of an asset that was found, with a warning if its symbol is easily mistaken for that of an asset the
// account holds.
func (m *Model) foundLine(a *ledger.Asset) canvas.Line {
	l := canvas.Join(canvas.Text(canvas.Cut(format.Clean(a.Symbol), symbolW-1)).Pad(symbolW), canvas.In(theme.Muted, a.ID.String()))
	if _, mine := m.balanceOf(a.ID); mine {
		return canvas.Join(l, canvas.In(theme.OK, " yours"))
	}
	for _, b := range m.balances.value {
		if ledgerview.SymbolsAlike(b.Asset.Symbol, a.Symbol) {
			return canvas.Join(l, canvas.In(theme.Warn, " "+theme.SignCareful+" not "+format.Symbol(b.Asset)))
		}
	}
	return l
}

// labelW is the width of the labels of the detail.
const labelW = 12

func (m *Model) drawDetail(env screen.Env, a canvas.Area) {
	title := "Asset"
	if t, there := m.token(); there && m.focus == panelTokens {
		m.drawToken(env, a, t)
		return
	}
	symbol := m.symbol()
	detail, known := m.details[symbol]
	if symbol != "" {
		title = format.Clean(symbol)
	}
	state := canvas.Line(nil)
	if known {
		state = canvas.In(theme.Muted, detail.ID.String())
	}
	foot := canvas.In(theme.Muted, env.KeyHints("s send · r receive · v history"))
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, title), State: state, Foot: foot}, env.Class > layout.Tiny)
	s := &sheet.Sheet{In: in, Labels: labelW}
	switch {
	case symbol == "":
		return
	case !known:
		s.Put("", canvas.In(theme.Pending, theme.SignWork+" Reading …"))
		return
	}
	var held *ledgerview.Balance
	if b, mine := m.balanceOf(detail.ID); mine {
		held = &b
	}
	putRows(s, detail.Rows(env, held))
}

// putRows writes the rows of a card.
func putRows(s *sheet.Sheet, rows []card.Row) {
	for _, row := range rows {
		label := row.Label
		for _, l := range row.Lines(s.In.W - labelW - 4) {
			s.Put(label, l)
			label = ""
		}
	}
}

func (m *Model) drawTokens(env screen.Env, a canvas.Area) {
	p := panel.Panel{ID: panelTokens, Focus: m.focus == panelTokens, Title: canvas.Text("Tokens"),
		State: canvas.In(theme.Muted, format.Count(len(m.tokens.value)))}
	if len(m.tokens.value) > 0 {
		p.Foot = "↵ open · y copy"
	}
	in := p.Draw(env, a)
	if len(m.tokens.value) == 0 {
		text := "This account holds no tokens (NFT)."
		switch {
		case m.tokens.fault != nil:
			text = advice.Sentence(m.tokens.fault)
		case m.tokens.at.IsZero() && len(env.Accounts) > 0:
			text = "Not read yet."
		}
		for i, l := range canvas.In(theme.Muted, text).Wrap(in.W - 4) {
			in.Put(2, i, l)
		}
		return
	}
	p.Rows(in, &m.cursors[panelTokens], len(m.tokens.value), func(i int) []canvas.Line {
		t := m.tokens.value[i]
		l := canvas.Join(canvas.Text(t.ID.String()).Pad(12), canvas.Text(canvas.Cut(format.Clean(t.Kind.Symbol), 16)).Pad(18))
		if len(t.Data) > 0 {
			l = canvas.Join(l, format.Quote(valueText(t.Data[0]), max(in.W-4-l.Width(), 3)))
		}
		return []canvas.Line{l}
	})
}

// drawToken draws the data of a token, which its issuer or owner wrote.
func (m *Model) drawToken(env screen.Env, a canvas.Area, t ledgerview.OwnedToken) {
	in := a.Panel(canvas.Frame{Title: canvas.Bold(theme.Text, "Data of "+t.ID.String()), State: canvas.In(theme.Muted, "written by others"),
		Foot: canvas.In(theme.Muted, "links are never opened")}, env.Class > layout.Tiny)
	putRows(&sheet.Sheet{In: in, Labels: labelW}, tokenRows(t)[1:])
}

// OfToken returns the card of a token. Its data was written by its issuer or owner.
func OfToken(t ledgerview.OwnedToken) card.Card {
	return card.Card{Title: "Token card", Rows: func(screen.Env) []card.Row { return tokenRows(t) },
		Can:    func(screen.Env) []card.Offer { return nil },
		Copies: []screen.Value{{Name: "Token id", Text: t.ID.String()}, {Name: "Kind", Text: t.Kind.Symbol}, {Name: "Kind id", Text: t.NFTID.String()}}}
}

// tokenRows returns what is known about a token; links in it are never opened.
func tokenRows(t ledgerview.OwnedToken) []card.Row {
	transfer := map[bool]string{true: "possible", false: "not possible"}[t.Kind.Transferable]
	rows := []card.Row{
		{Label: "Token", Line: canvas.Text(t.ID.String())},
		{Label: "Kind", Line: canvas.Join(canvas.Text(format.Clean(t.Kind.Symbol)+" "), canvas.In(theme.Muted, t.NFTID.String()))},
		{Label: "Transfer", Line: canvas.Text(transfer)},
	}
	for i, d := range t.Kind.Definitions {
		if i >= len(t.Data) {
			break
		}
		name := fmt.Sprintf("field %d", i+1)
		if d.Name != nil {
			name = format.Clean(*d.Name)
		}
		rows = append(rows, card.Row{Label: canvas.Cut(name, labelW-1), Quote: valueText(t.Data[i])})
	}
	return rows
}

// valueText returns a value of a token's data as text, JSON if it is no string.
func valueText(v ledger.Variant) string {
	if text, is := v.Value.(string); is {
		return text
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(raw)
}
