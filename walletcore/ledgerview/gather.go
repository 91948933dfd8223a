package ledgerview

import (
	"context"
	"sync"

	"billfold/ledger"
)

// Gather asks at once for what a signature about these accounts and assets is likely to depend on and is not
// known of this head block yet: one round trip in place of one for each. What fails is asked again by
// whoever needs it, and fails there.
func (q *Quorum) Gather(ctx context.Context, accounts, assets []string) {
	missing := q.missing(accounts, assets)
	if len(missing) < 2 { // whoever needs it asks
		return
	}
	var all sync.WaitGroup
	for _, read := range missing {
		all.Go(func() { read(ctx) })
	}
	all.Wait()
}

// missing returns the reads of what is not known of this head block.
func (q *Quorum) missing(accounts, assets []string) (reads []func(context.Context)) {
	f := q.cache.current()
	if f.dynamic.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.chain.Head(ctx) })
	}
	if f.global.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.chain.Parameters(ctx) })
	}
	if !q.isOne() && f.confirmed.global.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.Fees(ctx) })
	}
	knownAccounts, knownAssets := &f.accounts, &f.assets
	if !q.isOne() {
		knownAccounts, knownAssets = &f.confirmed.accounts, &f.confirmed.assets
	}
	for _, name := range accounts {
		if namesAccount(name) && knownAccounts.get(name) == nil {
			reads = append(reads, func(ctx context.Context) { _, _ = q.Account(ctx, name) })
		}
	}
	for _, name := range assets {
		if name != "" && !isDCT(name) && knownAssets.get(name) == nil {
			reads = append(reads, func(ctx context.Context) { _, _ = q.Asset(ctx, name) })
		}
	}
	return reads
}

// namesAccount reports whether text may name an account: not one that is empty, or the id of something else.
func namesAccount(text string) bool {
	_, isAccount := AccountIDText(text)
	_, isID := ledger.ObjectIDText(text)
	return text != "" && (isAccount || !isID)
}
