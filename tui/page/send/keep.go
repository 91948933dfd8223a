package send

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/txbuild"
)

// Keeper keeps drafts; it needs no node.
type Keeper interface {
	Save(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams) (int64, error)
	SaveTable(ctx context.Context, account ledger.AccountID, from, table, asset, label string) (int64, error)
	SaveProposal(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams) (int64, error)
	SaveWaiting(ctx context.Context, account ledger.AccountID, req txbuild.TransferParams, wait draft.Wait) (int64, error)
	Ask(ctx context.Context, waits draft.Draft, why string) error
	Take(ctx context.Context, waits draft.Draft) error
	List(ctx context.Context, account ledger.AccountID) ([]draft.Draft, error)
	Drop(ctx context.Context, number int64) (draft.Dropped, error)
	Restore(ctx context.Context, account ledger.AccountID, gone draft.Dropped) (int64, error)
}

// Save saves a form as a draft in place of the old one, and returns the number of the new draft. old is the number of the draft
// that the form came from; 0: none.
func Save(ctx context.Context, keeper Keeper, account ledger.AccountID, typed draft.Draft, old int64) (int64, error) {
	number, err := save(ctx, keeper, account, typed)
	if err == nil && old != 0 && old != number {
		_, err = keeper.Drop(ctx, old)
	}
	return number, err
}

// save saves what is typed, a proposal as one.
func save(ctx context.Context, keeper Keeper, account ledger.AccountID, typed draft.Draft) (int64, error) {
	if r := typed.Request; typed.Several {
		return keeper.SaveTable(ctx, account, r.From, r.To, r.Asset, typed.Label)
	}
	if typed.Proposes {
		return keeper.SaveProposal(ctx, account, typed.Request)
	}
	return keeper.Save(ctx, account, typed.Request)
}

// dropLimit is the time limit of deleting the draft of a payment that was not sent.
const dropLimit = 5 * time.Second

// SendKeepingDraft sends a payment, and keeps a draft of it until the journal has it. The journal deletes that draft, and the one
// with the given number that it came from, in the same commit: a program that is killed after S was pressed loses neither. If
// nothing was sent, the draft made for this is deleted again. A draft that cannot be saved does not stop the payment. send returns
// the payment, or whatever else it led to.
func SendKeepingDraft(ctx context.Context, keeper Keeper, account ledger.AccountID, typed draft.Draft, number int64,
	send func(ctx context.Context) (any, error)) (any, error) {
	kept := saveIfNew(ctx, keeper, account, typed)
	body, err := send(draft.Spent(ctx, number, kept))
	paid, is := body.(payment.Payment)
	if sent := (is || err != nil) && payment.MayHaveBeenSent(paid, err); kept != 0 && !sent && ctx.Err() == nil { // ctx done: the program ends
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropLimit)
		defer cancel()
		_, _ = keeper.Drop(ctx, kept) // if that fails, one harmless draft is left
	}
	return body, err
}

// saveIfNew saves a draft and returns its number; 0 if the same draft exists already, or if it cannot be saved.
func saveIfNew(ctx context.Context, keeper Keeper, account ledger.AccountID, typed draft.Draft) int64 {
	there, err := keeper.List(ctx, account)
	if err != nil || slices.ContainsFunc(there, typed.Same) {
		return 0
	}
	number, err := save(ctx, keeper, account, typed)
	if err != nil {
		return 0
	}
	return number
}

// formOfDraft returns a draft as it was typed.
func formOfDraft(d draft.Draft) Form {
	r := d.Request
	return Form{To: r.To, Amount: r.Amount, Asset: r.Asset, Memo: r.Memo, Plain: r.Plain, Proposes: d.Proposes, Several: d.Several, Label: d.Label}
}

// tableSummary returns a table in one line: how many it pays, and the first of them.
func tableSummary(d draft.Draft) string {
	if secret := ledger.SecretIn(d.Request.To + " " + d.Label); secret != "" {
		return "payments to several (" + secret + ")"
	}
	said := printable.Many(len(payout.ReadTable(d.Request.To, d.Request.Asset).Rows), "payment")
	if d.Label != "" {
		said += " “" + format.Clean(d.Label) + "”"
	}
	first, _, _ := strings.Cut(strings.TrimSpace(d.Request.To), "\n")
	return said + " in a table: " + strings.Join(strings.Fields(format.Clean(first)), " ") + theme.SignCut
}

// Summary returns a draft in one line, as it was typed.
func Summary(d draft.Draft) canvas.Line { return summary(d) }

// summary returns a form in one line, as it was typed.
func summary(d draft.Draft) canvas.Line {
	if d.Several {
		return canvas.Text(tableSummary(d))
	}
	r, what := d.Request, ""
	if d.Proposes {
		what = "proposal: "
	}
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		if secret := ledger.SecretIn(text); secret != "" {
			return "(" + secret + ")"
		}
		return format.Clean(text)
	}
	memo := ""
	if r.Memo != "" {
		memo = "  “" + strings.Join(strings.Fields(or(r.Memo, "")), " ") + "”"
	}
	return canvas.Text(what + or(r.Amount, "no amount") + " " + or(r.Asset, "DCT") + " " + theme.SignOut + " " + or(r.To, "nobody yet") + memo)
}

// isHalfTyped reports whether more than a recipient is typed and was not sent. A payment that may have been sent must not become a
// draft, or it would be paid twice.
func (m *Model) isHalfTyped() bool { return !m.isUnderway() && m.form.isHalfTyped(m.form.typed()) }

// isUnderway reports whether what is typed was sent, or is being sent.
func (m *Model) isUnderway() bool {
	return m.stage == stageSending && m.sending.fromForm && m.sending.fault == ""
}

// Unsaved returns a warning about what is lost when the program ends, because Keep cannot keep it; empty if nothing is.
func (m *Model) Unsaved(env screen.Env) string {
	_, secret := m.form.secret()
	_, signed := m.sending.payment(env)
	switch {
	case m.sending.busy && m.sending.several != nil:
		return "A table is being paid; quitting stops it between two transactions, and its draft pays exactly the rest."
	case m.sending.busy && !signed:
		return "What you confirmed is being signed, and not sent yet; quitting now drops it."
	case !m.isHalfTyped():
		return ""
	case secret != "":
		return "A payment is half typed, and is not kept: it holds " + secret + "."
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
	account, typed := f.typedByOwner(env)
	if f.keptSilently && !m.isUnderway() && !m.isHalfTyped() {
		notice = keptNotice(typed)
	}
	if _, secret := f.secret(); !m.isHalfTyped() || secret != "" || !env.Unlocked() {
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
	switch {
	case typed.Several:
		what = "table of payments"
	case typed.Proposes:
		what = "proposal"
	}
	return "The " + what + " that was half typed is kept as a draft" + of + ": d on Send shows it."
}
