package messages

import (
	"maps"
	"time"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen. If a message changes or is left while its review is being built, the review does not open.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	_, building := m.tasks.Busy(topicBuild)
	if !building {
		return m.route(env, msg)
	}
	before := m.writing.content()
	cmd := m.route(env, msg)
	switch _, building = m.tasks.Busy(topicBuild); {
	case !building:
		return cmd
	case m.writing.content() != before:
		return tea.Batch(cmd, stopBuilding(m.tasks, "The message changed, so its review was not opened; enter opens it"))
	case !m.writing.live:
		return tea.Batch(cmd, stopBuilding(m.tasks, "You left the message, so its review was not opened"))
	}
	return cmd
}

// stopBuilding cancels the review that is being built, and shows why.
func stopBuilding(tasks *screen.Tasks, why string) tea.Cmd {
	tasks.Forget(topicBuild)
	return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text(why)})
}

func (m *Model) route(env screen.Env, msg tea.Msg) tea.Cmd {
	m.writing.clearSent()
	m.followAccount(env)
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		m.typeKey(env, msg.Key)
	case screen.Click:
		m.click(msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		return m.open(env, msg.With)
	case screen.Left:
		if _, building := m.tasks.Busy(topicBuild); building {
			return stopBuilding(m.tasks, "You left the message, so its review was not opened")
		}
	case event.Event:
		return m.event(env, msg.Kind)
	}
	return nil
}

// followAccount drops what was read for another account, and all decrypted texts once the wallet is locked.
func (m *Model) followAccount(env screen.Env) {
	if env.Account.ID != m.account {
		m.tasks.Forget(topicRead)
		m.tasks.Forget(topicDrafts)
		m.writing.stash(m.account, m.with)
		m.account, m.conversations, m.paid, m.with, m.fault = env.Account.ID, nil, nil, ledgerview.AccountRef{}, nil
		m.readAt, m.askedAt = time.Time{}, time.Time{}
		m.focus, m.cursor, m.scrolledUp = panelList, list.Cursor{}, 0
		m.writing.reset()
	}
	if env.Unlocked() {
		m.writing.open = m.writing.open || !m.writing.box.Empty()
		return
	}
	m.writing.live, m.writing.open = false, false
	for _, c := range m.conversations {
		for i := range c.Items {
			if c.Items[i].State == vault.MemoOpen {
				c.Items[i].Text, c.Items[i].State = "", vault.MemoLocked
			}
		}
	}
}

func (m *Model) open(env screen.Env, with any) tea.Cmd {
	if to, is := with.(screen.Recipient); is {
		m.startMessage(env, to.Account)
	}
	return tea.Batch(m.readConversations(env), m.readDrafts(env))
}

// event reads again what may have changed; block events come only while the page is shown.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	if kind == event.Payment || kind == event.Block && env.Now.Sub(m.askedAt) < readAgainAfter {
		return nil
	}
	return tea.Batch(m.readConversations(env), m.readDrafts(env))
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRead:
		if m.fault = msg.Err; msg.Err == nil {
			read := msg.Body.(conversations)
			m.conversations, m.paid = read.all, read.paid
			m.readAt = env.Now
			m.restoreCursor()
		}
		if c, there := m.conversation(); there && m.writing.live { // what comes while it is open counts as read
			return m.setMark(env, Read(c))
		}
	case topicFind:
		if m.form.Ended(msg) {
			to := msg.Body.(recipient)
			if m.doubt(env, to) {
				return nil
			}
			m.form.Close()
			if m.paid == nil {
				m.paid = map[ledger.AccountID]bool{}
			}
			maps.Copy(m.paid, to.paid)
			m.startMessage(env, to.found)
		}
	case topicDrafts:
		if d, is := msg.Body.(drafts); is {
			return m.restoreDrafts(d)
		}
	case topicMark:
		if msg.Err != nil {
			return toast(advice.Sentence(msg.Err))
		}
	case topicBuild:
		return m.openReview(msg)
	}
	return nil
}

// typeKey types a key into the field that has the keyboard.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) {
	switch {
	case m.form.Form != nil:
		if m.form.Form.Type(k) {
			m.suggest(env)
		}
	case m.finding:
		if m.filter.Key(k) {
			m.cursor = list.Cursor{}
			m.showAtCursor()
		}
	case m.writing.live && k.Type == tea.KeyPgUp:
		m.scroll(env, "pgup")
	case m.writing.live && k.Type == tea.KeyPgDown:
		m.scroll(env, "pgdn")
	case m.writing.live:
		m.writing.box.Key(k)
		m.writing.fault = ""
	}
}

func (m *Model) click(c screen.Click) {
	if m.form.Form != nil {
		m.form.Form.Click(c)
		return
	}
	m.finding, m.focus = false, c.Panel
	if c.Panel == panelList {
		m.writing.live = false
	}
	if c.At >= 0 && c.Panel == panelList {
		m.cursor.Jump(c.At, len(m.filtered()))
		m.showAtCursor()
	}
}
