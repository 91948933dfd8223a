package ledgerview

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// PinAuthor keeps who the author of content is, for ever. Errors are those of
// CheckAccounts.
func (p *Pins) PinAuthor(ctx context.Context, content ledger.ObjectID, author ledger.AccountID) error {
	source, at := p.said()
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
	return contradicts(said{say(now), now.Source, now.Since}, said{say(was), was.Source, was.Since}, "its author never changes",
		content.String())
}
