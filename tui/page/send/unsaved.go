package send

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/draft"
)

// isHalfTyped reports whether more than a recipient is typed and was not sent. A payment that may have been sent must not become a
// draft, or it would be paid twice.
func isHalfTyped(m *Model) bool { return !isUnderway(m) && m.form.isHalfTyped(m.form.typed()) }

// isUnderway reports whether what is typed was sent, or is being sent.
func isUnderway(m *Model) bool {
	return m.stage == stageSending && m.sending.fromForm && m.sending.fault == ""
}

// Unsaved returns a warning about what is lost when the program ends, because Keep cannot keep it; empty if nothing is.
func Unsaved(env screen.Env, m *Model) string {
	_, secret := m.form.holdsKey()
	_, signed := m.sending.payment(env)
	switch {
	case m.sending.busy && !signed:
		return "What you confirmed is being signed, and not sent yet; quitting now drops it."
	case !isHalfTyped(m):
		return ""
	case secret:
		return "A payment is half typed, and is not kept: it holds a private key."
	case m.form.draftCount >= draft.Most && m.form.owner.ID == env.Account.ID:
		return "A payment is half typed, and is not kept: the account has " + format.Count(m.form.draftCount) + " drafts already."
	case !env.Unlocked() && m.form.keptSilently:
		return "A payment was changed since the wallet locked; its draft is as it was then."
	case !env.Unlocked():
		return "A payment is half typed; only an unlocked wallet can keep it as a draft."
	}
	return ""
}

// Keep saves what is half typed on the page as a draft, before the program ends or the wallet locks. Nothing else may call the page
// meanwhile. It saves nothing twice. The notice that it returns names what is kept and where; it is empty if nothing is.
func Keep(ctx context.Context, env screen.Env, m *Model) (notice string, err error) {
	f := &m.form
	keeper, number := m.drafts.keeper, f.draftOf(f.typed())
	account, typed := typedByOwner(f, env)
	if f.keptSilently && !isUnderway(m) && !isHalfTyped(m) {
		notice = keptNotice(typed)
	}
	if _, secret := f.holdsKey(); !isHalfTyped(m) || secret || !env.Unlocked() {
		return notice, nil
	}
	old := number
	number, err = screen.Within(ctx, func(ctx context.Context) (int64, error) { return Save(ctx, keeper, account, typed, old) })
	if err != nil {
		return "", err
	}
	f.draft, f.filledWith, f.keptSilently = number, f.typed(), true
	return keptNotice(typed), nil
}

// keptNotice returns the notice that what is typed is a draft now.
func keptNotice(typed draft.Draft) string {
	of, what := "", "payment"
	if account := typed.Request.From; account != "" {
		of = " of " + format.Clean(account)
	}
	if typed.Proposes {
		what = "proposal"
	}
	return "The " + what + " that was half typed is kept as a draft" + of + ": d on Send shows it."
}
