package history

import (
	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	cmd := m.update(env, msg)
	e, there := m.list.table.focused()
	return tea.Batch(cmd, m.beside.follow(env, e, there))
}

func (m *Model) update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		cmd := m.opened(env, msg.With)
		if x := m.export; x != nil && x.stop == nil && !x.known { // it outlived a lock
			return tea.Batch(cmd, x.count(env))
		}
		return cmd
	case event.Event:
		return m.event(env, msg.Kind)
	case screen.Result:
		return m.result(env, msg)
	case screen.Tick:
		if m.export != nil {
			m.export.tick()
		}
	case screen.Click:
		if m.label.ask != nil {
			m.label.ask.Click(msg)
			return nil
		}
		if m.form != nil {
			m.form.ask.Click(msg)
			return nil
		}
		m.list.table.at.Pick(msg.At, m.list.table.total)
		m.list.follow = false
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) { viewOf(m, env).draw(a) }

// event reads again what may have changed. Blocks alone do not change rows that
// the index has; without one they are the only sign of new rows.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch {
	case kind == event.Block && m.list.index.known:
		return nil
	case kind == event.Lock && !m.list.index.known:
		m.list.table.drop() // memos open and close with the wallet: read again
	}
	if e, ok := m.list.table.focused(); m.beside.failed || ok && !isFinal(env, e) {
		m.beside.forget()
	}
	m.show(env.Account.ID)
	return m.list.refresh(env)
}

// opened shows what the asker gave: a filter, or a row; else what was there.
func (m *Model) opened(env screen.Env, with any) tea.Cmd {
	m.show(env.Account.ID)
	l := &m.list
	switch with := with.(type) {
	case screen.Filter:
		l.filter.text.Set(string(with))
		l.filter.asking, m.page, l.wanted = string(with), false, 0
		return l.goNewest(env)
	case ledger.HistoryID:
		l.filter.text.Set("")
		l.filter.asking, l.wanted, l.index.edge = "", with, 0
		if l.table.order == largestFirst {
			l.table.order = newestFirst
		}
	}
	l.tasks.Forget(look) // what is asked now knows all of it
	if l.table.at.At == 0 && l.wanted == 0 && l.table.order != oldestFirst {
		return l.goNewest(env)
	}
	return l.refresh(env)
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.list.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case writing, spanning:
		if m.export == nil {
			return nil
		}
		return m.closeExport(m.export.result(msg))
	case identify:
		m.beside.result(msg)
		return nil
	case labelling:
		m.label.result(msg)
		return nil
	}
	m.show(env.Account.ID)
	cmd := m.list.result(env, msg)
	if m.list.came { // the row that was asked for
		m.list.came, m.page = false, true
	}
	return cmd
}
