package ledgerview

import (
	"strings"
	"sync"

	"billfold/ledger"
)

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
