package console

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// openForm opens the form of the operation that the line begins with.
func (m *Model) openForm() tea.Cmd {
	form, known := m.core.Forms.Form(m.line())
	if !known {
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("Type the name of an operation first; tab completes it")})
	}
	m.operation = form
	m.form = &ask.Form{Title: form.Method, Word: "run", Text: []canvas.Line{canvas.Text(format.Clean(form.Help))}}
	for _, f := range form.Fields {
		in := field.New(f.Value)
		in.Secret = f.Secret
		m.form.Fields = append(m.form.Fields, ask.Field{Label: f.Name, Input: in})
	}
	m.form.Missing = func(values []string) string {
		for i, f := range m.operation.Fields {
			if values[i] == "" && (f.Secret || f.Needed) {
				return f.Name + " is needed: " + f.Type
			}
		}
		return ""
	}
	m.updateBelow()
	return nil
}

// masked returns the values of the form, with dots for secrets.
func (m *Model) masked() []string {
	values := m.form.Values()
	for i, f := range m.operation.Fields {
		if f.Secret && values[i] != "" {
			values[i] = strings.Repeat(theme.SignDots, 6)
		}
	}
	return values
}

// hasSecret reports whether the operation takes a secret.
func (f Form) hasSecret() bool {
	for _, one := range f.Fields {
		if one.Secret {
			return true
		}
	}
	return false
}

// updateBelow shows under the form the description of the field in focus, and the line that the form amounts to.
func (m *Model) updateBelow() {
	if m.revealLine != "" {
		return
	}
	m.form.Below = []canvas.Line{canvas.In(theme.Muted, format.Clean(m.core.Forms.Line(m.operation.Method, m.masked())))}
	at := m.form.At()
	if at < 0 || at >= len(m.operation.Fields) {
		return
	}
	f := m.operation.Fields[at]
	text := f.Type
	if f.Help != "" {
		text += " · " + f.Help
	}
	if f.Optional {
		text += " · may be left out"
	}
	about := canvas.Join(canvas.In(theme.Focus, f.Name), canvas.In(theme.Muted, ": "+format.Clean(text)))
	m.form.Below = append([]canvas.Line{about}, m.form.Below...)
}

// applyAnswer runs the form, or closes it and leaves its line typed, unless the operation takes a secret.
func (m *Model) applyAnswer(env screen.Env, answer ask.Answer) tea.Cmd {
	if m.revealLine != "" {
		line, password := m.revealLine, m.form.Values()[0]
		if answer == ask.Stay {
			return nil
		}
		m.form, m.revealLine = nil, ""
		if answer == ask.Go {
			return m.runRevealing(env, line, password)
		}
		return nil
	}
	if answer == ask.Stay {
		m.updateBelow()
		return nil
	}
	forms, method, secret := m.core.Forms, m.operation.Method, m.operation.hasSecret()
	shown, line := forms.Line(method, m.masked()), forms.Line(method, m.form.Values())
	if answer == ask.Go && m.busy() {
		m.form.Fault = "the previous line is still running"
		return nil
	}
	m.form = nil
	switch {
	case answer == ask.Go && secret:
		return m.startRun(env, shown, line, m.core.Forms.RunForm)
	case answer == ask.Go:
		m.input.Set(line)
		return m.runLine(env)
	case !secret:
		m.input.Set(line)
	}
	return nil
}
