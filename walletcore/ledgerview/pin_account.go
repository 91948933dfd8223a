package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// CheckAccounts compares names and ids from a daemon with earlier statements about
// them. Errors: fault.DaemonContradicts, fault.File.
func (p *Pins) CheckAccounts(ctx context.Context, refs ...AccountRef) error {
	source, now := p.speaker()
	said := make([]accountPin, len(refs))
	for i, r := range refs {
		said[i] = accountPin{id: r.ID, fact: r.Name, source: source, since: now}
	}
	c, err := p.accounts.check(ctx, said...)
	return accountFault(c, err)
}

// checkRawAccounts is CheckAccounts for accounts as a daemon wrote them. It returns
// references to the accounts; null is skipped.
func (p *Pins) checkRawAccounts(ctx context.Context, raws []json.RawMessage) ([]AccountRef, error) {
	refs := make([]AccountRef, 0, len(raws))
	for _, raw := range raws {
		if IsNull(raw) {
			continue
		}
		var a struct {
			ID   ledger.AccountID `json:"id"`
			Name string           `json:"name"`
		}
		if err := codec.Unmarshal(raw, &a); err != nil {
			return nil, fault.Daemon("reading an account", err)
		}
		refs = append(refs, AccountRef{a.ID, a.Name})
	}
	return refs, p.CheckAccounts(ctx, refs...)
}

// PinAccount stores an account's id and name permanently. Errors: those of CheckAccounts.
func (p *Pins) PinAccount(ctx context.Context, r AccountRef) error {
	source, now := p.speaker()
	c, err := p.accounts.keep(ctx, accountPin{id: r.ID, fact: r.Name, source: source, since: now})
	return accountFault(c, err)
}

// AccountID returns the account that a name or id means according to the pins alone.
// known is false if nothing is pinned. Error: fault.File.
func (p *Pins) AccountID(ctx context.Context, nameOrID string) (id ledger.AccountID, known bool, err error) {
	if id, ok := AccountIDText(nameOrID); ok {
		return id, true, nil
	}
	kept, known, err := p.accounts.findText(ctx, nameOrID)
	if err != nil {
		return 0, false, fault.Store(err)
	}
	return kept.id, known, nil
}

// AccountNamed returns the account that has a name, according to the pins and what was said in this run. Error: fault.File.
func (p *Pins) AccountNamed(ctx context.Context, name string) (id ledger.AccountID, known bool, err error) {
	kept, known, err := p.accounts.findOrRecall(ctx, name)
	if err != nil {
		return 0, false, fault.Store(err)
	}
	return kept.id, known, nil
}

func accountFault(c *contradiction[ledger.AccountID, string], err error) error {
	if err != nil {
		return fault.Store(err)
	}
	if c == nil {
		return nil
	}
	say := func(p accountPin) string { return "account " + p.id.String() + " is " + fault.Quote(p.fact) }
	now, was := statement{say(c.now), c.now.source, c.now.since}, statement{say(c.was), c.was.source, c.was.since}
	return contradictionFault(now, was, "an account's id and name never change", c.was.fact)
}

// PinAuthor stores the author of content permanently. Errors: those of CheckAccounts.
func (p *Pins) PinAuthor(ctx context.Context, content ledger.ObjectID, author ledger.AccountID) error {
	source, at := p.speaker()
	now := store.ContentAuthor{Content: content, Author: author, Source: source, Since: at}
	was, err := p.store.PinContentAuthor(ctx, p.Chain(), now)
	if err != nil {
		return fault.Store(err)
	}
	if was.Author == author {
		return nil
	}
	say := func(a store.ContentAuthor) string {
		return "content " + content.String() + " is by " + a.Author.String()
	}
	return contradictionFault(statement{say(now), now.Source, now.Since}, statement{say(was), was.Source, was.Since},
		"its author never changes", content.String())
}
