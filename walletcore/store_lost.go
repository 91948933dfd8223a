package walletcore

import (
	"context"

	"billfold/walletcore/store"
)

// checkStore notices that what daemons said before is gone: a payment that was signed on the
// proof of the miners is in the journal, and the store that kept them is not there. It is said, and the wallet goes on as at
// first sight, because a store that is thrown away is also the way out of a wrong one.
func (w *Wallet) checkStore(ctx context.Context, kept *store.Store) {
	if kept == nil || w.journal == nil || kept.Exists() {
		return
	}
	latest, err := w.journal.Latest(ctx, 1)
	if err != nil || len(latest) == 0 || latest[0].Sure == 0 {
		return
	}
	w.lostStore = kept.Path() + " is missing: what daemons said before is forgotten (who the miners are, names and ids, the keys of recipients), " +
		"and what the next one says is trusted; put the file back if you have it, or compare the next reviews with what you know"
	w.log.Warn("pins: " + w.lostStore)
}
