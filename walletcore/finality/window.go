package finality

import (
	"slices"

	"billfold/ledger"
)

// windowRounds is the number of rounds of the schedule in a window.
const windowRounds = 6

// window watches proven headers for miners that are no longer active. The schedule assigns each of n active miners one
// slot in every round of n blocks that ends with a number divisible by n, and an active miner that signs nothing misses
// its slot. So the number of silent miners that are active is at most the number of slots missed in any such round.
type window struct {
	signed   map[ledger.MinerID]bool
	first    uint32   // number of the first header
	times    []uint32 // seconds from each header's predecessor to it
	lastTime ledger.Time
	previous *verdict // of the window before: the active miners may have changed within one of the two

	verdicts int // how many windows were completed
}

// verdict holds what a complete window shows.
type verdict struct {
	signed map[ledger.MinerID]bool
	active int // how many silent miners may be active, at most
}

// add records a proven header and, at the end of a window, removes the names of miners that cannot all be active. It
// reports whether that changed who is counted.
func (w *window) add(e *header, a *Anchor) (changed bool) {
	if w.lastTime == 0 { // how many slots passed before it is unknown
		w.lastTime, w.first = e.Time, e.Num()+1
		return false
	}
	if w.signed == nil {
		w.signed = map[ledger.MinerID]bool{}
	}
	w.signed[e.miner] = true
	w.times = append(w.times, uint32(e.Time-w.lastTime))
	w.lastTime = e.Time
	if len(w.times) < windowRounds*a.minerCount() {
		return false
	}
	v := &verdict{signed: w.signed, active: w.maxActive(countSilent(a, w.signed), a.Interval)}
	changed = v.dropSilent(w.previous, a)
	*w = window{first: e.Num() + 1, lastTime: e.Time, previous: v, verdicts: w.verdicts + 1}
	return changed
}

// countSilent returns how many of the counted miners signed nothing.
func countSilent(a *Anchor, signed map[ledger.MinerID]bool) int {
	count := a.Unnamed
	for _, m := range a.Miners {
		if !signed[m.ID] {
			count++
		}
	}
	return count
}

// maxActive returns how many of the silent miners may be active, given the missed slots; at most all of them.
func (w *window) maxActive(silent int, interval uint8) int {
	missed := missedSlots(w.times, interval)
	for ; silent > 0; silent-- {
		if w.roomFor(silent, missed) {
			break
		}
	}
	return silent
}

// roomFor reports whether at least that many slots were missed in each whole round, as they would
// be if that many silent miners were active.
func (w *window) roomFor(silent int, missed []int) bool {
	n := len(w.signed) + silent
	skip := (n - int(w.first-1)%n) % n // to the first block of a round
	for ; skip+n <= len(missed); skip += n {
		sum := 0
		for _, m := range missed[skip : skip+n] {
			sum += m
		}
		if sum < silent {
			return false
		}
	}
	return true
}

// missedSlots returns how many slots passed unused before each block. Blocks closer than the interval show that it is shorter by now.
func missedSlots(times []uint32, interval uint8) []int {
	slot := max(min(uint32(interval), slices.Min(times)), 1)
	missed := make([]int, len(times))
	for i, seconds := range times {
		missed[i] = int((seconds+slot/2)/slot) - 1
	}
	return missed
}

// dropSilent removes the names of the miners that were silent in both windows if not all of them can be active, and
// counts those that can be without a name.
func (v *verdict) dropSilent(previous *verdict, a *Anchor) (changed bool) {
	if previous == nil {
		return false
	}
	gone := func(m Miner) bool { return !v.signed[m.ID] && !previous.signed[m.ID] }
	both := a.Unnamed
	for _, m := range a.Miners {
		if gone(m) {
			both++
		}
	}
	active := max(v.active, previous.active)
	if active >= both {
		return false
	}
	a.Miners, a.Unnamed = slices.DeleteFunc(a.Miners, gone), active
	return true
}
