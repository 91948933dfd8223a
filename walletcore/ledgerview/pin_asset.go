package ledgerview

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// CheckAssets is CheckAccounts for assets. DCT is what it is on every chain.
func (p *Pins) CheckAssets(ctx context.Context, refs ...AssetRef) error {
	source, now := p.said()
	said := make([]assetPin, 0, len(refs))
	for _, r := range refs {
		if r.ID == DCT().ID || r.Symbol == DCT().Symbol {
			if r != DCT() {
				return assetFault(&contradiction[ledger.AssetID, assetFact]{pinOf(r, source, now), pinOf(DCT(), "", time.Time{})}, nil)
			}
			continue
		}
		said = append(said, pinOf(r, source, now))
	}
	if len(said) == 0 {
		return nil
	}
	c, err := p.assets.check(ctx, said...)
	return assetFault(c, err)
}

// checkRawAssets is CheckAssets for what a daemon wrote, and returns the assets; null
// is skipped.
func (p *Pins) checkRawAssets(ctx context.Context, raws []json.RawMessage) ([]AssetRef, error) {
	refs := make([]AssetRef, 0, len(raws))
	for _, raw := range raws {
		if IsNull(raw) {
			continue
		}
		var a struct {
			ID        ledger.AssetID `json:"id"`
			Symbol    string         `json:"symbol"`
			Precision uint8          `json:"precision"`
		}
		if err := codec.Unmarshal(raw, &a); err != nil {
			return nil, fault.Daemon("reading an asset", err)
		}
		refs = append(refs, AssetRef{a.ID, a.Symbol, a.Precision})
	}
	return refs, p.CheckAssets(ctx, refs...)
}

// PinAsset keeps an asset's id, symbol and precision for ever.
func (p *Pins) PinAsset(ctx context.Context, r AssetRef) error {
	if r == DCT() {
		return nil
	}
	if err := p.CheckAssets(ctx, r); err != nil {
		return err
	}
	source, now := p.said()
	c, err := p.assets.keep(ctx, pinOf(r, source, now))
	return assetFault(c, err)
}

// AssetOr returns an asset as it was pinned or said by a daemon in this run,
// otherwise as told.
func (p *Pins) AssetOr(told AssetRef) AssetRef {
	if told.ID == DCT().ID {
		return DCT()
	}
	if kept, ok := p.assets.recall(told.ID); ok {
		return AssetRef{told.ID, kept.fact.symbol, kept.fact.precision}
	}
	return told
}

// Asset returns the asset that words mean, by what is pinned alone; known is
// false when nothing is.
func (p *Pins) Asset(ctx context.Context, symbolOrID string) (ref AssetRef, known bool, err error) {
	if isDCT(symbolOrID) {
		return DCT(), true, nil
	}
	var kept assetPin
	if id, failure := ledger.ParseAssetID(symbolOrID); failure == nil {
		kept, known, err = p.assets.find(ctx, id)
	} else {
		kept, known, err = p.assets.findText(ctx, symbolOrID)
	}
	if err != nil {
		return AssetRef{}, false, fault.Store(err)
	}
	return AssetRef{kept.id, kept.fact.symbol, kept.fact.precision}, known, nil
}

// Symbol returns the asset that has a symbol, by what is kept or was said in this run. Error: fault.File.
func (p *Pins) Symbol(ctx context.Context, symbol string) (ref AssetRef, known bool, err error) {
	if symbol == DCT().Symbol {
		return DCT(), true, nil
	}
	kept, known, err := p.assets.whose(ctx, symbol)
	if err != nil {
		return AssetRef{}, false, fault.Store(err)
	}
	return AssetRef{kept.id, kept.fact.symbol, kept.fact.precision}, known, nil
}

func pinOf(r AssetRef, source string, since time.Time) assetPin {
	return assetPin{id: r.ID, fact: assetFact{r.Symbol, r.Precision}, source: source, since: since}
}

func assetFault(c *contradiction[ledger.AssetID, assetFact], err error) error {
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
