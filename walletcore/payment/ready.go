package payment

import (
	"cmp"
	"errors"

	"billfold/walletcore/store"
)

// NotReady returns, in one sentence that names no address and no file, why the journal lets nothing be
// spent; "" if it does not stand in the way.
func NotReady(p *Payments) string {
	err := p.JournalFault()
	lost, is := errors.AsType[*store.LostError](err)
	switch {
	case err == nil || errors.Is(err, errComparing):
		return p.compare.pending()
	case is && lost.Kind == store.Moved:
		return "the payment journal was moved into another store"
	case is && lost.Kind == store.Behind:
		return "the ledger has payments of this wallet that its payment journal lacked"
	case is && lost.Kind == store.Foreign && p.shared():
		return "the store that the servers share is not the one of this wallet"
	case is && p.shared():
		return "the store that the servers share is held"
	case is:
		return "the payment journal is not the one that the wallet wrote last"
	case errors.Is(err, store.ErrPlaceTaken):
		return "another program has the place of this server in the store that the servers share"
	case p.shared():
		return "the store that the servers share " + cmp.Or(store.CauseOf(err), "does not answer")
	}
	return "the payment journal cannot be read"
}
