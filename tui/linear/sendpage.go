package linear

import (
	"cmp"
	"context"
	"errors"

	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

// paying is the page of a payment: its questions, its review, what became of it.
type sendPage struct {
	reviewer
	form            build.TransferParams
	name            string // of the recipient, once it is found
	given           given
	knownRecipients *send.KnownRecipients
	balances        []ledgerview.Balance
	feeAsset        ledgerview.AssetRef
	fee             int64
	fromDraft       draft.Draft // that is asked for; the zero value: none
	sent            bool        // it is on its way, or may be
}

// given are the questions that were answered with the words of the page, or by what is repeated: they are asked only by back.
type given struct{ to, amount, memo, kind bool }

// clear forgets what was answered.
func (p *sendPage) clear() {
	p.form, p.name, p.given, p.fromDraft, p.sent = build.TransferParams{}, "", given{}, draft.Draft{}, false
}

// half is what was answered, as it was typed.
func (p *sendPage) typedForm() build.TransferParams {
	form := p.form
	if form.To != p.fromDraft.Request.To {
		form.To = cmp.Or(p.name, form.To)
	}
	return form
}

// draftOf is the number of the draft that what was answered goes with: one to somebody else is another payment, and the draft stays.
func (p *sendPage) draftNumber() int64 {
	if to := p.fromDraft.Request.To; to != "" && to != p.typedForm().To {
		return 0
	}
	return p.fromDraft.Number
}

// left keeps what was answered of a payment that was left.
func (p *sendPage) keepIfLeft(ctx context.Context, why error) error {
	ends := errors.Is(why, errQuit) || ctx.Err() != nil // by a signal
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askLimit)
	defer cancel()
	form, was, number := p.typedForm(), p.fromDraft.Request, p.draftNumber()
	was.From = form.From
	switch {
	case why == nil, p.sent, p.script, form.Amount == "" && form.Memo == "", form == was:
	case p.opt.Sandbox && ends: // with all that would be kept in it
	case !p.env().Unlocked():
		p.Say("What you answered is not kept: only an open wallet can keep it as a draft.")
	default:
		if err := (drafts{p.Conversation}).save(ctx, form, number); err != nil {
			p.Say("What you answered is not kept as a draft.")
			said := p.report(err)
			return cmp.Or(why, said)
		}
		until := ""
		if p.opt.Sandbox {
			until = " until the sandbox ends"
		}
		p.Say("What you answered is kept as a draft" + until + ". send drafts lists it.")
	}
	return why
}

// watched is a payment of which is remembered that it was sent, and what was answered is a draft until the journal has it.
type trackedBuilt struct {
	screen.Built
	page *sendPage
}

// watch remembers that a payment was sent.
func (p *sendPage) track(built screen.Built) screen.Built { return trackedBuilt{built, p} }

// whileSent sends what was answered while it is kept as a draft. A script that is killed is run again: it needs none.
func (p *sendPage) sendKeepingDraft(ctx context.Context, pay func(ctx context.Context) (any, error)) (any, error) {
	if p.script {
		return pay(draft.Spent(ctx, p.draftNumber()))
	}
	return send.SendKeepingDraft(ctx, p.opt.Core.Send.Drafts, p.env().Account.ID, p.typedForm(), p.draftNumber(), pay)
}

// Again implements screen.Rereader.
func (w trackedBuilt) Rereview(ctx context.Context) (build.Review, error) {
	if r, is := w.Built.(screen.Rereader); is {
		return r.Rereview(ctx)
	}
	return w.Review(), nil
}

// Anew implements screen.Rereader.
func (w trackedBuilt) Rebuild(ctx context.Context) (screen.Built, error) {
	r, is := w.Built.(screen.Rereader)
	if !is {
		return w, nil
	}
	anew, err := r.Rebuild(ctx)
	if u, is := anew.(screen.Unsigned); is || err != nil {
		return u, err
	}
	return trackedBuilt{anew, w.page}, nil
}

// Send implements screen.Built.
func (w trackedBuilt) Send(ctx context.Context) (payment.Payment, error) {
	body, err := w.page.sendKeepingDraft(ctx, func(ctx context.Context) (any, error) { return w.Built.Send(ctx) })
	paid, _ := body.(payment.Payment)
	w.page.sent = payment.OnItsWay(paid, err)
	return paid, err
}
