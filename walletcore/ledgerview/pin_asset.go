package ledgerview

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// CheckAssets is CheckAccounts for assets. DCT must be what it is on every chain.
func (p *Pins) CheckAssets(ctx context.Context, refs ...AssetRef) error {
	doubts, err := p.Doubts(ctx, refs...)
	if err != nil {
		return err
	}
	for _, r := range refs {
		if doubt := doubts[r.ID]; doubt != nil {
			return doubt
		}
	}
	return nil
}

// Doubts compares assets from a daemon with earlier statements about them. It returns the contradiction for each asset that has one;
// AssetOr then returns that asset in smallest units until a daemon agrees with the pin. The other assets are not affected. Errors:
// fault.File; fault.DaemonContradicts if DCT is not what it is on every chain.
func (p *Pins) Doubts(ctx context.Context, refs ...AssetRef) (map[ledger.AssetID]error, error) {
	source, now := p.speaker()
	said := make([]assetPin, 0, len(refs))
	for _, r := range refs {
		if r.ID == DCT().ID || r.Symbol == DCT().Symbol {
			if r != DCT() {
				c := contradiction[ledger.AssetID, assetFact]{pinOf(r, source, now), pinOf(DCT(), "", time.Time{})}
				return nil, assetFault(&c, nil)
			}
			continue
		}
		said = append(said, pinOf(r, source, now))
	}
	if len(said) == 0 {
		return nil, nil
	}
	all, err := p.assets.compare(ctx, said...)
	if err != nil {
		return nil, fault.Store(err)
	}
	doubts := map[ledger.AssetID]error{}
	for _, c := range all {
		doubts[c.now.id] = assetFault(&c, nil)
	}
	p.doubted.update(said, all)
	return doubts, nil
}

// checkRawAssets is CheckAssets for assets as a daemon wrote them. It returns references
// to the assets; null is skipped.
func (p *Pins) checkRawAssets(ctx context.Context, raws []json.RawMessage) ([]AssetRef, error) {
	refs, err := assetRefsOf(raws)
	if err != nil {
		return nil, err
	}
	return refs, p.CheckAssets(ctx, refs...)
}

// markRawAssets adds the member in_doubt, the contradiction, to the assets of a daemon's answer that are in doubt. The others are
// left unchanged. Errors: those of Pins.Doubts.
func (p *Pins) markRawAssets(ctx context.Context, rows []json.RawMessage) error {
	refs, err := assetRefsOf(rows)
	if err != nil {
		return err
	}
	doubts, err := p.Doubts(ctx, refs...)
	if err != nil || len(doubts) == 0 {
		return err
	}
	n := 0
	for i := range rows {
		if IsNull(rows[i]) {
			continue
		}
		if doubt := doubts[refs[n].ID]; doubt != nil {
			if rows[i], err = Annotate(rows[i], Annotation{"in_doubt", doubt.Error()}); err != nil {
				return err
			}
		}
		n++
	}
	return nil
}

// assetRefsOf decodes references to assets that a daemon wrote; null is skipped.
func assetRefsOf(raws []json.RawMessage) ([]AssetRef, error) {
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
	return refs, nil
}

// PinAsset stores an asset's id, symbol and precision permanently. Errors: those of CheckAssets.
func (p *Pins) PinAsset(ctx context.Context, r AssetRef) error {
	if r == DCT() {
		return nil
	}
	if err := p.CheckAssets(ctx, r); err != nil {
		return err
	}
	source, now := p.speaker()
	c, err := p.assets.keep(ctx, pinOf(r, source, now))
	return assetFault(c, err)
}

// AssetOr returns an asset as it was pinned or as a daemon described it in this run,
// or else fallback. While the asset is in doubt, it is in smallest units.
func (p *Pins) AssetOr(fallback AssetRef) AssetRef {
	if fallback.ID == DCT().ID {
		return DCT()
	}
	if shown, doubted := p.doubted.get(fallback.ID); doubted {
		return shown
	}
	if kept, ok := p.assets.recall(fallback.ID); ok {
		return AssetRef{fallback.ID, kept.fact.symbol, kept.fact.precision}
	}
	return fallback
}

// Asset returns the asset that a symbol or id means according to the pins alone.
// known is false if nothing is pinned. Error: fault.File.
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

// Symbol returns the asset that has a symbol, according to the pins and what was said in this run. Error: fault.File.
func (p *Pins) Symbol(ctx context.Context, symbol string) (ref AssetRef, known bool, err error) {
	if symbol == DCT().Symbol {
		return DCT(), true, nil
	}
	kept, known, err := p.assets.findOrRecall(ctx, symbol)
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
	now, was := statement{say(c.now), c.now.source, c.now.since}, statement{say(c.was), c.was.source, c.was.since}
	const rule = "an asset's id and symbol never change, and its issuer can change its decimals only while none was issued"
	e := contradictionFault(now, was, rule, c.was.fact.symbol)
	if c.was.source != "" && shownInDoubt(*c).Symbol == c.was.fact.symbol+decimalsInDoubt {
		e.Hint = "nothing was signed for it; compare its decimals on another daemon (--daemon-url); if they did change: " +
			"billfold pins forget " + c.was.fact.symbol + ", then restart Billfold"
	}
	return e
}

// These marks follow the symbol or the id of an asset in doubt wherever an amount of it is shown: the amount before them is in
// smallest units.
const (
	decimalsInDoubt = " (smallest units, decimals in doubt)"
	symbolInDoubt   = " (smallest units, symbol in doubt)"
)

// withoutMark returns a symbol or id without a mark of doubt.
func withoutMark(symbolOrID string) string {
	return strings.TrimSuffix(strings.TrimSuffix(symbolOrID, decimalsInDoubt), symbolInDoubt)
}

// InDoubt reports whether the Symbol carries a mark of doubt, and returns the symbol or id without it.
func (a AssetRef) InDoubt() (symbolOrID string, inDoubt bool) {
	word := withoutMark(a.Symbol)
	return word, word != a.Symbol
}

// doubts holds the assets for which a daemon contradicted a pin, in the form in which they are shown. The zero value is empty.
type doubts struct {
	mu sync.RWMutex
	by map[ledger.AssetID]AssetRef
}

func (d *doubts) get(id ledger.AssetID) (AssetRef, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	shown, doubted := d.by[id]
	return shown, doubted
}

// update records which of the assets that a daemon mentioned contradict their pins. The others are no longer in doubt.
func (d *doubts) update(said []assetPin, all []contradiction[ledger.AssetID, assetFact]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range said {
		delete(d.by, p.id)
	}
	if d.by == nil {
		d.by = map[ledger.AssetID]AssetRef{}
	}
	for _, c := range all {
		d.by[c.now.id] = shownInDoubt(c)
	}
}

// shownInDoubt returns the form in which an asset with contradictory pins is shown.
func shownInDoubt(c contradiction[ledger.AssetID, assetFact]) AssetRef {
	if c.now.id == c.was.id && c.now.fact.symbol == c.was.fact.symbol {
		return AssetRef{ID: c.now.id, Symbol: c.was.fact.symbol + decimalsInDoubt}
	}
	return AssetRef{ID: c.now.id, Symbol: c.now.id.String() + symbolInDoubt}
}
