package keys

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
	"billfold/walletcore/vault"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	if m.form.secret != nil {
		m.drawSecret(env, a)
		return
	}
	if m.plan.change != nil {
		m.drawPlan(env, a)
		if m.form.Form != nil {
			m.form.Form.Draw(env, a)
		}
		return
	}
	p := layout.KeyScreen(a.W, a.H, env.PanelClass(), !m.treeHidden)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	own, there := m.account(env)
	if !p.Single || m.focus == panelAccounts {
		m.drawAccounts(env, at(p.Accounts))
	}
	if !p.Single || m.focus == panelRoles {
		m.drawRoles(env, at(p.Roles), own, there)
	}
	if m.focus == panelTree || !p.Single && !m.treeHidden {
		m.drawTree(env, at(p.Tree), own)
	}
	if m.form.Form != nil {
		m.form.Form.Draw(env, a)
	}
}

// panel returns a panel that can have the focus.
func (m *Model) panel(id int, title, state canvas.Line, foot string) panel.Panel {
	return panel.Panel{ID: id, Focus: m.focus == id, Title: title, State: state, Foot: foot}
}

func (m *Model) drawAccounts(env screen.Env, a canvas.Area) {
	state := canvas.In(theme.Muted, format.Count(len(env.Accounts)))
	foot := "i import · n new · w watch"
	if a.W < canvas.Width(foot)+6 {
		foot = "n new · w watch"
	}
	p := m.panel(panelAccounts, canvas.Text("Accounts"), state, foot)
	in := p.Draw(env, a)
	warning := format.Misregistered(env.Status.Misregistered)
	if len(env.Accounts) == 0 {
		y := 0
		if warning != nil {
			y = panel.Put(in, 0, warning)
		}
		panel.Put(in, y, canvas.Text("No accounts. i imports a key, w watches an account, r shows what a registrar needs for a new one."))
		return
	}
	if warning != nil {
		in = panel.Bottom(in, warning)
	}
	legend := []canvas.Line{
		canvas.Join(format.Ownership(vault.OwnershipFull), canvas.In(theme.Muted, " enough keys here")),
		canvas.Join(format.Ownership(vault.OwnershipPartial), canvas.In(theme.Muted, " some of the keys")),
		canvas.Join(format.Ownership(vault.OwnershipWatch), canvas.In(theme.Muted, " no keys, watch only")),
	}
	body := in
	if in.H >= len(env.Accounts)*2+len(legend)+1 {
		body = in.Top(in.H - len(legend))
		for i, l := range legend {
			in.Put(2, in.H-len(legend)+i, l)
		}
	}
	p.Rows(body, &m.cursors[panelAccounts], len(env.Accounts), func(i int) []canvas.Line {
		own := env.Accounts[i]
		return canvas.Join(format.Ownership(own.Ownership), canvas.Text(" "), format.Account(own.AccountRef)).Wrap(in.W - 3)
	})
}

func (m *Model) drawRoles(env screen.Env, a canvas.Area, own vault.OwnAccount, there bool) {
	title := canvas.Text("Keys")
	if there {
		title = canvas.Join(canvas.Text("Keys of "), format.Account(own.AccountRef))
	}
	p := m.panel(panelRoles, canvas.Join(title, env.AsOf(m.readAt)), nil, "c change · b backup · e reveal")
	in := p.Draw(env, a)
	if note := m.emptyText(env, own, there); note != nil {
		panel.Put(in, 0, note)
		return
	}
	list := m.tree.roleRows(own.ID)
	below := m.belowRows(list, append(m.tree.warnings(own.ID), m.tree.backupLine(env, own.ID)...), in.W-4, in.H >= 12)
	room := max(in.H-len(below), min(in.H, 3))
	body, y := in.Top(room), 0
	if room > 3 {
		in.Put(2, 0, canvas.In(theme.Muted, "ROLE    NEEDS  WEIGHT  KEY OR ACCOUNT"))
		body, y = in.Sub(0, 1, in.W, room-1), 1
	}
	first, _ := m.cursors[panelRoles].Window(len(list), body.H, func(i int) int { return len(m.roleLine(list[i], in.W-4)) })
	y += p.Rows(body, &m.cursors[panelRoles], len(list), func(i int) []canvas.Line {
		row := list[i]
		row.sameRole = row.sameRole && i > first // the first row on screen names its role
		return m.roleLine(row, in.W-4)
	})
	for i, l := range below {
		in.Put(2, min(y+1, room)+i, l)
	}
}

// belowRows returns what stands under the roles: the whole key in focus, and warnings.
func (m *Model) belowRows(list []roleRow, warnings []canvas.Line, w int, roomy bool) (out []canvas.Line) {
	if at := m.cursors[panelRoles].At; at < len(list) {
		row := list[at]
		whole := canvas.Text(row.key.String())
		label := "Full key of the row in focus:"
		if row.account != 0 {
			whole, label = format.Account(m.nameOf(row.account)), "The row in focus:"
		}
		if roomy {
			out = append(out, canvas.In(theme.Muted, label))
		}
		out = append(out, whole.Wrap(w)...)
	}
	for _, l := range warnings {
		out = append(out, l.Wrap(w)...)
	}
	return out
}

// backupLine returns when the backup of an account on paper was verified; nothing if there are no keys to back up.
func (t *tree) backupLine(env screen.Env, id ledger.AccountID) []canvas.Line {
	held := t.heldKeys(id)
	if len(held) == 0 {
		return nil
	}
	check, label := t.proven[id], canvas.In(theme.Muted, "Backup on paper  ")
	when := env.Times().DayIn(check.At)
	switch {
	case check.At.IsZero():
		return []canvas.Line{canvas.Join(label, canvas.In(theme.Muted, theme.SignOff+" not checked yet, b does"))}
	case check.Covers(screen.KeysOf(held)):
		return []canvas.Line{canvas.Join(label, canvas.In(theme.OK, theme.SignDone), canvas.Text(" checked "+when))}
	case !check.Some(screen.KeysOf(held)):
		return []canvas.Line{canvas.Join(label, canvas.In(theme.Warn, theme.SignCareful+" keys changed since "+when+", b checks it"))}
	}
	_, without := screen.SplitRoles(held, check.Keys())
	lacks := " " + when + ", NOT the " + strings.Join(without, " and ") + " key, b checks it"
	return []canvas.Line{canvas.Join(label, canvas.In(theme.Warn, theme.SignWork+lacks))}
}

// presenceText returns the sign for how far a party counts, with a word.
func presenceText(state presence) canvas.Line {
	word := map[presence]string{present: " here", partial: " in part", absent: " not here"}[state]
	return canvas.Join(presenceSign(state), canvas.In(theme.Muted, word))
}

// roleLine returns a row of the table of roles.
func (m *Model) roleLine(r roleRow, w int) []canvas.Line {
	who := canvas.Text(format.KeyShort(r.key))
	if r.account != 0 {
		who = format.Account(m.nameOf(r.account))
	}
	role := r.role
	if r.sameRole {
		role = ""
	}
	start := canvas.Text(fmt.Sprintf("%-7s %-6s %-7s ", role, r.needs, r.weight))
	for _, state := range []canvas.Line{presenceText(r.state), presenceSign(r.state)} {
		if line := canvas.Join(start, who, canvas.Text("  "), state); line.Width() <= w {
			return []canvas.Line{line}
		}
	}
	return append([]canvas.Line{canvas.Join(start, presenceText(r.state))}, who.Wrap(w)...)
}

// emptyText returns what stands in place of the roles while there are none, else nil.
func (m *Model) emptyText(env screen.Env, own vault.OwnAccount, there bool) canvas.Line {
	switch {
	case !there:
		return canvas.Text("The keys of an account of this wallet appear here.")
	case m.tree.lookup(own.ID) != nil:
		return nil
	case m.fault != nil:
		what, next := advice.Of(m.fault)
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what+". "), canvas.In(theme.Muted, next))
	case !env.Live():
		return canvas.In(theme.Muted, "Keys cannot be read now: no node is live.")
	case m.readAt.IsZero():
		reading := canvas.In(theme.Pending, theme.SignWork+" Reading the keys of ")
		return canvas.Join(reading, format.Account(own.AccountRef), canvas.Text(" …"))
	}
	return canvas.In(theme.Warn, theme.SignCareful+" this node does not have the account")
}

func (m *Model) drawTree(env screen.Env, a canvas.Area, own vault.OwnAccount) {
	title := canvas.Text("X-ray")
	if len(m.tree.flipped) > 0 {
		title = canvas.Join(canvas.Text("X-ray"), canvas.In(theme.Pending, fmt.Sprintf(" · what if: %d switched", len(m.tree.flipped))))
	}
	state := canvas.In(theme.Muted, fmt.Sprintf("depth %d · t try “what if”", m.tree.depth))
	p := m.panel(panelTree, title, state, "t switches the row in focus")
	in := p.Draw(env, a)
	now := m.tree.lookup(own.ID)
	if now == nil {
		panel.Put(in, 0, canvas.In(theme.Muted, "Who can sign, down to the last key, appears here."))
		return
	}
	result := canvas.Text(m.tree.verdict(now)).Wrap(in.W - 4)
	list := m.tree.partyRows(own.ID)
	body := in.Top(max(in.H-len(result)-1, 1))
	if len(list) > body.H {
		body = in.Top(max(in.H-len(result), 1))
	}
	m.drawParties(p, body, &m.cursors[panelTree], list)
	for i, l := range result {
		in.Put(2, in.H-len(result)+i, l)
	}
}

// drawSecret draws the private key alone on the page.
func (m *Model) drawSecret(env screen.Env, a canvas.Area) {
	left := int(m.form.secretUntil.Sub(env.Now).Seconds())
	frame := canvas.Frame{Title: canvas.Bold(theme.Danger, "Private key"), Heavy: true,
		State: canvas.In(theme.Warn, fmt.Sprintf("hidden in %d s", max(left, 0))), Foot: canvas.In(theme.Muted, "esc hides it")}
	in := a.Panel(frame, env.Class > layout.Tiny)
	y := panel.Put(in, 1, canvas.Join(canvas.In(theme.Muted, "Public key  "), format.Key(m.form.secretOf)))
	y = panel.Put(in, y+1, canvas.Bold(theme.Text, string([]byte(m.form.secret))))
	panel.Put(in, y+1, canvas.In(theme.Warn, theme.SignCareful+" Anyone who sees it can use it for ever. It cannot be copied from here."))
}
