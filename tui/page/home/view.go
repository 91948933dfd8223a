package home

import (
	"fmt"
	"slices"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	"billfold/walletcore"
	"billfold/walletcore/vault"
)

func (m *Model) accounts(env screen.Env, a canvas.Area) {
	in := m.box(
		env,
		a,
		panelAccounts,
		canvas.Bold(theme.Text, "Accounts"),
		canvas.In(theme.Muted, format.Count(len(env.Accounts))),
		"@ switch",
	)
	nameW := 0
	for _, acc := range env.Accounts {
		nameW = max(nameW, format.Name(acc.AccountRef).Width())
	}
	at := m.at[panelAccounts]
	height := func(i int) int { return len(accountRow(env, env.Accounts[i], nameW, in.W)) }
	first, end := at.Window(len(env.Accounts), max(in.H-2, 1), height)
	y := 0
	for i := first; i < end; i++ {
		for _, l := range accountRow(env, env.Accounts[i], nameW, in.W) {
			in.Put(2, y, l)
			rows.Mark(in, y, i == at.At && m.focus == panelAccounts, screen.Click{Panel: panelAccounts, At: i})
			y++
		}
	}
	if in.H > y+1 {
		in.Put(2, in.H-1, legend(env.Accounts))
	}
}

// legend explains the signs that stand in the list.
func legend(accounts []vault.OwnAccount) canvas.Line {
	out := canvas.Join(format.Ownership(vault.OwnershipFull), canvas.In(theme.Muted, " can sign  "))
	others := []struct {
		is   vault.Ownership
		word string
	}{{vault.OwnershipPartial, " in part  "}, {vault.OwnershipUnknown, " checking"}}
	out = canvas.Join(out, format.Ownership(vault.OwnershipWatch), canvas.In(theme.Muted, " watch  "))
	for _, o := range others {
		if slices.ContainsFunc(accounts, func(a vault.OwnAccount) bool { return a.Ownership == o.is }) {
			out = canvas.Join(out, format.Ownership(o.is), canvas.In(theme.Muted, o.word))
		}
	}
	return out
}

// accountRow is one line when it fits, else the id goes under the name.
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
	in := m.box(env, a, panelBalances, title, m.reading(env, balances, assets(len(m.balances))), "")
	if note := m.instead(env, len(m.balances), m.balancesErr, m.balancesRead, "Reading balances of "); note != nil {
		putAll(in, note)
		return
	}
	var col format.Column
	for _, b := range m.balances {
		col = col.Fit("", b.Asset, b.Amount)
	}
	if in.H > len(m.balances) {
		in.Put(2, 0, canvas.In(theme.Muted, fmt.Sprintf("%-*s  %*s", max(col.Symbol, 5), "ASSET", col.Width(), "AVAILABLE")))
		in = in.Below(1)
	}
	at := m.at[panelBalances]
	first, end := at.Window(len(m.balances), in.H, list.One)
	for i := first; i < end; i++ {
		b := m.balances[i]
		l := canvas.Join(
			canvas.Text(format.Symbol(b.Asset)).Pad(max(col.Symbol, 5)+2),
			env.Money().Number(col, "", theme.Text, b.Asset, b.Amount),
		)
		if !env.Online() {
			l = l.As(theme.Muted)
		}
		in.Put(2, i-first, l)
		rows.Mark(in, i-first, i == at.At && m.focus == panelBalances, screen.Click{Panel: panelBalances, At: i})
	}
	in.Scroll(first, end-first, len(m.balances))
}

func (m *Model) drawRecent(env screen.Env, a canvas.Area) {
	in := m.box(env, a, panelRecent, canvas.Join(canvas.Bold(theme.Text, "Recent activity"), env.AsOf(m.recentRead)),
		m.reading(env, recent, "newest first"), "2 full history")
	if note := m.instead(env, len(m.recent), m.recentErr, m.recentRead, "Reading history of "); note != nil {
		putAll(in, note)
		return
	}
	t := rows.New(env, m.recent, in.W-3, false)
	top := 0
	if head := t.Head(); head != nil && in.H > 6 {
		in.Put(2, 0, head)
		top = 1
	}
	at := m.at[panelRecent]
	t.Draw(in.Below(top), &at, m.recent, m.focus == panelRecent, panelRecent)
}

// instead is what a panel says when it has no rows.
func (m *Model) instead(env screen.Env, n int, err error, read time.Time, doing string) []canvas.Line {
	switch {
	case n > 0:
		return nil
	case len(env.Accounts) == 0:
		return []canvas.Line{
			canvas.Text("This wallet has no account yet."),
			canvas.Join(canvas.Bold(theme.Key, "i"), canvas.Text(" imports a private key or a wallet.json.")),
		}
	case err != nil:
		what, next := advice.Of(err)
		return []canvas.Line{
			canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what)),
			canvas.In(theme.Muted, next),
		}
	case read.IsZero() && env.Status.Daemon == walletcore.DaemonOffline:
		return []canvas.Line{canvas.In(theme.Muted, "Not known: no node answers, and nothing was read before.")}
	case read.IsZero():
		return []canvas.Line{
			canvas.Join(canvas.In(theme.Pending, theme.SignWork+" "+doing), format.Account(env.Account), canvas.Text(" …")),
		}
	}
	return []canvas.Line{canvas.Text("Nothing here yet. To be paid, give people your account name and id: "), format.Account(env.Account)}
}

func putAll(in canvas.Area, lines []canvas.Line) {
	y := 0
	for _, l := range lines {
		for _, r := range l.Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
}

// reading is the state in a panel's edge: what it counts, or that it reads for
// longer than anybody would not notice.
func (m *Model) reading(env screen.Env, topic, else_ string) canvas.Line {
	if since, busy := m.tasks.Busy(topic); busy && env.Now.Sub(since) > 150*time.Millisecond {
		return canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" reading")
	}
	return canvas.In(theme.Muted, else_)
}

func assets(n int) string {
	if n == 1 {
		return "1 asset"
	}
	return fmt.Sprintf("%d assets", n)
}
