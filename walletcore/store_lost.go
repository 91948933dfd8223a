package walletcore

import (
	"context"

	"billfold/walletcore/store"
)

// lostPinsWarning returns a sentence if what daemons said before is gone, otherwise "". It is gone if the journal has a
// payment that was signed on the proof of the miners, but there are no pins, as when a copy from before both were in
// one file was put back. The wallet then trusts what it sees first, as a new one does.
func lostPinsWarning(ctx context.Context, kept *store.Store) string {
	if kept == nil {
		return ""
	}
	latest, err := kept.Journal.Latest(ctx, 1)
	if err != nil || len(latest) == 0 || latest[0].LastProven == 0 {
		return ""
	}
	if any, err := kept.Pins.Any(ctx); any || err != nil {
		return ""
	}
	return kept.Journal.Path() + " has payments and no pins: what daemons said before is forgotten " +
		"(who the miners are, names and ids, the keys of recipients), and what the next one says is trusted; " +
		"put a copy back that has both if you have one, or compare the next reviews with what you know"
}
