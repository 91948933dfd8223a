package console

import (
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
)

// Resume implements screen.Resumer: what was typed comes back with the open wallet, without what is secret in it.
func (m *Model) Resume(was screen.Screen) {
	if before, is := was.(*Model); is {
		m.kept = before.draft()
		m.cut = m.cut || before.busy()
		m.tasks.Adopt(before.tasks, topicRun)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if m.form == nil && strings.TrimSpace(m.input.Value()) != "" {
		return "A line in the Console is typed and not run; quitting drops it."
	}
	return m.form.Unsaved()
}

// draft returns what is typed now, without what is secret in it.
func (m *Model) draft() draft {
	line := m.input.Value()
	switch {
	case line == "" && m.form == nil:
		return m.kept // it was not shown again yet
	case m.form == nil:
	case m.reveals != "":
		line = m.reveals // run again, it asks for the password again
	default:
		return draft{m.of.Method, m.bare()}
	}
	return draft{line: line[:m.core.Censor.Secret(line)]}
}

// bare are the values of the form without what is secret in them.
func (m *Model) bare() []string {
	values := m.form.Values()
	for i, f := range m.of.Fields {
		if f.Secret || ledger.HoldsWIF(values[i]) {
			values[i] = ""
		}
	}
	return values
}

// resume puts the draft back once the wallet is open: until then it is as private as what was run.
func (m *Model) resume(env screen.Env) {
	was := m.kept
	if was.line == "" || !env.Unlocked() || !m.input.Empty() || m.form != nil {
		return
	}
	m.kept = draft{}
	if m.input.Set(was.line); was.values == nil {
		return
	}
	m.openForm()
	for i := range m.form.Fields {
		m.form.Fields[i].Input.Set(was.values[i])
	}
	m.inStep()
}
