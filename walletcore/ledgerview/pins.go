package ledgerview

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/store"
)

// statusReader is the part of the daemon that the pins need.
type statusReader interface {
	Status() daemonclient.Status
	InUse() daemonclient.InUse
}

// Pins holds facts that never change on the ledger, as they were first stated, and the
// keys of accounts as they were last accepted.
type Pins struct {
	keys   KeyFile
	daemon statusReader
	store  PinStore
	index  indexPins
	cache  *blockCache
	log    *slog.Logger

	accounts pinTable[ledger.AccountID, string]
	assets   pinTable[ledger.AssetID, assetFact]
	doubted  doubts
	wake     chan struct{} // something is queued for the store

	never func(ctx context.Context, id ledger.TransactionID) bool // see Config
}

func newPins(c Config, cache *blockCache) *Pins {
	p := &Pins{
		keys: c.Keys, daemon: c.Daemon, store: c.Store, index: indexPins{c.Index, c.Logger}, cache: cache, log: c.Logger,
		wake: make(chan struct{}, 1), never: c.Never,
	}
	if p.store == nil {
		p.store = new(memoryPins)
	}
	p.accounts.text = func(name string) string { return name }
	p.accounts.load, p.accounts.save = p.loadAccounts, p.saveAccounts
	p.assets.text = func(f assetFact) string { return f.symbol }
	p.assets.load, p.assets.save = p.loadAssets, p.saveAssets
	return p
}

// Chain returns the chain that the pins are for: that of the keys or, before there are
// any, that of the daemon.
func (p *Pins) Chain() ledger.ChainID {
	if chain := p.keys.ChainID(); chain != (ledger.ChainID{}) {
		return chain
	}
	return p.daemon.Status().ChainID
}

// speaker returns the source and time for statements made now.
func (p *Pins) speaker() (source string, now time.Time) { return p.daemon.InUse().URL, p.cache.now() }

// follow stores what was looked up until ctx ends, then the rest of it.
func (p *Pins) follow(ctx context.Context) error {
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true
		case <-p.wake:
		}
		writing := context.WithoutCancel(ctx)
		if err := errors.Join(p.accounts.flush(writing), p.assets.flush(writing)); err != nil {
			p.log.Warn("store: what daemons said could not be kept", "error", err)
		}
	}
	return nil
}

// queueAccount stores an account that was looked up by name or id permanently, in the
// background.
func (p *Pins) queueAccount(id ledger.AccountID) { p.wakeWriter(p.accounts.queue(id)) }

func (p *Pins) queueAsset(id ledger.AssetID) { p.wakeWriter(p.assets.queue(id)) }

func (p *Pins) wakeWriter(queued bool) {
	if !queued {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Pins) loadAccounts(ctx context.Context, ids []ledger.AccountID, names []string) ([]accountPin, error) {
	rows, err := p.store.AccountPins(ctx, p.Chain(), ids, names)
	if store.IsAway(err) { // for viewing, comparing with this run's statements is enough; nothing is paid without the store
		rows, err = nil, nil
	}
	kept := append(p.ownAccounts(ids, names), accountPinsOf(rows)...)
	if err != nil {
		return kept, err
	}
	return p.index.accounts(ctx, kept, ids, names)
}

func (p *Pins) saveAccounts(ctx context.Context, pins []accountPin) ([]accountPin, error) {
	rows := make([]store.AccountPin, len(pins))
	for i, p := range pins {
		rows[i] = store.AccountPin{ID: p.id, Name: p.fact, Source: p.source, Since: p.since}
	}
	rows, err := p.store.PinAccounts(ctx, p.Chain(), rows...)
	return accountPinsOf(rows), err
}

func accountPinsOf(rows []store.AccountPin) []accountPin {
	out := make([]accountPin, len(rows))
	for i, r := range rows {
		out[i] = accountPin{id: r.ID, fact: r.Name, source: r.Source, since: r.Since}
	}
	return out
}

func (p *Pins) loadAssets(ctx context.Context, ids []ledger.AssetID, symbols []string) ([]assetPin, error) {
	rows, err := p.store.AssetPins(ctx, p.Chain(), ids, symbols)
	if err != nil && !store.IsAway(err) {
		return nil, err
	}
	return p.index.assets(ctx, assetPinsOf(rows), ids, symbols)
}

func (p *Pins) saveAssets(ctx context.Context, pins []assetPin) ([]assetPin, error) {
	rows := make([]store.AssetPin, len(pins))
	for i, p := range pins {
		rows[i] = store.AssetPin{ID: p.id, Symbol: p.fact.symbol, Precision: p.fact.precision, Source: p.source, Since: p.since}
	}
	rows, err := p.store.PinAssets(ctx, p.Chain(), rows...)
	return assetPinsOf(rows), err
}

func assetPinsOf(rows []store.AssetPin) []assetPin {
	out := make([]assetPin, len(rows))
	for i, r := range rows {
		out[i] = assetPin{id: r.ID, fact: assetFact{r.Symbol, r.Precision}, source: r.Source, since: r.Since}
	}
	return out
}

// ownAccounts returns the pins of those accounts that are on the wallet's list, whose names are in the key file.
func (p *Pins) ownAccounts(ids []ledger.AccountID, names []string) []accountPin {
	var out []accountPin
	add := func(nameOrID string) {
		a, listed := p.keys.AccountOf(nameOrID)
		pin := accountPin{id: a.ID, fact: a.Name, source: keyFile}
		if listed && !slices.Contains(out, pin) {
			out = append(out, pin)
		}
	}
	for _, id := range ids {
		add(id.String())
	}
	for _, name := range names {
		if _, isID := AccountIDText(name); !isID { // an id is not a name
			add(name)
		}
	}
	return out
}

// preload loads the pins of accounts and assets.
func (p *Pins) preload(ctx context.Context, accounts []ledger.AccountID, assets []ledger.AssetID) error {
	return errors.Join(p.accounts.preload(ctx, accounts), p.assets.preload(ctx, assets))
}
