package finality

import (
	"slices"

	"billfold/ledger"
)

// count records what a header confirms, if it is signed with a pinned key.
func (t *Tracker) count(e *header) {
	if t.anchor.isPinned(e.miner, e.key) {
		t.last[e.miner] = e.Num()
	}
}

// recount counts the whole run again, after it or the pinned miners changed.
func (t *Tracker) recount() {
	clear(t.last)
	for i := range t.run {
		t.count(&t.run[i])
	}
}

// prove advances the last irreversible block as far as the rule allows. What proven headers reveal about the miners may prove more.
func (t *Tracker) prove() {
	for {
		if !t.linked && len(t.run) > 0 && t.start <= t.anchor.Block.Num() {
			return // it may turn out to be a chain other than the proven one
		}
		num := t.irreversible()
		if num <= t.anchor.Block.Num() {
			return
		}
		if !t.proveTo(num) {
			return
		}
		t.recount()
	}
}

// irreversible applies the ledger's rule. A miner that signed nothing in the run counts as 0: what
// it signed before is not above the anchor.
func (t *Tracker) irreversible() uint32 {
	confirmed := make([]uint32, 0, t.anchor.minerCount())
	for _, m := range t.anchor.Miners {
		confirmed = append(confirmed, t.last[m.ID])
	}
	return ledger.LastIrreversible(append(confirmed, make([]uint32, t.anchor.Unnamed)...))
}

// proveTo makes block num of the run the anchor's, and adopts the miners and keys of the headers up to it. It reports
// whether that changed who is counted.
func (t *Tracker) proveTo(num uint32) (changed bool) {
	at := int(num - t.run[0].Num())
	for i := range t.run[:at+1] {
		e := &t.run[i]
		if e.Num() <= t.anchor.Block.Num() {
			continue // it was the anchor's
		}
		changed = t.anchor.adopt(e.miner, e.key) || changed
		changed = t.window.add(e, &t.anchor) || changed
	}
	t.anchor.Block, t.linked = t.run[at].Point, true
	t.run = slices.Clone(t.run[at:])
	return changed
}
