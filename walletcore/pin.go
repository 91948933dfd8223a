package walletcore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// What the wallet needs of its store to notice a daemon that contradicts what
// was said before.
type (
	accountPins interface {
		AccountPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AccountID, names []string) ([]store.AccountPin, error)
		PinAccounts(ctx context.Context, chain ledger.ChainID, pins ...store.AccountPin) ([]store.AccountPin, error)
	}
	assetPins interface {
		AssetPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AssetID, symbols []string) ([]store.AssetPin, error)
		PinAssets(ctx context.Context, chain ledger.ChainID, pins ...store.AssetPin) ([]store.AssetPin, error)
	}
	contentPins interface {
		PinContentAuthor(ctx context.Context, chain ledger.ChainID, a store.ContentAuthor) (store.ContentAuthor, error)
	}
	seenAccounts interface {
		SeenAccount(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) (*store.SeenAccount, error)
		SetSeenAccount(ctx context.Context, chain ledger.ChainID, a store.SeenAccount) error
	}
)

// assetFact is what never changes of an asset.
type assetFact struct {
	symbol    string
	precision uint8
}

type (
	accountPin = pin[ledger.AccountID, string]
	assetPin   = pin[ledger.AssetID, assetFact]
)

// pins are the facts that never change on the ledger, as they were said first.
type pins struct {
	accounts pinTable[ledger.AccountID, string]
	assets   pinTable[ledger.AssetID, assetFact]
	contents contentPins
	seen     seenAccounts
	wake     chan struct{} // something is to be written
}

// followPins writes what was looked up until ctx ends, and then the rest.
func (w *Wallet) followPins(ctx context.Context) error {
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true
		case <-w.pins.wake:
		}
		writing := context.WithoutCancel(ctx)
		if err := errors.Join(w.pins.accounts.flush(writing), w.pins.assets.flush(writing)); err != nil {
			w.log.Warn("store: what daemons said could not be kept", "error", err)
		}
	}
	return nil
}

// lookedUpAccount keeps an account that somebody asked for by name or id, for
// ever, but in its own time.
func (w *Wallet) lookedUpAccount(id ledger.AccountID) { w.lookedUp(w.pins.accounts.keepLater(id)) }

func (w *Wallet) lookedUpAsset(id ledger.AssetID) { w.lookedUp(w.pins.assets.keepLater(id)) }

func (w *Wallet) lookedUp(waits bool) {
	if !waits {
		return
	}
	select {
	case w.pins.wake <- struct{}{}:
	default:
	}
}

// keptIn sets the pins up in front of kept; nil: what is pinned is forgotten
// with the program.
func (w *Wallet) keptIn(kept *store.Store) {
	var accounts accountPins
	var assets assetPins
	if kept == nil {
		memory := new(memoryPins)
		accounts, assets, w.pins.contents, w.pins.seen = memory, memory, memory, memory
	} else {
		accounts, assets, w.pins.contents, w.pins.seen = kept, kept, kept, kept
	}
	w.pins.accounts.text = func(name string) string { return name }
	w.pins.accounts.load = func(ctx context.Context, ids []ledger.AccountID, names []string) ([]accountPin, error) {
		rows, err := accounts.AccountPins(ctx, w.pinChain(), ids, names)
		kept := append(w.ownPins(ids, names), accountPinsOf(rows)...)
		if err != nil {
			return kept, err
		}
		return w.indexedAccounts(ctx, kept, ids, names)
	}
	w.pins.accounts.save = func(ctx context.Context, pins []accountPin) ([]accountPin, error) {
		rows := make([]store.AccountPin, len(pins))
		for i, p := range pins {
			rows[i] = store.AccountPin{ID: p.id, Name: p.fact, Source: p.source, Since: p.since}
		}
		rows, err := accounts.PinAccounts(ctx, w.pinChain(), rows...)
		return accountPinsOf(rows), err
	}
	w.pins.assets.text = func(f assetFact) string { return f.symbol }
	w.pins.assets.load = func(ctx context.Context, ids []ledger.AssetID, symbols []string) ([]assetPin, error) {
		rows, err := assets.AssetPins(ctx, w.pinChain(), ids, symbols)
		if err != nil {
			return nil, err
		}
		return w.indexedAssets(ctx, assetPinsOf(rows), ids, symbols)
	}
	w.pins.assets.save = func(ctx context.Context, pins []assetPin) ([]assetPin, error) {
		rows := make([]store.AssetPin, len(pins))
		for i, p := range pins {
			rows[i] = store.AssetPin{ID: p.id, Symbol: p.fact.symbol, Precision: p.fact.precision, Source: p.source, Since: p.since}
		}
		rows, err := assets.PinAssets(ctx, w.pinChain(), rows...)
		return assetPinsOf(rows), err
	}
	w.pins.wake = make(chan struct{}, 1)
}

func accountPinsOf(rows []store.AccountPin) []accountPin {
	out := make([]accountPin, len(rows))
	for i, r := range rows {
		out[i] = accountPin{id: r.ID, fact: r.Name, source: r.Source, since: r.Since}
	}
	return out
}

func assetPinsOf(rows []store.AssetPin) []assetPin {
	out := make([]assetPin, len(rows))
	for i, r := range rows {
		out[i] = assetPin{id: r.ID, fact: assetFact{r.Symbol, r.Precision}, source: r.Source, since: r.Since}
	}
	return out
}

// pinChain is the chain that is spoken of: that of the keys, before there are
// any the daemon's.
func (w *Wallet) pinChain() ledger.ChainID {
	if chain := w.keystoreChain(); chain != (ledger.ChainID{}) {
		return chain
	}
	return w.daemon.Status().ChainID
}

// keyFile is the source of what the key file says.
const keyFile = "the key file"

// ownPins are the accounts on the wallet's list, whose names the key file keeps.
func (w *Wallet) ownPins(ids []ledger.AccountID, names []string) []accountPin {
	w.mu.RLock()
	keys := w.store
	w.mu.RUnlock()
	if keys == nil {
		return nil
	}
	meant := map[any]bool{}
	for _, id := range ids {
		meant[id] = true
	}
	for _, name := range names {
		meant[name] = true
	}
	var out []accountPin
	for _, a := range keys.Public().Accounts {
		if meant[a.ID] || meant[a.Name] {
			out = append(out, accountPin{id: a.ID, fact: a.Name, source: keyFile})
		}
	}
	return out
}

// checkAccounts compares names and ids that a daemon gave with what was said of
// them before. Errors: fault.DaemonContradicts, fault.File.
func (w *Wallet) checkAccounts(ctx context.Context, refs ...ledgerview.AccountRef) error {
	source, now := w.daemon.Status().URL, w.now()
	said := make([]accountPin, len(refs))
	for i, r := range refs {
		said[i] = accountPin{id: r.ID, fact: r.Name, source: source, since: now}
	}
	c, err := w.pins.accounts.check(ctx, said...)
	return w.accountFault(c, err)
}

// pinAccount keeps an account's id and name for ever. Errors are those of
// checkAccounts.
func (w *Wallet) pinAccount(ctx context.Context, r ledgerview.AccountRef) error {
	c, err := w.pins.accounts.keep(ctx, accountPin{id: r.ID, fact: r.Name, source: w.daemon.Status().URL, since: w.now()})
	return w.accountFault(c, err)
}

func (w *Wallet) accountFault(c *contradiction[ledger.AccountID, string], err error) error {
	if err != nil {
		return fault.Store(err)
	}
	if c == nil {
		return nil
	}
	say := func(p accountPin) string { return "account " + p.id.String() + " is " + fault.Quote(p.fact) }
	now, was := said{say(c.now), c.now.source, c.now.since}, said{say(c.was), c.was.source, c.was.since}
	return contradicts(now, was, "an account's id and name never change", c.was.fact)
}

// checkAssets is checkAccounts for assets. DCT is what it is on every chain.
func (w *Wallet) checkAssets(ctx context.Context, refs ...ledgerview.AssetRef) error {
	source, now := w.daemon.Status().URL, w.now()
	said := make([]assetPin, 0, len(refs))
	for _, r := range refs {
		if r.ID == ledgerview.DCT().ID || r.Symbol == ledgerview.DCT().Symbol {
			if r != ledgerview.DCT() {
				return w.assetFault(&contradiction[ledger.AssetID, assetFact]{pinOf(r, source, now), pinOf(ledgerview.DCT(), "", time.Time{})}, nil)
			}
			continue
		}
		said = append(said, pinOf(r, source, now))
	}
	if len(said) == 0 {
		return nil
	}
	c, err := w.pins.assets.check(ctx, said...)
	return w.assetFault(c, err)
}

// pinAsset keeps an asset's id, symbol and precision for ever.
func (w *Wallet) pinAsset(ctx context.Context, r ledgerview.AssetRef) error {
	if r == ledgerview.DCT() {
		return nil
	}
	if err := w.checkAssets(ctx, r); err != nil {
		return err
	}
	c, err := w.pins.assets.keep(ctx, pinOf(r, w.daemon.Status().URL, w.now()))
	return w.assetFault(c, err)
}

// pinnedAssetOr gives an asset as it was pinned or said by a daemon in this run,
// otherwise as told.
func (w *Wallet) pinnedAssetOr(told ledgerview.AssetRef) ledgerview.AssetRef {
	if told.ID == ledgerview.DCT().ID {
		return ledgerview.DCT()
	}
	if p, ok := w.pins.assets.recall(told.ID); ok {
		return ledgerview.AssetRef{ID: told.ID, Symbol: p.fact.symbol, Precision: p.fact.precision}
	}
	return told
}

func pinOf(r ledgerview.AssetRef, source string, since time.Time) assetPin {
	return assetPin{id: r.ID, fact: assetFact{r.Symbol, r.Precision}, source: source, since: since}
}

func (w *Wallet) assetFault(c *contradiction[ledger.AssetID, assetFact], err error) error {
	if err != nil {
		return fault.Store(err)
	}
	if c == nil {
		return nil
	}
	say := func(p assetPin) string {
		return "asset " + p.id.String() + " is " + fault.Quote(p.fact.symbol) + " with " + strconv.Itoa(int(p.fact.precision)) + " decimals"
	}
	now, was := said{say(c.now), c.now.source, c.now.since}, said{say(c.was), c.was.source, c.was.since}
	return contradicts(now, was, "none of this ever changes", c.was.fact.symbol)
}

// pinAuthor keeps who the author of content is, for ever. Errors are those of
// checkAccounts.
func (w *Wallet) pinAuthor(ctx context.Context, content ledger.ObjectID, author ledger.AccountID) error {
	now := store.ContentAuthor{Content: content, Author: author, Source: w.daemon.Status().URL, Since: w.now()}
	was, err := w.pins.contents.PinContentAuthor(ctx, w.pinChain(), now)
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

// said is a statement, and who made it when.
type said struct {
	what, source string
	since        time.Time
}

// contradicts makes the error of a daemon that says something else than was said
// before. forget is what a person writes to have the pin forgotten.
func contradicts(now, was said, rule, forget string) *fault.Error {
	known := was.what + " on every chain of this kind"
	hint := "nothing was signed; use another daemon (--daemon-url)"
	switch {
	case was.source == keyFile:
		known = was.what + " by the key file of this wallet"
	case was.source == historySource:
		known = was.what + " by " + historySource
		hint += "; if that was read from a daemon that lied: billfold pins forget " + forget
	case was.source != "":
		known = fmt.Sprintf("%s by what %s said on %s", was.what, fault.Address(was.source), was.since.UTC().Format("2006-01-02 15:04 UTC"))
		hint += "; if what was said first is wrong: billfold pins forget " + forget
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: "check", Hint: hint,
		Message: fmt.Sprintf("the daemon at %s says that %s, but %s; %s", fault.Address(now.source), now.what, known, rule)}
}
