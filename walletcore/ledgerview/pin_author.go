package ledgerview

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

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
