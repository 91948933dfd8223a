package send

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/screen"
)

// halfTyped reports whether more than a recipient is typed, and was not sent: one that may be on its way is no draft, or it would
// be paid twice.
func halfTyped(m *Model) bool { return !underway(m) && m.form.half(m.form.typed()) }

// underway reports whether what is typed was sent, or is being sent.
func underway(m *Model) bool {
	return m.stage == stageSending && m.sending.ofForm && m.sending.fault == ""
}

// Unsaved says what of a page is lost when the program ends, because Keep cannot keep it; empty is nothing.
func Unsaved(env screen.Env, m *Model) string {
	_, secret := m.form.holdsKey()
	switch {
	case !halfTyped(m):
		return ""
	case secret:
		return "A payment is half typed, and is not kept: it holds a private key."
	case !env.Unlocked():
		return "A payment is half typed; only an open wallet can keep it as a draft."
	}
	return ""
}

// Keep saves as a draft what is half typed on a page, before the program ends, and drops the draft of what the journal has as
// signed. It is called where no other call is made. told says what is kept, and where; empty is nothing.
func Keep(ctx context.Context, env screen.Env, m *Model) (told string, err error) {
	if _, signed := m.sending.payment(env); signed && underway(m) && m.form.draft != 0 {
		_, err = m.drafts.keeper.Drop(ctx, m.form.draft)
		return "", err
	}
	_, secret := m.form.holdsKey()
	if !halfTyped(m) || secret || !env.Unlocked() {
		return "", nil
	}
	account, req := unsent(&m.form, env)
	if _, err = Save(ctx, m.drafts.keeper, account, req, m.form.draft); err != nil {
		return "", err
	}
	of := ""
	if req.From != "" {
		of = " of " + format.Clean(req.From)
	}
	return "The payment that was half typed is kept as a draft" + of + ": d on Send shows it.", nil
}
