package console

import (
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
)

// Resume implements screen.Resumer: what was typed comes back once the wallet is unlocked, without the secrets in it.
func (m *Model) Resume(was screen.Screen) {
	if before, is := was.(*Model); is {
		m.saved = before.draft()
		m.ranBeforeLock = m.ranBeforeLock || before.busy()
		m.tasks.Adopt(before.tasks, topicRun)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if m.form == nil && strings.TrimSpace(m.input.Value()) != "" {
		return "A line typed in the Console has not been run; quitting drops it."
	}
	return m.form.Unsaved()
}

// draft returns what is typed now, without the secrets in it.
func (m *Model) draft() draft {
	line := m.input.Value()
	switch {
	case line == "" && m.form == nil:
		return m.saved // it was not put back yet
	case m.form == nil:
	case m.revealLine != "":
		line = m.revealLine // the password is asked for again when it runs
	default:
		return draft{m.operation.Method, m.valuesWithoutSecrets()}
	}
	return draft{line: line[:m.core.Censor.Secret(line)]}
}

// valuesWithoutSecrets returns the values of the form; those that are or hold a secret are empty.
func (m *Model) valuesWithoutSecrets() []string {
	values := m.form.Values()
	for i, f := range m.operation.Fields {
		if f.Secret || ledger.SecretIn(values[i]) != "" {
			values[i] = ""
		}
	}
	return values
}

// restoreDraft puts the saved draft back once the wallet is unlocked: until then it is as private as the lines that were run.
func (m *Model) restoreDraft(env screen.Env) {
	was := m.saved
	if was.line == "" || !env.Unlocked() || !m.input.Empty() || m.form != nil {
		return
	}
	m.saved = draft{}
	if m.input.Set(was.line); was.values == nil {
		return
	}
	m.openForm()
	for i := range m.form.Fields {
		m.form.Fields[i].Input.Set(was.values[i])
	}
	m.updateBelow()
}
