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
	m.readServer()
	if m.secret != nil && (!env.Unlocked() || !env.Now.Before(m.secretUntil)) {
		m.wipeSecret()
	}
	for panel := range m.cursors {
		m.cursors[panel].Jump(m.cursors[panel].At, m.rowCount(env, panel))
	}
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		if m.form.Form != nil && m.form.Form.Type(msg.Key) {
			m.describePolicy()
		}
	case screen.Click:
		m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		m.lastCommand = nil
		if len(env.Approvals) > 0 {
			m.focus = panelQueue
		}
		return m.readTokens(env)
	case screen.Tick:
		if env.Now.Sub(m.tokensReadAt) >= tokensMaxAge {
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
	m.focus, m.expanded = c.Panel, false
	m.cursors[c.Panel].Pick(c.At, m.rowCount(env, c.Panel))
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		if late, is := msg.Body.(newToken); is {
			clear(late.text)
		}
		return nil
	}
	m.readServer()
	switch msg.Topic {
	case topicTokens:
		m.tokensReadAt = env.Now
		if m.fault = msg.Err; msg.Err == nil {
			m.tokens, _ = msg.Body.([]Token)
		}
	case topicSwitch:
		return m.applySwitch(msg)
	case topicForm:
		if !m.form.Ended(msg) {
			return nil
		}
		m.form.Close()
		switch body := msg.Body.(type) {
		case newToken:
			m.secret, m.secretUntil, m.lastCommand = body.text, env.Now.Add(secretShownFor), body.command
		case switchResult:
			return m.applySwitch(msg)
		}
		return m.readTokens(env)
	}
	return nil
}

// applySwitch shows whether a listener was switched on or off, or why not.
func (m *Model) applySwitch(msg screen.Result) tea.Cmd {
	s, _ := msg.Body.(switchResult)
	if msg.Err != nil {
		return screen.Request(screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "),
			canvas.Text(advice.Sentence(msg.Err)))})
	}
	for _, d := range m.listeners {
		if d.Name == s.name && d.On {
			return toast(d.Name + " is on, " + format.Clean(d.Addr))
		}
	}
	return toast(s.name + " is off")
}
