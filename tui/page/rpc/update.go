package rpc

import (
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.look()
	if m.secret != nil && (!env.Unlocked() || !env.Now.Before(m.until)) {
		m.wipe()
	}
	for panel := range m.at {
		m.at[panel].Jump(m.at[panel].At, m.count(env, panel))
	}
	switch msg := msg.(type) {
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		if m.form.Form != nil && m.form.Form.Type(msg.Key) {
			m.describe()
		}
	case screen.Click:
		m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.did = nil
		if len(env.Approvals) > 0 {
			m.focus = panelQueue
		}
		return m.readTokens(env)
	case screen.Tick:
		if env.Now.Sub(m.read) >= stale {
			return m.readTokens(env)
		}
	}
	return nil
}

func (m *Model) click(env screen.Env, c screen.Click) {
	if m.form.Form != nil {
		m.form.Form.Click(c)
		return
	}
	m.focus, m.whole = c.Panel, false
	m.at[c.Panel].Pick(c.At, m.count(env, c.Panel))
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		if late, is := msg.Body.(made); is {
			clear(late.text)
		}
		return nil
	}
	m.look()
	switch msg.Topic {
	case topicTokens:
		m.read = env.Now
		if m.fault = msg.Err; msg.Err == nil {
			m.tokens, _ = msg.Body.([]Token)
		}
	case topicSwitch:
		return m.switched(msg)
	case topicForm:
		if !m.form.Ended(msg) {
			return nil
		}
		m.form.Close()
		switch body := msg.Body.(type) {
		case made:
			m.secret, m.until, m.did = body.text, env.Now.Add(shownFor), body.command
		case switched:
			return m.switched(msg)
		}
		return m.readTokens(env)
	}
	return nil
}

// switched shows what became of a listener.
func (m *Model) switched(msg screen.Result) tea.Cmd {
	s, _ := msg.Body.(switched)
	if msg.Err != nil {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "),
			canvas.Text(advice.Said(msg.Err)))})
	}
	for _, d := range m.listeners {
		if d.Name == s.name && d.On {
			return say(d.Name + " is on, " + format.Clean(d.Addr))
		}
	}
	return say(s.name + " is off")
}
