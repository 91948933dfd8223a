package ledgerview

import (
	"context"
	"strings"
	"sync"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Quorum reads what a signature depends on. With --daemon-quorum several daemons
// are asked and have to agree; otherwise these are the reads of everybody else,
// and answers of the same head block are shared with them.
type Quorum struct {
	daemon      *daemonclient.Client
	cache       *blockCache
	pins        *Pins
	accounts    *Accounts
	assets      *Assets
	chain       *Chain
	blocks      *lru.Cache[uint32, ledger.BlockID] // irreversible ones that several daemons agreed on
	kindSymbols *lru.Cache[ledger.NFTID, string]   // what kinds of tokens are called
}

// maxAgreedBlocks bounds the blocks whose ids are kept.
const maxAgreedBlocks = 10_000

func newQuorum(client *daemonclient.Client, accounts *Accounts, assets *Assets, chain *Chain, nfts *NFTs) *Quorum {
	blocks, err := lru.New[uint32, ledger.BlockID](maxAgreedBlocks)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &Quorum{client, accounts.cache, accounts.pins, accounts, assets, chain, blocks, nfts.symbolCache}
}

// Size returns the number of daemons that have to agree.
func (q *Quorum) Size() int { return q.daemon.Quorum() }

// isSingle reports whether the daemon in use is enough.
func (q *Quorum) isSingle() bool { return q.daemon.Quorum() <= 1 }

// Account finds an account for something that is signed. Errors are those of
// Accounts.Get, and fault.DaemonsDisagree.
func (q *Quorum) Account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	if q.isSingle() || nameOrID == "" {
		return q.accounts.Get(ctx, nameOrID)
	}
	f := q.cache.current()
	known := func() *ledger.Account { return f.confirmed.accounts.get(nameOrID) }
	a, err := readOnce(ctx, &f.reading, "confirmed account "+nameOrID, known, func(ctx context.Context) (*ledger.Account, error) {
		a, err := q.askAccount(ctx, nameOrID)
		if err == nil {
			f.confirmed.accounts.put(a, nameOrID, a.Name, a.ID.String())
		}
		return a, err
	})
	if err != nil {
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	}
	return a, nil
}

// askAccount asks several daemons for an account.
func (q *Quorum) askAccount(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	if ledger.IDProblem(nameOrID) != "" {
		return nil, fault.AccountUnknown(nameOrID)
	}
	what := "account " + fault.Quote(nameOrID)
	a, err := daemonclient.AskQuorum(ctx, q.daemon, what, func(ctx context.Context, q daemonclient.Queries) (*ledger.Account, error) {
		var found []*ledger.Account
		var err error
		if id, ok := AccountIDText(nameOrID); ok {
			found, err = q.GetAccounts(ctx, []ledger.AccountID{id})
		} else {
			found, err = q.LookupAccountNames(ctx, []string{nameOrID})
		}
		return onlyOne(found), err
	}, accountMeaning)
	switch {
	case err != nil:
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	case a == nil:
		return nil, q.accounts.unknown(nameOrID)
	}
	return a, q.pins.CheckAccounts(ctx, AccountRef{a.ID, a.Name})
}

// accountMeaning returns, as text, the parts of an account that daemons must agree on.
func accountMeaning(a *ledger.Account) string {
	if a == nil {
		return "none"
	}
	return strings.Join([]string{
		a.ID.String(), fault.Quote(a.Name), AuthorityText(a.Active), AuthorityText(a.Owner), textOf(a.Options),
	}, " ")
}

// textOf is a value as JSON, to be compared.
func textOf(v any) string {
	text, err := codec.Marshal(v)
	if err != nil {
		return "unreadable"
	}
	return string(text)
}

// onlyOne returns the one element, nil when there is none or more.
func onlyOne[T any](list []*T) *T {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// Asset finds an asset by symbol or id, for something that is signed. Of
// DCT nobody is asked. Errors are those of Assets.Get, and fault.DaemonsDisagree.
func (q *Quorum) Asset(ctx context.Context, symbolOrID string) (AssetRef, error) {
	if isDCT(symbolOrID) {
		return DCT(), nil
	}
	a, err := q.confirmedAsset(ctx, symbolOrID)
	if err != nil {
		return AssetRef{}, err
	}
	return AssetRefOf(a), q.pins.CheckAssets(ctx, AssetRefOf(a))
}

// WholeAsset is Asset with all that a review says of one: its issuer, its limits, what it is worth. Of DCT it is asked like of
// any other.
func (q *Quorum) WholeAsset(ctx context.Context, id ledger.AssetID) (*ledger.Asset, error) {
	a, err := q.confirmedAsset(ctx, id.String())
	if err != nil {
		return nil, err
	}
	return a, q.pins.CheckAssets(ctx, AssetRefOf(a))
}

// IssuedAsset is Asset with the account that issues it. Of DCT it is asked like of any other.
func (q *Quorum) IssuedAsset(ctx context.Context, symbolOrID string) (AssetRef, ledger.AccountID, error) {
	a, err := q.confirmedAsset(ctx, symbolOrID)
	if err != nil {
		return AssetRef{}, 0, err
	}
	return AssetRefOf(a), a.Issuer, q.pins.CheckAssets(ctx, AssetRefOf(a))
}

func (q *Quorum) confirmedAsset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	symbolOrID = withoutMark(symbolOrID)
	if q.isSingle() || symbolOrID == "" {
		return q.assets.Get(ctx, symbolOrID)
	}
	f := q.cache.current()
	known := func() *ledger.Asset { return f.confirmed.assets.get(symbolOrID) }
	a, err := readOnce(ctx, &f.reading, "confirmed asset "+symbolOrID, known, func(ctx context.Context) (*ledger.Asset, error) {
		a, err := q.askAsset(ctx, symbolOrID)
		if err == nil {
			f.confirmed.assets.put(a, symbolOrID, a.Symbol, a.ID.String())
		}
		return a, err
	})
	if err != nil {
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	}
	return a, nil
}

// askAsset asks several daemons for an asset.
func (q *Quorum) askAsset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	if ledger.IDProblem(symbolOrID) != "" {
		return nil, fault.AssetUnknown(symbolOrID)
	}
	what := "asset " + fault.Quote(symbolOrID)
	a, err := daemonclient.AskQuorum(ctx, q.daemon, what, func(ctx context.Context, q daemonclient.Queries) (*ledger.Asset, error) {
		var found []*ledger.Asset
		var err error
		if id, failure := ledger.ParseAssetID(symbolOrID); failure == nil {
			found, err = q.GetAssets(ctx, []ledger.AssetID{id})
		} else {
			found, err = q.LookupAssetSymbols(ctx, []string{symbolOrID})
		}
		return onlyOne(found), err
	}, assetMeaning)
	switch {
	case err != nil:
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	case a == nil:
		return nil, fault.AssetUnknown(symbolOrID)
	}
	return a, nil
}

// assetMeaning returns, as text, the parts of an asset that daemons must agree on.
func assetMeaning(a *ledger.Asset) string {
	if a == nil {
		return "none"
	}
	r := AssetRefOf(a)
	parts := []string{r.ID.String(), r.Format(0), a.Issuer.String(), fault.Quote(a.Description), textOf(a.Options)}
	if m := a.MonitoredAssetOpts; m != nil {
		parts = append(parts, textOf(m.CurrentFeed))
	}
	return strings.Join(parts, " ")
}

// Fees reads the price list for something that is signed.
func (q *Quorum) Fees(ctx context.Context) (*ledger.FeeSchedule, error) {
	p, err := q.Parameters(ctx)
	if err != nil {
		return nil, err
	}
	return &p.CurrentFees, nil
}

// Parameters reads the chain's parameters for something that is signed, or that a review shows.
func (q *Quorum) Parameters(ctx context.Context) (*ledger.ChainParameters, error) {
	if q.isSingle() {
		p, err := q.chain.Parameters(ctx)
		if err != nil {
			return nil, err
		}
		return &p.Parameters, nil
	}
	f := q.cache.current()
	known := f.confirmed.global.Load
	p, err := readOnce(ctx, &f.reading, "confirmed parameters", known, func(ctx context.Context) (*ledger.GlobalProperties, error) {
		p, err := q.askParameters(ctx)
		if err == nil {
			f.confirmed.global.Store(p)
		}
		return p, err
	})
	if err != nil {
		return nil, fault.Daemon("reading the fees and the chain's parameters", err)
	}
	return &p.Parameters, nil
}

// askParameters asks several daemons for the chain's parameters, the price list among them.
func (q *Quorum) askParameters(ctx context.Context) (*ledger.GlobalProperties, error) {
	ask := func(ctx context.Context, q daemonclient.Queries) (ledger.GlobalProperties, error) {
		return q.GlobalProperties(ctx)
	}
	got, err := daemonclient.AskQuorum(ctx, q.daemon, "the fees and the chain's parameters", ask,
		func(p ledger.GlobalProperties) string { return textOf(p.Parameters) })
	return &got, err
}

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
