package finality

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"billfold/ledger"
)

// Miner is an active miner with the key that it signs blocks with.
type Miner struct {
	ID  ledger.MinerID   `json:"id"`
	Key ledger.PublicKey `json:"key"`
}

// Point is a block with its time; the zero value is no block.
type Point struct {
	ID   ledger.BlockID `json:"id"`
	Time ledger.Time    `json:"time"`
}

// Num returns the number of the block; 0 for no block.
func (p Point) Num() uint32 { return p.ID.Num() }

// Anchor holds what is known for certain about a chain, and all that has to be stored of it.
type Anchor struct {
	Chain    ledger.ChainID `json:"chain"`
	Interval uint8          `json:"interval"` // seconds between slots
	Miners   []Miner        `json:"miners"`   // pinned, ascending by id
	Unnamed  int            `json:"unnamed"`  // further miners that may be active but have signed nothing
	Block    Point          `json:"block"`    // last proven block; zero: none yet

	// Head is the time of the head block when this was stored, as the daemon reported it, or that of this machine if that was
	// earlier; 0 = not known.
	Head ledger.Time `json:"head,omitempty"`
}

// maxMiners is the maximum number of active miners accepted from a daemon or a store: the reference's maximum.
const maxMiners = 1001

// Pin returns the anchor of a chain seen for the first time: the active miners with their signing keys, and the seconds
// between two slots, as daemons report them. No block is proven yet.
func Pin(chain ledger.ChainID, miners []Miner, interval uint8) (Anchor, error) {
	a := Anchor{Chain: chain, Interval: interval, Miners: slices.Clone(miners)}
	slices.SortFunc(a.Miners, func(x, y Miner) int { return cmp.Compare(x.ID, y.ID) })
	return a, a.Check()
}

// Check returns why a cannot be an anchor: it has no miners, or too many, or one of them twice,
// or a key that cannot sign, or no interval.
func (a *Anchor) Check() error {
	switch {
	case len(a.Miners) == 0:
		return errors.New("no active miner is named, so no block could ever be proven; ask another daemon")
	case len(a.Miners) > maxMiners || a.Unnamed < 0 || a.Unnamed > maxMiners:
		return fmt.Errorf("more active miners are named than the %d a ledger has; ask another daemon", maxMiners)
	case a.Interval == 0:
		return errors.New("the seconds between two blocks are missing; ask another daemon")
	case a.Block.Num() == 0 && a.Block != Point{}:
		return errors.New("the last proven block has no number; forget it, and trust the daemon's miners again")
	}
	for i, m := range a.Miners {
		if i > 0 && a.Miners[i-1].ID >= m.ID {
			return fmt.Errorf("the active miner %s is named twice or out of order; ask another daemon", m.ID)
		}
		if !m.Key.IsOnCurve() {
			return fmt.Errorf("the key of the active miner %s cannot sign blocks; ask another daemon", m.ID)
		}
	}
	return nil
}

// minerCount returns how many miners the rule counts.
func (a *Anchor) minerCount() int { return len(a.Miners) + a.Unnamed }

// find returns the index of the miner, or where it belongs.
func (a *Anchor) find(id ledger.MinerID) (int, bool) {
	return slices.BinarySearchFunc(a.Miners, id, func(m Miner, id ledger.MinerID) int { return cmp.Compare(m.ID, id) })
}

// isPinned reports whether the key is the one pinned for the miner.
func (a *Anchor) isPinned(id ledger.MinerID, key ledger.PublicKey) bool {
	i, known := a.find(id)
	return known && a.Miners[i].Key == key
}

// Signed reports whether one of the pinned miners signed a header, as only that miner can: on top of a block that is not the ledger's it
// signs nothing.
func (a *Anchor) Signed(h *ledger.SignedBlockHeader) bool {
	e, err := parseHeader(h)
	return err == nil && a.isPinned(e.miner, e.key)
}

// adopt pins the key for the miner and reports whether that is new.
func (a *Anchor) adopt(id ledger.MinerID, key ledger.PublicKey) bool {
	i, known := a.find(id)
	switch {
	case !known:
		a.Miners = slices.Insert(a.Miners, i, Miner{id, key})
	case a.Miners[i].Key == key:
		return false
	default:
		a.Miners[i].Key = key
	}
	return true
}
