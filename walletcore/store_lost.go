package walletcore

import (
	"context"

	"billfold/walletcore/store"
)

// checkStore notices that what daemons said before is gone: a payment that was signed on the
// proof of the miners is in the journal, and nothing that they said is. That is so after a copy of the time
// before both were in one file was put back. It is said, and the wallet goes on as at first sight.
func (w *Wallet) checkStore(ctx context.Context, kept *store.Store) {
	if kept == nil {
		return
	}
	latest, err := kept.Journal.Latest(ctx, 1)
	if err != nil || len(latest) == 0 || latest[0].Sure == 0 {
		return
	}
	if any, err := kept.Pins.Any(ctx); any || err != nil {
		return
	}
	w.lostStore = kept.Journal.Path() + " has payments and no pins: what daemons said before is forgotten (who the miners are, names and ids, " +
		"the keys of recipients), and what the next one says is trusted; put a copy back that has both if you have one, " +
		"or compare the next reviews with what you know"
	w.log.Warn("pins: " + w.lostStore)
}
