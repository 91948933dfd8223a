package linear

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/contacts"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// contactsPage lists the contacts and edits them.
type contactsPage struct{ *Conversation }

func (p *contactsPage) words() []word {
	return []word{
		{
			say:  "add ACCOUNT",
			row:  "contacts/contacts.new",
			help: "save an account as a contact",
			also: []string{"sending/sending.contact"},
			do:   p.add,
		},
		{say: "note N", row: "contacts/contacts.note", do: p.note},
		{say: "remove N", row: "contacts/contacts.remove", help: "remove contact N", do: p.remove},
		{say: "find TEXT", row: "contacts/contacts.find", help: "the contacts whose name, id or note contains the text", do: p.find},
		{say: "check", row: "contacts/contacts.check", help: "compare all contacts with the ledger now", do: p.check},
		{say: "pay N", row: "contacts/contacts.pay", help: "pay contact N", do: p.pay},
	}
}

func (p *contactsPage) enter(ctx context.Context) error {
	all := p.env().Contacts
	if len(all) == 0 {
		p.Say("No contacts yet. add ACCOUNT saves one.")
	}
	statuses, dealings, whole := p.read(ctx, all)
	for i, c := range all {
		l := canvas.Join(format.Account(c.AccountRef), canvas.Text(paidText(dealings[c.ID].Out, whole)))
		switch s, checked := statuses[c.ID]; {
		case !checked:
			l = canvas.Join(l, canvas.Text(", not compared yet"))
		case contacts.Changed(p.env().Times(), c, s) == nil:
			l = canvas.Join(l, canvas.Text(", keys unchanged"))
		default:
			l = canvas.Join(l, canvas.Text(", warning: changed, type "+format.Count(i+1)))
		}
		p.Item(i+1, l)
	}
	p.sayWords()
	return nil
}

// paidText returns how often a contact was paid, as text; n is a minimum unless the whole history is indexed.
func paidText(n uint64, whole bool) string {
	paid := ", paid "
	if !whole {
		paid += "at least "
	}
	switch {
	case n == 0 && whole:
		return ", never paid"
	case n == 0:
		return ", not paid lately"
	case n == 1:
		return paid + "once"
	}
	return paid + format.Count(int(n)) + " times"
}

// read compares contacts with the ledger and counts the payments to them. What cannot be read now is missing from the
// results; whole reports whether the counts cover the whole history.
func (p *contactsPage) read(ctx context.Context, all []contact.Contact) (statuses map[ledger.AccountID]contact.Status,
	dealings map[ledger.AccountID]history.Dealings, whole bool) {
	core, env := p.opt.Core.Contacts, p.env()
	if len(all) == 0 {
		return nil, nil, true
	}
	if env.Online() {
		statuses, _ = within(ctx, p.Conversation, "Comparing", func(ctx context.Context) (map[ledger.AccountID]contact.Status, error) {
			return core.Checker.Check(ctx, all)
		})
	}
	ids := make([]ledger.AccountID, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	dealings, _ = within(ctx, p.Conversation, "Adding up",
		func(ctx context.Context) (out map[ledger.AccountID]history.Dealings, err error) {
			out, whole, err = core.History.Dealings(ctx, env.Account.ID, ids)
			return out, err
		})
	return statuses, dealings, whole
}

// open prints everything about a contact.
func (p *contactsPage) open(ctx context.Context, n int) error {
	c, err := pick(p.env().Contacts, format.Count(n), "contact")
	if err != nil {
		return err
	}
	statuses, dealings, whole := p.read(ctx, []contact.Contact{c})
	p.Fact("Contact", format.Account(c.AccountRef))
	p.Tell("Saved", p.env().Times().DayIn(c.Saved))
	p.Say(sentence(paidText(dealings[c.ID].Out, whole)[2:]))
	p.Tell("Owner key, when saved", ledgerview.AuthorityText(c.Keys.Owner))
	p.Tell("Active key, when saved", ledgerview.AuthorityText(c.Keys.Active))
	p.Tell("Memo key, when saved", c.Keys.MemoKey.String())
	s, checked := statuses[c.ID]
	switch {
	case !checked:
		p.Tell("Now", "not compared yet")
	case contacts.Changed(p.env().Times(), c, s) == nil:
		p.Tell("Now", "unchanged since saved")
	default:
		p.Line(contacts.Changed(p.env().Times(), c, s))
		for _, one := range s.Changed {
			p.Tell("Now, "+one.What, format.Clean(one.Now))
		}
	}
	if note := contacts.NoteText(p.opt.Core.Contacts.Book.Note(c)); note != nil {
		p.Fact("Note", note)
	}
	return nil
}

// add saves an account as a contact; it asks for the account unless it was named.
func (p *contactsPage) add(ctx context.Context, said string) error {
	var ref ledgerview.AccountRef
	var name, note string
	return p.runLockableSteps(ctx,
		func(ctx context.Context) error {
			return p.givenOrAsk(ctx, &said, "Account", "an account name or id", &name, func(text string) (err error) {
				ref, err = p.findNew(ctx, text)
				return err
			})
		},
		p.needUnlock,
		func(ctx context.Context) (err error) {
			note, err = p.Text(ctx, "Note, empty for none", "a note; it stays in this wallet", note)
			return err
		},
		p.backOnFailure(func(ctx context.Context) error {
			saved, err := p.opt.Core.Contacts.Book.Save(ctx, ref.ID.String(), note)
			if err != nil {
				return err
			}
			p.Fact("Saved", canvas.Join(format.Account(saved.AccountRef), canvas.Text(" is a contact now")))
			return nil
		}))
}

// findNew finds the account of a new contact and warns of known accounts with a similar name.
func (p *contactsPage) findNew(ctx context.Context, name string) (ledgerview.AccountRef, error) {
	if wrong := send.RecipientProblem(name); wrong != "" {
		return ledgerview.AccountRef{}, misuse(sentence(wrong), "type an account name or id.")
	}
	ref, err := within(ctx, p.Conversation, "Looking", func(ctx context.Context) (ledgerview.AccountRef, error) {
		return p.opt.Core.Contacts.Finder.Named(ctx, name)
	})
	if err != nil {
		return ref, err
	}
	p.Fact("Account", canvas.Join(format.Account(ref), canvas.Text(", is on the ledger")))
	for _, like := range ledgerview.LookAlikes(ref.Name, p.env().KnownExcept(ref.ID)) {
		p.Fact("Warning", canvas.Join(canvas.Text("looks like "), format.Account(like)))
	}
	return ref, nil
}

func (p *contactsPage) note(ctx context.Context, rest string) error {
	number, text := cutWord(rest)
	c, err := pick(p.env().Contacts, number, "contact")
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	if text == "" {
		if text, err = p.Text(ctx, "Note, empty removes it", "a note; it is encrypted with the wallet", ""); err != nil {
			return err
		}
	}
	if err := p.opt.Core.Contacts.Book.SetNote(ctx, c.ID, text); err != nil {
		return err
	}
	p.Fact("Saved", canvas.Join(format.Account(c.AccountRef), canvas.Text(" has a new note")))
	return nil
}

func (p *contactsPage) remove(ctx context.Context, rest string) error {
	c, err := pick(p.env().Contacts, rest, "contact")
	if err != nil {
		return err
	}
	p.Fact("Remove", format.Account(c.AccountRef))
	p.Say("Its saved keys and its note are deleted. The account itself and your payments stay.")
	return p.runSteps(ctx, func(ctx context.Context) error { return p.askName(ctx, c) }, func(ctx context.Context) error {
		if err := p.ConfirmWord(ctx, "delete", "remove it"); err != nil {
			return err
		}
		if err := p.opt.Core.Contacts.Book.Remove(ctx, c.ID); err != nil {
			return err
		}
		p.Fact("Removed", canvas.Join(format.Account(c.AccountRef), canvas.Text(" is no longer a contact")))
		return nil
	})
}

// askName asks for the name of the contact until it is right.
func (p *contactsPage) askName(ctx context.Context, c contact.Contact) error {
	return p.untilAccepted(ctx, func(ctx context.Context) error {
		name, err := p.AskFresh(ctx, "Type its name", "the name of the contact, or back")
		if err == nil && strings.TrimSpace(name) != c.Name {
			err = refuse("That is not its name. Nothing was deleted.", "type its name, or back.")
		}
		return err
	})
}

func (p *contactsPage) check(ctx context.Context, _ string) error { return p.enter(ctx) }

func (p *contactsPage) pay(ctx context.Context, rest string) error {
	c, err := pick(p.env().Contacts, rest, "contact")
	if err != nil {
		return err
	}
	return p.openPage(ctx, screen.Send, c.Name)
}

func (p *contactsPage) find(_ context.Context, text string) error {
	n := 0
	for i, c := range p.env().Contacts {
		note, _ := p.opt.Core.Contacts.Book.Note(c)
		if strings.Contains(c.Name, text) || strings.Contains(c.ID.String(), text) ||
			strings.Contains(strings.ToLower(note), strings.ToLower(text)) {
			p.Item(i+1, format.Account(c.AccountRef))
			n++
		}
	}
	if n == 0 {
		p.Say("No contact matches.")
	}
	return nil
}
