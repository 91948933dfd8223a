package ledgerview

import (
	"strings"
	"sync"

	"billfold/ledger"
)

// Marks stand behind the symbol or the id of an asset in doubt, wherever an amount of it is shown: the amount before them is in
// smallest units.
const (
	decimalsInDoubt = " (smallest units, decimals in doubt)"
	symbolInDoubt   = " (smallest units, symbol in doubt)"
)

// unmarked is the word for an asset that may be in doubt.
func unmarked(symbolOrID string) string {
	return strings.TrimSuffix(strings.TrimSuffix(symbolOrID, decimalsInDoubt), symbolInDoubt)
}

// InDoubt returns the word for an asset in doubt, of which its Symbol says more; false for any other.
func (a AssetRef) InDoubt() (symbolOrID string, is bool) {
	word := unmarked(a.Symbol)
	return word, word != a.Symbol
}

// doubts are the assets of which a daemon said something else than is pinned, as they are shown. The zero value has none.
type doubts struct {
	mu sync.RWMutex
	by map[ledger.AssetID]AssetRef
}

func (d *doubts) of(id ledger.AssetID) (AssetRef, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	shown, doubted := d.by[id]
	return shown, doubted
}

// judge notes which of the assets that a daemon spoke of are contradicted; the others are in doubt no longer.
func (d *doubts) judge(said []assetPin, all []contradiction[ledger.AssetID, assetFact]) {
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

// shownInDoubt is how an asset is shown about which two were of different opinion.
func shownInDoubt(c contradiction[ledger.AssetID, assetFact]) AssetRef {
	if c.now.id == c.was.id && c.now.fact.symbol == c.was.fact.symbol {
		return AssetRef{ID: c.now.id, Symbol: c.was.fact.symbol + decimalsInDoubt}
	}
	return AssetRef{ID: c.now.id, Symbol: c.now.id.String() + symbolInDoubt}
}
