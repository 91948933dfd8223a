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

// Doubts compares what a daemon said of assets with what was said of them before, and returns what is wrong with each that was
// contradicted: AssetOr then shows that one in smallest units, until a daemon agrees with the pin. It is no word against the other
// assets. Errors: fault.File; fault.DaemonContradicts where DCT is not what it is on every chain.
func (p *Pins) Doubts(ctx context.Context, refs ...AssetRef) (map[ledger.AssetID]error, error) {
	source, now := p.said()
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
	p.doubted.judge(said, all)
	return doubts, nil
}

// checkRawAssets is CheckAssets for what a daemon wrote, and returns the assets; null
// is skipped.
func (p *Pins) checkRawAssets(ctx context.Context, raws []json.RawMessage) ([]AssetRef, error) {
	refs, err := assetRefsOf(raws)
	if err != nil {
		return nil, err
	}
	return refs, p.CheckAssets(ctx, refs...)
}

// markRawAssets writes into the assets of a daemon's answer that are in doubt what is wrong with them, as the member in_doubt;
// the others stay as they are. Errors: those of Pins.Doubts.
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

// assetRefsOf reads which assets a daemon wrote; null is skipped.
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
// otherwise as told; in smallest units while it is in doubt.
func (p *Pins) AssetOr(told AssetRef) AssetRef {
	if told.ID == DCT().ID {
		return DCT()
	}
	if shown, doubted := p.doubted.of(told.ID); doubted {
		return shown
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
	e := contradicts(now, was, "an asset's id and symbol never change, and its issuer can change its decimals only while none was issued",
		c.was.fact.symbol)
	if c.was.source != "" && shownInDoubt(*c).Symbol == c.was.fact.symbol+decimalsInDoubt {
		e.Hint = "nothing of it was signed; compare its decimals on another daemon (--daemon-url); if they did change: " +
			"billfold pins forget " + c.was.fact.symbol + ", then start Billfold anew"
	}
	return e
}
