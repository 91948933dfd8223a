package send

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/draft"
)

// halfTyped reports whether more than a recipient is typed, and was not sent: one that may be on its way is no draft, or it would
// be paid twice.
func halfTyped(m *Model) bool { return !underway(m) && m.form.half(m.form.typed()) }

// underway reports whether what is typed was sent, or is being sent.
func underway(m *Model) bool {
	return m.stage == stageSending && m.sending.ofForm && m.sending.fault == ""
}

// Unsaved returns what of a page is lost when the program ends, because Keep cannot keep it; empty is nothing.
func Unsaved(env screen.Env, m *Model) string {
	_, secret := m.form.holdsKey()
	_, signed := m.sending.payment(env)
	switch {
	case m.sending.busy && !signed:
		return "What you confirmed is being signed, and not sent yet; quitting now drops it."
	case !halfTyped(m):
		return ""
	case secret:
		return "A payment is half typed, and is not kept: it holds a private key."
	case m.form.drafts >= draft.Most && m.form.owner.ID == env.Account.ID:
		return "A payment is half typed, and is not kept: the account has " + format.Count(m.form.drafts) + " drafts already."
	case !env.Unlocked() && m.form.kept:
		return "A payment was changed since the wallet locked; its draft is as it was then."
	case !env.Unlocked():
		return "A payment is half typed; only an open wallet can keep it as a draft."
	}
	return ""
}

// Keep saves as a draft what is half typed on a page, before the program ends or the wallet locks. It is called where no other call is
// made, and saves nothing twice. told says what is kept, and where; empty is nothing.
func Keep(ctx context.Context, env screen.Env, m *Model) (told string, err error) {
	f := &m.form
	keeper, number := m.drafts.keeper, f.draftOf(f.typed())
	account, req := unsent(f, env)
	if f.kept && !underway(m) && !halfTyped(m) {
		told = keptAs(req.From)
	}
	if _, secret := f.holdsKey(); !halfTyped(m) || secret || !env.Unlocked() {
		return told, nil
	}
	old := number
	number, err = screen.Within(ctx, func(ctx context.Context) (int64, error) { return Save(ctx, keeper, account, req, old) })
	if err != nil {
		return "", err
	}
	f.draft, f.given, f.kept = number, f.typed(), true
	return keptAs(req.From), nil
}

// keptAs returns the notice that the payment of an account is a draft now.
func keptAs(account string) string {
	of := ""
	if account != "" {
		of = " of " + format.Clean(account)
	}
	return "The payment that was half typed is kept as a draft" + of + ": d on Send shows it."
}
