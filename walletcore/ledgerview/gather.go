package ledgerview

import (
	"context"
	"sync"

	"billfold/ledger"
)

// Gather reads in parallel what signing for these accounts and assets is likely to depend on and is not cached
// for this head block yet: one round trip instead of one each. A read that fails is repeated, and fails, where it
// is needed.
func (q *Quorum) Gather(ctx context.Context, accounts, assets []string) {
	missing := q.missingReads(accounts, assets)
	if len(missing) < 2 { // it is read where it is needed
		return
	}
	var all sync.WaitGroup
	for _, read := range missing {
		all.Go(func() { read(ctx) })
	}
	all.Wait()
}

// missingReads returns the reads of what is not cached for this head block.
func (q *Quorum) missingReads(accounts, assets []string) (reads []func(context.Context)) {
	f := q.cache.current()
	if f.dynamic.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.chain.Head(ctx) })
	}
	if f.global.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.chain.Parameters(ctx) })
	}
	if !q.isSingle() && f.confirmed.global.Load() == nil {
		reads = append(reads, func(ctx context.Context) { _, _ = q.Fees(ctx) })
	}
	knownAccounts, knownAssets := &f.accounts, &f.assets
	if !q.isSingle() {
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

// namesAccount reports whether text may name an account: it is neither empty nor the id of something else.
func namesAccount(text string) bool {
	_, isAccount := AccountIDText(text)
	_, isID := ledger.ObjectIDText(text)
	return text != "" && (isAccount || !isID)
}
