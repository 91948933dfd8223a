package messages

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// maxSuggested is the maximum number of recipients that are offered.
const maxSuggested = 4

// known returns the accounts that a message may be meant for: contacts, whom one wrote with, and other own accounts.
func (m *Model) known(env screen.Env) (out []ledgerview.AccountRef) {
	seen := map[ledger.AccountID]bool{env.Account.ID: true, 0: true}
	add := func(a ledgerview.AccountRef) {
		if !seen[a.ID] {
			seen[a.ID] = true
			out = append(out, a)
		}
	}
	for _, c := range env.Contacts {
		add(c.AccountRef)
	}
	for _, c := range m.conversations {
		add(c.With)
	}
	for _, a := range env.Accounts {
		add(a.AccountRef)
	}
	return out
}

// suggested returns the known accounts that contain what is typed as the recipient; else the one whose name it may be, mistyped.
func (m *Model) suggested(env screen.Env) (out []ledgerview.AccountRef, mistyped bool) {
	text := strings.ToLower(strings.TrimSpace(m.form.Form.Values()[0]))
	if text == "" {
		return nil, false
	}
	all := m.known(env)
	for _, a := range all {
		if a.Name == text || a.ID.String() == text {
			return []ledgerview.AccountRef{a}, false
		}
		if strings.Contains(a.Name, text) && len(out) < maxSuggested {
			out = append(out, a)
		}
	}
	if meant, near := ledgerview.Meant(text, all); near && len(out) == 0 {
		return []ledgerview.AccountRef{meant}, true
	}
	return out, false
}

// suggest shows under the field whom the typed text may mean.
func (m *Model) suggest(env screen.Env) {
	m.doubted = 0
	found, mistyped := m.suggested(env)
	m.form.Form.Below = nil
	for i, a := range found {
		sign, after := canvas.Text("  "), canvas.In(theme.Muted, "  "+relation(env, a))
		switch {
		case mistyped:
			sign, after = canvas.In(theme.Muted, "did you mean "), canvas.Join(canvas.Text("? "), canvas.Bold(theme.Key, "tab"), canvas.In(theme.Muted, " takes it"))
		case i == 0 && a.Name != m.form.Form.Values()[0]:
			after = canvas.Join(after, canvas.Text("  "), canvas.Bold(theme.Key, "tab"), canvas.In(theme.Muted, " takes it"))
		}
		m.form.Form.Below = append(m.form.Form.Below, canvas.Join(sign, format.Account(a), after))
	}
}

// relation returns what an account is to this wallet.
func relation(env screen.Env, a ledgerview.AccountRef) string {
	if env.Owns(a.ID) {
		return "yours"
	}
	if _, saved := env.Contact(a.ID); saved {
		return "contact"
	}
	return "in a conversation"
}

// takeSuggested fills in the first account that is offered.
func (m *Model) takeSuggested(env screen.Env) {
	if found, _ := m.suggested(env); len(found) > 0 {
		m.form.Form.Fields[0].Input.Set(found[0].Name)
		m.suggest(env)
	}
}

// LookAlike returns the contact or own account that an account could be mistaken for. One that is a contact, an own account or among paid is
// not doubted. Being in a conversation is no proof: anybody can begin one.
func LookAlike(env screen.Env, a ledgerview.AccountRef, paid map[ledger.AccountID]bool) (ledgerview.AccountRef, bool) {
	if _, saved := env.Contact(a.ID); saved || env.Owns(a.ID) || paid[a.ID] {
		return ledgerview.AccountRef{}, false
	}
	like := ledgerview.LookAlikes(a.Name, env.KnownExcept(a.ID))
	if len(like) == 0 {
		return ledgerview.AccountRef{}, false
	}
	return like[0], true
}

// Paid returns which of some accounts the account in focus paid before, as far as that clears one that LookAlike doubts. If it cannot be
// read, nothing counts as paid.
func Paid(ctx context.Context, env screen.Env, past Past, of ...ledgerview.AccountRef) map[ledger.AccountID]bool {
	var doubted []ledger.AccountID
	for _, a := range of {
		if _, is := LookAlike(env, a, nil); is {
			doubted = append(doubted, a.ID)
		}
	}
	if len(doubted) == 0 {
		return nil
	}
	out := map[ledger.AccountID]bool{}
	between, _, err := past.Dealings(ctx, env.Account.ID, doubted)
	for _, id := range doubted {
		out[id] = err == nil && between[id].Out > 0
	}
	return out
}

// recipient is an account that was found, and what Paid returns about it.
type recipient struct {
	found ledgerview.AccountRef
	paid  map[ledger.AccountID]bool
}

// doubt reports whether an account that was found is to be looked at again before a message is written: it looks like a known one. It says
// so once; the next enter goes on.
func (m *Model) doubt(env screen.Env, to recipient) bool {
	found := to.found
	like, is := LookAlike(env, found, to.paid)
	if !is || m.doubted == found.ID {
		return false
	}
	m.doubted = found.ID
	m.form.Form.Below = []canvas.Line{canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), format.Account(found), canvas.Text(" looks like "),
		format.Account(like), canvas.Text(". ↵ writes to "), format.Account(found), canvas.Text(" all the same."))}
	return true
}
