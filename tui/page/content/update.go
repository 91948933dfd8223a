package content

import (
	"context"
	"time"

	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/content"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		if m.plan == nil && m.form.Form != nil {
			m.form.Form.Click(msg)
		} else if m.plan == nil && msg.At >= 0 {
			m.typing = false
			m.cursor().Jump(msg.At, len(m.rows()))
		}
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		return tea.Batch(m.readTasks(env), m.read(env))
	case event.Event:
		switch {
		case msg.Kind == event.Content:
			return tea.Batch(m.readTasks(env), m.read(env))
		case env.Now.Sub(m.readAt[m.which]) >= readAgainAfter:
			return m.read(env)
		}
	}
	return nil
}

// reading holds the rows that were read of a list.
type reading struct {
	which List
	items []Item
}

// read starts reading the list on screen.
func (m *Model) read(env screen.Env) tea.Cmd {
	if env.Account.ID != m.account {
		m.account, m.items = env.Account.ID, [lists][]Item{}
	}
	which, by, term, core := m.which, env.Account, m.search.Value(), m.core
	if which != OnOffer && which != UnderWay && by.ID == 0 {
		return nil
	}
	return m.tasks.Start(env, topicRead, readLimit, func(ctx context.Context) (any, error) {
		items, err := core.List(ctx, which, by, term)
		return reading{which, items}, err
	})
}

// readTasks starts reading the tasks, to find those that ended.
func (m *Model) readTasks(env screen.Env) tea.Cmd {
	core := m.core
	return m.tasks.Start(env, topicTasks, readLimit, func(context.Context) (any, error) { return core.Tasks(), nil })
}

// reportEnded shows in toasts which tasks ended.
func (m *Model) reportEnded(msg screen.Result) tea.Cmd {
	tasks, _ := msg.Body.([]content.Task)
	var cmds []tea.Cmd
	for _, news := range m.watch.Ended(tasks) {
		cmds = append(cmds, screen.Request(screen.Toast{Bad: news.Bad, Line: news.toast()}))
	}
	return tea.Batch(cmds...)
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRead:
		m.applyReading(env, msg)
		return nil
	case topicWork:
		return m.applyWork(env, msg)
	case topicBuild:
		return m.openSpend(msg)
	case topicPublish:
		if msg.Err != nil {
			return bad(msg.Err)
		}
		m.plan, m.which, m.publication = nil, UnderWay, nil
		m.readAt[UnderWay] = time.Time{}
		m.form.Close()
		return tea.Batch(m.read(env), said("It is being packed; then it is uploaded and submitted"))
	case topicTasks:
		return m.reportEnded(msg)
	case topicFetch:
		if msg.Err != nil {
			return bad(msg.Err)
		}
		return tea.Batch(m.read(env), said("It is being downloaded"))
	}
	return nil
}

func (m *Model) applyReading(env screen.Env, msg screen.Result) {
	got, _ := msg.Body.(reading)
	if m.faults[got.which] = msg.Err; msg.Err == nil {
		m.items[got.which], m.readAt[got.which] = got.items, env.Now
	}
	m.cursors[got.which].Jump(m.cursors[got.which].At, len(m.items[got.which]))
}

// applyWork takes the end of what a form began: a review, or something that is done.
func (m *Model) applyWork(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.form.Ended(msg) {
		return nil
	}
	switch body := msg.Body.(type) {
	case Plan:
		return m.showPlan(env, body)
	case screen.Built:
		m.form.Close()
		return m.openSpend(msg)
	}
	m.form.Close()
	return tea.Batch(m.read(env), said(m.doneText))
}

// openSpend opens the review of what was built.
func (m *Model) openSpend(msg screen.Result) tea.Cmd {
	built, is := msg.Body.(screen.Built)
	if msg.Err != nil || !is {
		return bad(msg.Err)
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built, Back: screen.Content}})
}

func bad(err error) tea.Cmd {
	if isLocked(err) {
		return screen.Request(screen.NeedUnlock{})
	}
	return screen.Request(screen.Toast{Bad: true, Line: canvas.Text(advice.Sentence(err))})
}

func said(text string) tea.Cmd {
	return screen.Request(screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), canvas.Text(text))})
}
