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
	return tea.Batch(cmd, m.rowInfo.follow(env, e, there))
}

func (m *Model) update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.Text, screen.Command, screen.Click: // who moves in a locked wallet is there from then on
		m.left = nil
	}
	switch msg := msg.(type) {
	case screen.Opened:
		cmd := m.open(env, msg.With)
		if x := m.export; x != nil && x.stop == nil && !x.monthCounted { // it was kept over a lock
			return tea.Batch(cmd, x.countRows(env))
		}
		return cmd
	case event.Event:
		return m.event(env, msg.Kind)
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Tick:
		if m.export != nil {
			m.export.updateProgress()
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

// event reads again what may have changed. A block alone changes no rows of
// the index; without one, it is the only sign of new rows.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch {
	case kind == event.Block && m.list.index.known:
		return nil
	case kind == event.Lock && !m.list.index.known:
		m.list.table.drop() // memos can be read or not with the lock: read them again
	}
	if e, ok := m.list.table.focused(); m.rowInfo.failed || ok && !isFinal(env, e) {
		m.rowInfo.reset()
	}
	m.showAccount(env.Account.ID)
	return m.list.refresh(env)
}

// open shows the page with the filter or the row that Navigate gave, else as it was.
func (m *Model) open(env screen.Env, with any) tea.Cmd {
	m.showAccount(env.Account.ID)
	l := &m.list
	if left := m.left; left != nil && env.Unlocked() {
		if m.left = nil; with == nil {
			m.goBackTo(left)
		}
	}
	m.rowAlone = m.rowAlone && with == nil
	switch with := with.(type) {
	case screen.Filter:
		l.filter.text.Set(string(with))
		l.filter.pending, m.detailPage, l.wanted = string(with), false, 0
		return l.goNewest(env)
	case ledger.HistoryID:
		l.filter.text.Set("")
		l.filter.pending, l.wanted, l.index.edge = "", with, 0
		if l.table.order == largestFirst {
			l.table.order = newestFirst
		}
	}
	l.tasks.Forget(topicWindow) // the next question covers it
	if l.table.at.At == 0 && l.wanted == 0 && l.table.order != oldestFirst {
		return l.goNewest(env)
	}
	return l.refresh(env)
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.list.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicExport, topicExportCount:
		if m.export == nil {
			return nil
		}
		return m.closeExport(m.export.applyResult(msg))
	case topicTransaction:
		m.rowInfo.applyResult(msg)
		return nil
	case topicLabel:
		m.label.applyResult(msg)
		return nil
	}
	m.showAccount(env.Account.ID)
	cmd := m.list.applyResult(env, msg)
	if m.list.wantedArrived { // the row that was to be opened
		m.list.wantedArrived, m.detailPage, m.rowAlone = false, !m.rowAlone, false
	}
	return cmd
}
