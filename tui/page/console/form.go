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

// openForm opens the form of the operation that is typed.
func (m *Model) openForm() tea.Cmd {
	of, known := m.core.Forms.Form(m.line())
	if !known {
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("Type the name of an operation first; tab completes it")})
	}
	m.of = of
	m.form = &ask.Form{Title: of.Method, Word: "run", Text: []canvas.Line{canvas.Text(format.Clean(of.Help))}}
	for _, f := range of.Fields {
		in := field.New(f.Value)
		in.Secret = f.Secret
		m.form.Fields = append(m.form.Fields, ask.Field{Label: f.Name, Input: in})
	}
	m.form.Missing = func(values []string) string {
		for i, f := range m.of.Fields {
			if values[i] == "" && (f.Secret || f.Needed) {
				return f.Name + " is needed: " + f.Type
			}
		}
		return ""
	}
	m.inStep()
	return nil
}

// masked are what is typed, with dots for secrets.
func (m *Model) masked() []string {
	values := m.form.Values()
	for i, f := range m.of.Fields {
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

// inStep shows under the form what the field in focus is, and the line that comes of all of them.
func (m *Model) inStep() {
	if m.reveals != "" {
		return
	}
	m.form.Below = []canvas.Line{canvas.In(theme.Muted, format.Clean(m.core.Forms.Line(m.of.Method, m.masked())))}
	at := m.form.At()
	if at < 0 || at >= len(m.of.Fields) {
		return
	}
	f := m.of.Fields[at]
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

// answered runs the form, or leaves it with its line typed; what is secret is never in that.
func (m *Model) answered(env screen.Env, answer ask.Answer) tea.Cmd {
	if m.reveals != "" {
		line, password := m.reveals, m.form.Values()[0]
		if answer == ask.Stay {
			return nil
		}
		m.form, m.reveals = nil, ""
		if answer == ask.Go {
			return m.reveal(env, line, password)
		}
		return nil
	}
	if answer == ask.Stay {
		m.inStep()
		return nil
	}
	shown, line, secret := m.core.Forms.Line(m.of.Method, m.masked()), m.core.Forms.Line(m.of.Method, m.form.Values()), m.of.hasSecret()
	if answer == ask.Go && m.busy() {
		m.form.Fault = "the line before still runs"
		return nil
	}
	m.form = nil
	switch {
	case answer == ask.Go && secret:
		return m.start(env, shown, line, m.core.Forms.RunForm)
	case answer == ask.Go:
		m.input.Set(line)
		return m.begin(env)
	case !secret:
		m.input.Set(line)
	}
	return nil
}
