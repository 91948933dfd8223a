package linear

import (
	"cmp"
	"context"
	"errors"

	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// sendPage asks for a payment, has it reviewed and follows it.
type sendPage struct {
	reviewer
	form            txbuild.TransferParams
	name            string // the name of the recipient once it is found; else what was typed
	given           given
	knownRecipients *send.KnownRecipients
	balances        []ledgerview.Balance
	feeAsset        ledgerview.AssetRef
	fee             int64
	fromDraft       draft.Draft // the draft that the form continues; the zero value: none
	sent            bool        // the payment was sent, or may have been
}

// given marks the answers that came with the command or from a repeated payment: their questions are asked only by
// back.
type given struct{ to, amount, memo, kind bool }

// clear empties the form.
func (p *sendPage) clear() {
	p.form, p.name, p.given, p.fromDraft, p.sent = txbuild.TransferParams{}, "", given{}, draft.Draft{}, false
}

// typedForm returns the form with the recipient as it was typed.
func (p *sendPage) typedForm() txbuild.TransferParams {
	form := p.form
	if form.To != p.fromDraft.Request.To {
		form.To = cmp.Or(p.name, form.To)
	}
	return form
}

// typed returns what is typed, as a draft; what continues a proposal is one.
func (p *sendPage) typed() draft.Draft {
	return draft.Draft{Request: p.typedForm(), Proposes: p.fromDraft.Proposes}
}

// draftNumber returns the number of the draft that the form continues, or 0: with another recipient it is another
// payment, and the draft stays.
func (p *sendPage) draftNumber() int64 {
	if to := p.fromDraft.Request.To; to != "" && to != p.typedForm().To {
		return 0
	}
	return p.fromDraft.Number
}

// keepIfLeft saves the form as a draft if the person left it with an amount or memo that is not in a draft yet. It
// returns why.
func (p *sendPage) keepIfLeft(ctx context.Context, why error) error {
	ends := errors.Is(why, errQuit) || ctx.Err() != nil // ended by a signal
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	form, was, number := p.typedForm(), p.fromDraft.Request, p.draftNumber()
	was.From = form.From
	switch {
	case why == nil, p.sent, p.script, form.Amount == "" && form.Memo == "", form == was:
	case p.opt.Sandbox && ends: // the draft would end with the sandbox
	case !p.env().Unlocked():
		p.Say("Your answers are not kept: a draft can be saved only while the wallet is open.")
	default:
		if err := (drafts{p.Conversation}).save(ctx, p.typed(), number); err != nil {
			p.Say("Your answers are not kept as a draft.")
			said := p.report(err)
			return cmp.Or(why, said)
		}
		until := ""
		if p.opt.Sandbox {
			until = " until the sandbox ends"
		}
		p.Say("Your answers are kept as a draft" + until + ". send drafts lists it.")
	}
	return why
}

// track returns a built payment that tells the page when it was sent; until the journal has it, the form is kept as a draft.
func (p *sendPage) track(built screen.Built) screen.Built {
	return screen.Around(built, func(ctx context.Context, pay func(context.Context) (payment.Payment, error)) (payment.Payment, error) {
		body, err := p.sendKeepingDraft(ctx, func(ctx context.Context) (any, error) { return pay(ctx) })
		paid, _ := body.(payment.Payment)
		p.sent = payment.MayHaveBeenSent(paid, err)
		return paid, err
	})
}

// sendKeepingDraft calls pay while the form is kept as a draft, in case the program is killed. A script is simply run
// again and needs no draft.
func (p *sendPage) sendKeepingDraft(ctx context.Context, pay func(ctx context.Context) (any, error)) (any, error) {
	if p.script {
		return pay(draft.Spent(ctx, p.draftNumber()))
	}
	return send.SendKeepingDraft(ctx, p.opt.Core.Send.Drafts, p.env().Account.ID, p.typed(), p.draftNumber(), pay)
}
