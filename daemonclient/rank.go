package daemonclient

import (
	"math"
	"time"

	"billfold/ledger"
)

// health holds what is known of one daemon of the pool when the choice is made.
type health struct {
	up       bool // its connection is up, and it is of the right chain
	silent   bool // it is not answering at present
	lied     bool // it gave a false answer recently
	pinned   bool
	age      time.Duration // of its head block; negative if it is in the future
	headTime ledger.Time   // zero if daemons are not probed
	latency  time.Duration
	faults   float64 // recent failures, decaying
}

// grade ranks how usable a daemon is; lower is better.
type grade int

const (
	fresh      grade = iota
	lagging          // its head block is older than it should be
	stale            // too old, or in the future: not to be trusted with payments
	distrusted       // it gave a false answer
	silent
	away
)

// rule holds the times that decide the choice (see Config).
type rule struct {
	lagAfter, staleAfter time.Duration // of a head block's age
	aheadAfter           time.Duration // how far a head block may lie in the future
	switchAfter          time.Duration // how long a better daemon must have been better
}

// The measures of "clearly better". The cost of a fault halves every faultHalfLife; minStay keeps two daemons that lag
// in turn from alternating.
const (
	clearRatio    = 2
	clearMargin   = 20 * time.Millisecond
	faultCost     = 100 * time.Millisecond
	faultHalfLife = time.Minute
	minStay       = 10 * time.Second
)

func (r rule) grade(h health) grade {
	switch {
	case !h.up:
		return away
	case h.silent:
		return silent
	case h.lied:
		return distrusted
	case r.untrusted(h.age):
		return stale
	case h.age > r.lagAfter:
		return lagging
	}
	return fresh
}

// untrusted reports whether a daemon whose head has this age is trusted with no payment.
func (r rule) untrusted(age time.Duration) bool { return age > r.staleAfter || -age > r.aheadAfter }

// score returns the expected cost of a call.
func (h health) score() time.Duration {
	return h.latency + time.Duration(h.faults*float64(faultCost))
}

// chooser picks a daemon and stays with it. It has no clock and no lock.
//
// Promise: it leaves a daemon that is up, answers and is not stale only for the pinned one, for a fresher one after
// minStay, or for one that was clearly better throughout switchAfter.
type chooser struct {
	rule
	current     int // -1: none
	since       time.Time
	betterSince time.Time // since when another has been clearly better; zero: none is
}

// pick returns the index of the daemon to use from now on, -1 if none is up.
func (s *chooser) pick(now time.Time, all []health) int {
	best := s.best(all)
	s.compare(now, all, best)
	if best != s.current && s.mustMove(now, all, best) {
		s.current, s.since, s.betterSince = best, now, time.Time{}
	}
	return s.current
}

// best returns the index of the best daemon by pin, grade, score and place in the list, -1 if none is up.
func (s *chooser) best(all []health) int {
	best := -1
	for i, h := range all {
		if h.up && (best < 0 || s.before(h, all[best])) {
			best = i
		}
	}
	return best
}

func (s *chooser) before(a, b health) bool {
	first, second := s.grade(a), s.grade(b)
	switch {
	case a.pinned && first < stale:
		return true
	case b.pinned && second < stale:
		return false
	case first != second:
		return first < second
	}
	return a.score() < b.score()
}

func (s *chooser) mustMove(now time.Time, all []health, best int) bool {
	if s.current < 0 || best < 0 || s.grade(all[s.current]) == away {
		return true
	}
	old, rival := all[s.current], all[best]
	from, to := s.grade(old), s.grade(rival)
	stayed := now.Sub(s.since) >= minStay
	switch {
	case from == silent && to < silent, from == distrusted && to < distrusted:
		return true
	case from == stale && to < stale && old.age < 0: // its time is wrong, so it cannot be compared with the other's
		return true
	case rival.pinned && to < stale:
		return stayed || from >= stale
	case from == stale && to < stale, from == lagging && to == fresh && stayed:
		// Heads that differ by a block were merely read a little earlier or later.
		return s.ahead(rival, old)
	}
	return !s.betterSince.IsZero() && now.Sub(s.betterSince) >= s.switchAfter
}

func (s *chooser) ahead(rival, old health) bool {
	return rival.headTime.Time().Sub(old.headTime.Time()) >= s.lagAfter/3
}

// compare records since when another daemon has been clearly better without a break.
func (s *chooser) compare(now time.Time, all []health, best int) {
	switch {
	case s.current < 0 || best < 0 || !s.clearlyBetter(all[best], all[s.current]):
		s.betterSince = time.Time{}
	case s.betterSince.IsZero():
		s.betterSince = now
	}
}

func (s *chooser) clearlyBetter(rival, old health) bool {
	cost, offer := old.score(), rival.score()
	return s.grade(rival) == s.grade(old) && offer*clearRatio <= cost && cost-offer >= clearMargin
}

// faults counts failures; each counts half as much a half-life later.
type faults struct {
	count float64
	at    time.Time
}

func (f faults) value(now time.Time) float64 {
	if f.count == 0 {
		return 0
	}
	return f.count * math.Exp2(-now.Sub(f.at).Seconds()/faultHalfLife.Seconds())
}

func (f *faults) add(now time.Time) { f.count, f.at = f.value(now)+1, now }

// roundTrips keeps the latest round trips. The shortest stands for the daemon, because the others also waited for this
// program's own calls.
type roundTrips struct {
	latest [8]time.Duration
	count  int
}

func (r *roundTrips) add(took time.Duration) {
	r.latest[r.count%len(r.latest)] = max(took, 1)
	r.count++
}

// shortest returns 0 if there is none yet.
func (r *roundTrips) shortest() time.Duration {
	shortest := r.latest[0]
	for _, took := range r.latest[:min(r.count, len(r.latest))] {
		shortest = min(shortest, took)
	}
	return shortest
}
