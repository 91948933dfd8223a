package home

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
	"billfold/tui/widget/rows"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// panelsOf returns the layout of the page in w by h cells.
func (m *Model) panelsOf(env screen.Env, w, h int) layout.HomePanels {
	if env.Zoomed {
		all := layout.Rect{W: w, H: h}
		return layout.HomePanels{Single: true, Accounts: all, Balances: all, Pending: all, Recent: all}
	}
	wide := w
	if layout.HomeCharts(h, env.Class) {
		wide = w * 54 / 100
	}
	top := len(m.balances) + min(len(m.extras.tokens), 1)
	if n := len(env.Accounts); n > 1 && env.Class >= layout.Full { // the accounts stand beside the balances, each with what it has
		top = max(top, 2*n+1)
	}
	return layout.HomeScreen(w, h, env.Class, top, m.pendingHeight(env, wide-6))
}

// accountsHidden reports whether the accounts have no panel; the key @ switches between them then.
func (m *Model) accountsHidden(env screen.Env) bool {
	return m.panelsOf(env, env.W, env.H).Accounts.Empty()
}

// box draws a panel's frame, or on a tiny terminal only a row with the title, and returns the area inside.
func (m *Model) box(env screen.Env, a canvas.Area, panel int, title, state canvas.Line, foot string) canvas.Area {
	if env.Class == layout.Tiny {
		a.Rule(0)
		a.Put(1, 0, canvas.Join(canvas.Text(" "), title.As(theme.Focus), canvas.Text(" ")))
		if title.Width()+state.Width()+6 < a.W {
			a.PutRight(1, 0, canvas.Join(canvas.Text(" "), state, canvas.Text(" ")))
		}
		return a.Below(1)
	}
	in := a.Box(canvas.Frame{Title: title, State: state, Foot: canvas.In(theme.Muted, env.KeyHints(foot)), Heavy: m.focus == panel})
	in.Zone(screen.Click{Panel: panel, At: m.cursors[panel].At})
	return in
}

func (m *Model) drawAccounts(env screen.Env, a canvas.Area) {
	in := m.box(
		env,
		a,
		panelAccounts,
		canvas.Bold(theme.Text, "Accounts"),
		canvas.In(theme.Muted, format.Count(len(env.Accounts))),
		"@ switch",
	)
	if warning := format.Misregistered(env.Status.Misregistered); warning != nil && len(env.Accounts) > 0 {
		in = panel.Bottom(in, warning)
	}
	nameW := 0
	for _, acc := range env.Accounts {
		nameW = max(nameW, format.Name(acc.AccountRef).Width())
	}
	at := m.cursors[panelAccounts]
	below := m.accountsBelow(env, in)
	row := func(i int) []canvas.Line { return m.accountLines(env, env.Accounts[i], nameW, in.W) }
	height := func(i int) int { return len(row(i)) }
	room := in.Top(max(in.H-len(below), 1))
	first, end := at.Window(len(env.Accounts), room.H, height)
	list.Scroll(room, first, end-first, len(env.Accounts))
	y := 0
	for i := first; i < end; i++ {
		for _, l := range row(i) {
			in.Put(2, y, l)
			rows.Mark(in, y, i == at.At && m.focus == panelAccounts, screen.Click{Panel: panelAccounts, At: i})
			y++
		}
	}
	for i, l := range below {
		if in.H-len(below)+i >= y {
			in.Put(2, in.H-len(below)+i, l)
		}
	}
}

// accountsBelow returns what stands under the list of accounts: what they have together, and what the signs mean.
func (m *Model) accountsBelow(env screen.Env, in canvas.Area) (out []canvas.Line) {
	for _, sum := range m.totals.SumLines(env, m.FocusAsset()) {
		out = append(out, sum.Wrap(in.W-3)...)
	}
	if note := Uncounted(env).Wrap(in.W - 3); Uncounted(env) != nil && len(out) > 0 && in.H > len(env.Accounts)*2+len(out)+len(note) {
		out = append(out, note...)
	}
	if in.H > len(env.Accounts)*2+len(out) {
		out = append(out, legend(env.Accounts))
	}
	return out[:min(len(out), max(in.H-2, 0))]
}

// accountLines returns an account with what it has, unless it is the only one, whose balances stand beside it.
func (m *Model) accountLines(env screen.Env, acc vault.OwnAccount, nameW, w int) []canvas.Line {
	out := accountRow(env, acc, nameW, w)
	if len(env.Accounts) < 2 || len(m.totals.of) == 0 {
		return out
	}
	for _, l := range m.totals.Lines(env, acc.ID, m.FocusAsset()) {
		out = append(out, canvas.Join(canvas.Text("  "), l))
	}
	return out
}

// legend explains the signs in the list.
func legend(accounts []vault.OwnAccount) canvas.Line {
	out := canvas.Join(format.Ownership(vault.OwnershipFull), canvas.In(theme.Muted, " can sign  "))
	others := []struct {
		is   vault.Ownership
		word string
	}{{vault.OwnershipPartial, " in part  "}, {vault.OwnershipUnknown, " checking  "}, {vault.OwnershipMissing, " not there"}}
	out = canvas.Join(out, format.Ownership(vault.OwnershipWatch), canvas.In(theme.Muted, " watch  "))
	for _, o := range others {
		if slices.ContainsFunc(accounts, func(a vault.OwnAccount) bool { return a.Ownership == o.is }) {
			out = canvas.Join(out, format.Ownership(o.is), canvas.In(theme.Muted, o.word))
		}
	}
	return out
}

// accountRow returns an account in one line if it fits, else in several.
func accountRow(env screen.Env, acc vault.OwnAccount, nameW, w int) []canvas.Line {
	sign := format.Ownership(acc.Ownership)
	token := theme.Text
	if acc.ID == env.Account.ID {
		token = theme.Focus
	}
	one := canvas.Join(format.AccountIn(acc.AccountRef, nameW, 2).As(token), canvas.Text("  "), sign)
	if one.Width() <= w-3 {
		return []canvas.Line{one}
	}
	return canvas.Join(format.Account(acc.AccountRef).As(token), canvas.Text(" "), sign).Wrap(w - 3)
}

func (m *Model) drawBalances(env screen.Env, a canvas.Area) {
	title := canvas.Join(canvas.Bold(theme.Text, "Balances of "), format.Name(env.Account), env.AsOf(m.balancesRead))
	switch {
	case len(env.Accounts) == 0:
		title = canvas.Bold(theme.Text, "Balances")
	case env.Class <= layout.Home:
		title = canvas.Join(format.Account(env.Account), canvas.Text(" · balances"), env.AsOf(m.balancesRead))
	}
	in := m.box(env, a, panelBalances, title, m.panelState(env, topicBalances, m.holdState(env)), "")
	if note := m.emptyLines(env, len(m.balances), m.balancesErr, m.balancesRead, "Reading balances of "); note != nil {
		putLines(in, note)
		return
	}
	m.putBalances(env, in)
}

// columns is the layout of the list of balances.
type columns struct {
	amount, hold        format.Column
	symbol              int
	showHold, showTrend bool
}

// trendW is the width of the column of 30 days.
const trendW = sparkCells + 8

// columns lays out the balances in w cells. If what is on hold has no column, the frame shows it.
func (m *Model) columns(env screen.Env, w int) columns {
	c := columns{symbol: 5}
	for _, b := range m.balances {
		c.amount = c.amount.Fit("", b.Asset, b.Amount)
		c.hold = c.hold.Fit("", b.Asset, m.extras.onHold(b.Asset.ID))
	}
	c.symbol = max(c.amount.Symbol, c.symbol)
	free := w - c.symbol - 2 - max(c.amount.Width(), len("AVAILABLE"))
	if c.showTrend = len(m.trend.assets) > 0 && free >= trendW+2; c.showTrend {
		free -= trendW + 2
	}
	c.showHold = env.Class >= layout.Full && m.extras.known && free >= c.holdW()+3
	return c
}

func (c columns) holdW() int { return max(c.hold.Width(), len("ON HOLD")) }

func (c columns) head() canvas.Line {
	text := fmt.Sprintf("%-*s  %*s", c.symbol, "ASSET", max(c.amount.Width(), len("AVAILABLE")), "AVAILABLE")
	if c.showHold {
		text += fmt.Sprintf("   %*s", c.holdW(), "ON HOLD")
	}
	if c.showTrend {
		text += "  30 DAYS"
	}
	return canvas.In(theme.Muted, text)
}

// balanceRow returns the row of a balance.
func (m *Model) balanceRow(env screen.Env, c columns, b ledgerview.Balance) canvas.Line {
	number := env.Money().Number(c.amount, "", theme.Text, b.Asset, b.Amount)
	l := canvas.Join(canvas.Text(format.Symbol(b.Asset)).Pad(c.symbol+2), number.PadLeft(max(c.amount.Width(), len("AVAILABLE"))))
	if c.showHold {
		held := canvas.In(theme.Muted, "–").PadLeft(c.holdW())
		if n := m.extras.onHold(b.Asset.ID); n > 0 {
			held = env.Money().Number(c.hold, "", theme.Warn, b.Asset, n).PadLeft(c.holdW())
		}
		l = canvas.Join(l, canvas.Text("   "), held)
	}
	if c.showTrend {
		l = canvas.Join(l, canvas.Text("  "), m.trendCell(env, b))
	}
	if !env.Online() {
		l = l.As(theme.Muted)
	}
	return l
}

// trendCell returns a balance's curve and change of 30 days.
func (m *Model) trendCell(env screen.Env, b ledgerview.Balance) canvas.Line {
	if env.Hidden {
		return canvas.In(theme.Muted, strings.Repeat(theme.SignChip, sparkCells))
	}
	one := m.trend.assets[b.Asset.ID]
	return canvas.Join(canvas.In(theme.Info, fmt.Sprintf("%-*s", sparkCells, one.spark)), canvas.Text(fmt.Sprintf(" %7s", one.change)))
}

func (m *Model) putBalances(env screen.Env, in canvas.Area) {
	c := m.columns(env, in.W-4)
	if in.H > len(m.balances) {
		in.Put(2, 0, c.head())
		in = in.Below(1)
	}
	if n := len(m.extras.tokens); n > 0 && in.H > len(m.balances) {
		in.Put(2, len(m.balances), canvas.In(theme.Muted, format.Many(n, "item")+" in NFT collections"))
	}
	at := m.cursors[panelBalances]
	first, end := at.Window(len(m.balances), in.H, list.OneLine)
	for i := first; i < end; i++ {
		in.Put(2, i-first, m.balanceRow(env, c, m.balances[i]))
		rows.Mark(in, i-first, i == at.At && m.focus == panelBalances, screen.Click{Panel: panelBalances, At: i})
	}
	list.Scroll(in, first, end-first, len(m.balances))
}

// holdState returns what is on hold, for the frame if it has no column; else the number of assets.
func (m *Model) holdState(env screen.Env) canvas.Line {
	if env.Class >= layout.Full || len(m.extras.heldItems) == 0 {
		return canvas.In(theme.Muted, format.Many(len(m.balances), "asset"))
	}
	h := m.extras.heldItems[0].Asset
	l := canvas.Join(canvas.In(theme.Muted, "on hold "), env.Money().Amount(h, m.extras.onHold(h.ID)))
	for _, other := range m.extras.heldItems {
		if other.Asset.ID != h.ID {
			return canvas.Join(l, canvas.In(theme.Muted, " and more"))
		}
	}
	return l
}

func (m *Model) drawRecent(env screen.Env, a canvas.Area) {
	in := m.box(env, a, panelRecent, canvas.Join(canvas.Bold(theme.Text, "Recent activity"), env.AsOf(m.recentRead)),
		m.panelState(env, topicRecent, m.recentState(env)), m.recentFoot())
	if note := m.emptyLines(env, len(m.recent), m.recentErr, m.recentRead, "Reading history of "); note != nil {
		putLines(in, note)
		return
	}
	t := rows.New(env, m.recent, in.W-3, false)
	top := 0
	if head := t.Head(); head != nil && in.H > 6 {
		in.Put(2, 0, head)
		top = 1
	}
	at := m.cursors[panelRecent]
	t.Draw(in.Below(top), &at, m.recent, m.focus == panelRecent, panelRecent)
}

// recentFoot names the keys of the panel with the latest rows, in focus those of the row.
func (m *Model) recentFoot() string {
	at := m.cursors[panelRecent].At
	if m.focus != panelRecent || at >= len(m.recent) {
		return "2 full history"
	}
	return "b " + rows.AnswerWord(m.recent[at]) + " · e message · 2 full history"
}

// emptyLines returns what stands in place of a panel's rows; nil if n, their number, is not zero.
func (m *Model) emptyLines(env screen.Env, n int, err error, read time.Time, doing string) []canvas.Line {
	switch {
	case n > 0:
		return nil
	case len(env.Accounts) == 0:
		return noAccountLines(env)
	case err != nil:
		what, next := advice.Of(err)
		return []canvas.Line{
			canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)),
			canvas.In(theme.Muted, next),
		}
	case read.IsZero() && env.Status.Daemon == walletcore.DaemonOffline:
		return []canvas.Line{canvas.In(theme.Muted, "Not known: "+env.NoNode()+", and nothing was read before.")}
	case read.IsZero():
		return []canvas.Line{
			canvas.Join(canvas.In(theme.Pending, theme.SignWork+" "+doing), format.Account(env.Account), canvas.Text(" …")),
		}
	}
	if own, _ := env.Listed(env.Account.ID); own.Ownership == vault.OwnershipMissing {
		return []canvas.Line{canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" This ledger has no account "), format.Account(env.Account)),
			canvas.Text("It was reset, or the node serves another ledger: = shows the node. d removes the account from the list.")}
	}
	return []canvas.Line{canvas.Text("Nothing here yet. To be paid, give people your account name and id: "), format.Account(env.Account)}
}

// noAccountLines returns how a wallet without accounts gets one.
func noAccountLines(env screen.Env) []canvas.Line {
	imports := canvas.Join(canvas.Bold(theme.Key, "i"), canvas.Text(" imports a private key or a wallet.json."))
	again := func(of string) canvas.Line {
		return canvas.Join(canvas.Bold(theme.Key, "n"), canvas.Text(" shows what a registrar needs "+of))
	}
	if warning := format.Misregistered(env.Status.Misregistered); warning != nil {
		return []canvas.Line{warning, again("for another name."), imports}
	}
	if !env.Online() { // the keys may have one, which must not be registered twice
		return []canvas.Line{canvas.Text("No node answers, so it is not known which accounts have these keys."), imports}
	}
	return []canvas.Line{canvas.Text("This wallet has no account yet."), imports, again("to register one for you.")}
}

func putLines(in canvas.Area, lines []canvas.Line) {
	y := 0
	for _, l := range lines {
		for _, r := range l.Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	list.Scroll(in, 0, in.H, y)
}

// panelState returns the state in a panel's frame: that it is being read, if that takes
// long enough to be noticed, else otherwise.
func (m *Model) panelState(env screen.Env, topic string, otherwise canvas.Line) canvas.Line {
	if since, busy := m.tasks.Busy(topic); busy && env.Now.Sub(since) > 150*time.Millisecond {
		return canvas.In(theme.Pending, env.Spinner()+" reading")
	}
	return otherwise
}

// recentState returns how many rows came since the last visit, else the order of the rows.
func (m *Model) recentState(env screen.Env) canvas.Line {
	if n := m.extras.sinceVisit.Rows; n > 0 {
		return canvas.In(theme.Info, theme.SignNew+" "+format.Count(int(n))+" new since "+env.Times().Moment(ledger.TimeOf(m.extras.lastVisit.At), false)+" "+env.Times().Zone(m.extras.lastVisit.At))
	}
	return canvas.In(theme.Muted, "newest first")
}
