package linear

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paylink"
)

// askTo asks for the recipient until one is accepted.
func (p *sendPage) askTo(ctx context.Context) error {
	text, err := p.name, error(nil)
	for {
		if p.given.to {
			p.given.to = false
			p.countAnswered()
		} else if text, err = p.Text(ctx, "To", "an account name or id, a dcore: link, or stop", p.name); err != nil {
			return err
		}
		if err = p.takeRecipient(ctx, text); err == nil {
			return nil
		}
		if err = p.refuseRecipient(err); err != nil {
			return err
		}
	}
}

// refuseRecipient prints why a recipient was refused, so that it is asked for again. Its error ends the form.
func (p *sendPage) refuseRecipient(err error) error {
	switch {
	case errors.Is(err, errBack): // left the choice among several: ask for the recipient again
		return nil
	case !isRefusal(err) && !isFault(err):
		return err
	case fault.CodeOf(err) != fault.DaemonAway: // a name that no node could look up is kept
		p.name = ""
	}
	return p.report(outsidePages(err))
}

// takeRecipient accepts a recipient as typed: a payment link, a name or an id.
func (p *sendPage) takeRecipient(ctx context.Context, text string) error {
	if text == "" {
		return misuse("A recipient is needed.", "type an account name or id.")
	}
	if link, err := paylink.Parse(text); err == nil && paylink.Is(text) {
		text = link.To
		p.form.Amount, p.form.Memo = link.Amount, link.Memo
		if link.Asset != "" {
			p.form.Asset = strings.ToUpper(link.Asset)
		}
	} else if wrong := send.RecipientProblem(text); wrong != "" {
		return misuse(sentence(wrong), "type an account name or id.")
	}
	if id, err := ledger.ParseObjectID(text); err == nil && id.Space() == 2 { // content: the review shows what it is
		p.form.To, p.name = text, text
		return nil
	}
	ref, err := p.lookUp(ctx, text)
	if err != nil {
		return err
	}
	return p.checkRecipient(ctx, ref)
}

// lookUp finds the account of a name or id. If there is none, it offers accounts with similar names.
func (p *sendPage) lookUp(ctx context.Context, text string) (ledgerview.AccountRef, error) {
	ref, err := within(ctx, p.Conversation, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return p.opt.Core.Contacts.Finder.Named(ctx, text)
	})
	if fault.CodeOf(err) != fault.NoSuchAccount || p.script {
		return ref, err
	}
	found, _ := within(ctx, p.Conversation, "Looking", func(ctx context.Context) ([]ledgerview.AccountRef, error) {
		return p.opt.Core.Send.Finder.FindAccounts(ctx, text, 5)
	})
	env := p.env()
	meant := p.knownRecipients.Suggestions(env, text, found)
	if len(meant) == 0 {
		return ref, err
	}
	if err := p.readPaidBefore(ctx, meant...); err != nil {
		return ref, err
	}
	p.Say("There is no account " + format.Clean(quoted(text)) + ". These contain it:")
	for i, a := range meant {
		p.Item(i+1, canvas.Join(format.Account(a), canvas.Text(", "+p.knownRecipients.Relation(env, a))))
	}
	p.Item(len(meant)+1, canvas.Text("Type another"))
	n, err := p.Choose(ctx, "Choose", len(meant)+1, 0)
	if err != nil {
		return ref, err
	}
	if n > len(meant) {
		return ref, misuse("A recipient is needed.", "type an account name or id.")
	}
	return meant[n-1], nil
}

// readPaidBefore reads whether accounts were paid before, however long ago.
func (p *sendPage) readPaidBefore(ctx context.Context, refs ...ledgerview.AccountRef) error {
	env := p.env()
	apply, err := within(ctx, p.Conversation, "Looking", func(ctx context.Context) (func(), error) {
		return p.knownRecipients.Read(ctx, p.opt.Core.Send.History, env.Account.ID, refs), nil
	})
	if err == nil {
		apply()
	}
	return err
}

// checkRecipient warns of a recipient that is new or resembles a known one, and lets the person choose the other. It
// refuses a contact that changed and the paying account itself.
func (p *sendPage) checkRecipient(ctx context.Context, ref ledgerview.AccountRef) error {
	env := p.env()
	if err := contact.Compare(env.Contacts, ref); err != nil {
		return err
	}
	if err := p.readPaidBefore(ctx, ref); err != nil {
		return err
	}
	like, is := p.knownRecipients.LookAlike(env, ref)
	if is {
		warnLookAlike(p.Conversation, env, p.knownRecipients, ref, like)
		p.Item(1, canvas.Join(canvas.Text("Use "), format.Account(like)))
		p.Item(2, canvas.Join(canvas.Text("Keep "), format.Account(ref)))
		p.Item(3, canvas.Text("Type another"))
		switch n, err := p.Choose(ctx, "Choose", 3, 0); {
		case err != nil:
			return err
		case n == 1:
			ref = like
		case n == 3:
			return misuse("A recipient is needed.", "type an account name or id.")
		}
	}
	if ref.ID == env.Account.ID {
		return misuse("From and to are the same account.", "type another account.")
	}
	p.form.To, p.name = ref.ID.String(), cmp.Or(ref.Name, ref.ID.String())
	p.Fact("To", canvas.Join(format.Account(ref), canvas.Text(", "+p.knownRecipients.Relation(env, ref))))
	return nil
}
