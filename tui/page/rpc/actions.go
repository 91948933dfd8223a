package rpc

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// readTokens starts reading the tokens, unless that is under way.
func (m *Model) readTokens(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(topicTokens); busy || m.core.Tokens == nil {
		return nil
	}
	return m.tasks.Start(env, topicTokens, readLimit, func(ctx context.Context) (any, error) { return m.core.Tokens.List(ctx) })
}

// switchResult is a listener that was switched on or off.
type switchResult struct {
	name string
	on   bool
}

// toggleListener switches the listener in focus on or off. To switch one on that other machines can reach, OpenWord must be typed.
func (m *Model) toggleListener(env screen.Env) tea.Cmd {
	d := m.listeners[m.cursors[panelListeners].At]
	if !d.On && d.Beyond {
		m.openBeyond(d)
		return nil
	}
	return m.tasks.Start(env, topicSwitch, readLimit, func(context.Context) (any, error) {
		return switchResult{d.Name, !d.On}, m.core.Server.Switch(d.Name, !d.On)
	})
}

// OpenWord must be typed to open a listener to other machines.
const OpenWord = "OPEN TO NETWORK"

func (m *Model) openBeyond(d Listener) {
	form := &ask.Form{Title: "Open " + d.Name, Word: "open", Text: []canvas.Line{
		canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), canvas.Text("Other machines reach "+format.Clean(d.Addr)+".")),
		canvas.In(theme.Muted, "Type "+OpenWord+" to open it."),
	}, Fields: []ask.Field{{Label: "Type it"}}}
	form.Missing = func(values []string) string {
		if values[0] != OpenWord {
			return "type " + OpenWord + " first"
		}
		return ""
	}
	m.policyForm = false
	m.form.Open(form, "Opening", func(context.Context, []string) (any, error) {
		return switchResult{d.Name, true}, m.core.Server.Switch(d.Name, true)
	})
}

// policyFields returns the fields of a policy, in the order of the form. The name of a new token stands before them.
func policyFields(p Policy) []ask.Field {
	out := []ask.Field{{Label: "May call"}, {Label: "For accounts"}, {Label: "May pay to"}, {Label: "A payment"}, {Label: "A day"},
		{Label: "Asks above"}, {Label: "Expires"}}
	for i, text := range []string{p.May, p.Accounts, p.Destinations, p.PerPayment, p.PerDay, p.AskAbove, p.Expires} {
		out[i].Input = field.New(text)
	}
	return out
}

func policyOf(values []string) Policy {
	return Policy{May: values[0], Accounts: values[1], Destinations: values[2], PerPayment: values[3], PerDay: values[4],
		AskAbove: values[5], Expires: values[6]}
}

const policyHelp = "May call: operations, or groups such as Accounts, Transfers:spends, all:all; a group alone means what reads. " +
	"Amounts: 5 DCT, 2 USDX. Asks above: you are asked about larger payments. Expires: 90d, 2030-12-31. Empty does not restrict."

// newToken is the text of a new token, and how a command makes one like it.
type newToken struct {
	text    []byte
	command []string // the words of that command
}

// openNew opens the form for a new token.
func (m *Model) openNew() {
	form := &ask.Form{Title: "New token", Word: "make it", Text: []canvas.Line{canvas.In(theme.Muted, policyHelp)},
		Fields: append([]ask.Field{{Label: "Name"}}, policyFields(Policy{May: "all"})...)}
	form.Missing = func(values []string) string {
		if strings.TrimSpace(values[0]) == "" {
			return "give it a name, such as till"
		}
		return m.policyFault(policyOf(values[1:]))
	}
	m.policyForm, form.Keep = true, true
	m.form.Open(form, "Making", func(ctx context.Context, values []string) (any, error) {
		name, policy := strings.TrimSpace(values[0]), policyOf(values[1:])
		text, err := m.core.Tokens.New(ctx, name, policy)
		return newToken{text, newCommand(name, policy)}, err
	})
	m.describePolicy()
}

// openEdit opens the form for the policy of a token.
func (m *Model) openEdit(t Token) {
	form := &ask.Form{Title: "Policy of " + format.Clean(t.Name), Word: "save", Text: []canvas.Line{canvas.In(theme.Muted, policyHelp)},
		Fields: policyFields(t.Policy)}
	form.Missing = func(values []string) string { return m.policyFault(policyOf(values)) }
	m.policyForm, form.Keep = true, true
	m.form.Open(form, "Saving", func(ctx context.Context, values []string) (any, error) {
		return nil, m.core.Tokens.Change(ctx, t.ID, policyOf(values))
	})
	m.describePolicy()
}

// openRevoke opens the form that confirms the revocation of a token.
func (m *Model) openRevoke(t Token) {
	form := &ask.Form{Title: "Revoke a token", Word: "revoke", Delete: true, Text: []canvas.Line{
		canvas.Text("The next call with it is refused, also on connections that are open. It cannot be brought back."),
		canvas.In(theme.Muted, "Type its name, "+format.Clean(t.Name)+", then press X."),
	}, Fields: []ask.Field{{Label: "Name"}}}
	form.Missing = func(values []string) string {
		if values[0] != t.Name {
			return "type " + format.Clean(t.Name) + " first"
		}
		return ""
	}
	m.policyForm = false
	m.form.Open(form, "Revoking", func(ctx context.Context, _ []string) (any, error) { return nil, m.core.Tokens.Revoke(ctx, t.ID) })
}

func (m *Model) policyFault(p Policy) string {
	if _, err := m.core.Tokens.Describe(p); err != nil {
		return format.Clean(err.Error())
	}
	return ""
}

// describePolicy shows under the form of a policy what it permits.
func (m *Model) describePolicy() {
	form := m.form.Form
	if form == nil || !m.policyForm {
		return
	}
	values := form.Values()
	values = values[len(values)-7:]
	text, err := m.core.Tokens.Describe(policyOf(values))
	if form.Below = nil; err == nil {
		form.Below = []canvas.Line{canvas.Join(canvas.In(theme.Muted, "Permits: "), canvas.Text(format.Clean(text)))}
	}
}
