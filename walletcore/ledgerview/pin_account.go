package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// CheckAccounts compares names and ids that a daemon gave with what was said of
// them before. Errors: fault.DaemonContradicts, fault.File.
func (p *Pins) CheckAccounts(ctx context.Context, refs ...AccountRef) error {
	source, now := p.said()
	said := make([]accountPin, len(refs))
	for i, r := range refs {
		said[i] = accountPin{id: r.ID, fact: r.Name, source: source, since: now}
	}
	c, err := p.accounts.check(ctx, said...)
	return accountFault(c, err)
}

// checkRawAccounts is CheckAccounts for what a daemon wrote, and returns the accounts;
// null is skipped.
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

// PinAccount keeps an account's id and name for ever. Errors are those of
// CheckAccounts.
func (p *Pins) PinAccount(ctx context.Context, r AccountRef) error {
	source, now := p.said()
	c, err := p.accounts.keep(ctx, accountPin{id: r.ID, fact: r.Name, source: source, since: now})
	return accountFault(c, err)
}

// AccountID returns the account that words mean, by what is pinned alone; known is
// false when nothing is.
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

// AccountNamed returns the account that has a name, by what is kept or was said in this run. Error: fault.File.
func (p *Pins) AccountNamed(ctx context.Context, name string) (id ledger.AccountID, known bool, err error) {
	kept, known, err := p.accounts.whose(ctx, name)
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
	now, was := said{say(c.now), c.now.source, c.now.since}, said{say(c.was), c.was.source, c.was.since}
	return contradicts(now, was, "an account's id and name never change", c.was.fact)
}
