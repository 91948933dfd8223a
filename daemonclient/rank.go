package daemonclient

import (
	"math"
	"time"

	"billfold/ledger"
)

// health is what is known of one daemon of the pool when the choice is made.
type health struct {
	up       bool // its connection holds, and it is of the right chain
	silent   bool // it does not answer at present
	lied     bool // it gave a false answer lately
	pinned   bool
	age      time.Duration // of its head block; negative when it lies in the future
	headTime ledger.Time   // zero when daemons are not probed
	latency  time.Duration
	faults   float64 // recent failures, fading
}

// grade is how far a daemon can be used; lower is better.
type grade int

const (
	fresh      grade = iota
	lagging          // its head block is older than it should be
	stale            // too old, or of the future: not to be trusted with payments
	distrusted       // it gave a false answer
	silent
	away
)

// rule holds the times of the choice (Config says what they mean).
type rule struct {
	lagAfter, staleAfter time.Duration // of a head block's age
	aheadAfter           time.Duration // how far a head block may lie in the future
	switchAfter          time.Duration // how long a better daemon must have been better
}

// The measures of "clearly better". What one fault costs fades by half within
// faultHalfLife; minStay keeps two daemons that lag in turn from being
// alternated.
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

// untrusted reports that no payment is given to a daemon whose head has this age.
func (r rule) untrusted(age time.Duration) bool { return age > r.staleAfter || -age > r.aheadAfter }

// score is the expected cost of a call.
func (h health) score() time.Duration {
	return h.latency + time.Duration(h.faults*float64(faultCost))
}

// chooser picks a daemon and stays with it. It has no clock and no lock.
//
// Promise: it leaves a daemon that is up, answers and is not stale only for
// the pinned one, after minStay for a fresher one, or for one that was clearly
// better throughout switchAfter.
type chooser struct {
	rule
	current     int // -1: none
	since       time.Time
	betterSince time.Time // since when somebody has been clearly better; zero: nobody is
}

// pick returns the index of the daemon to use from now on; -1 when none is up.
func (s *chooser) pick(now time.Time, all []health) int {
	best := s.best(all)
	s.compare(now, all, best)
	if best != s.current && s.mustMove(now, all, best) {
		s.current, s.since, s.betterSince = best, now, time.Time{}
	}
	return s.current
}

// best orders by pin, grade, score and place in the list.
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
	case from == stale && to < stale && old.age < 0: // its time is wrong, and says nothing of who is ahead
		return true
	case rival.pinned && to < stale:
		return stayed || from >= stale
	case from == stale && to < stale, from == lagging && to == fresh && stayed:
		// Heads that differ by a block are read a little earlier or later, no more.
		return s.ahead(rival, old)
	}
	return !s.betterSince.IsZero() && now.Sub(s.betterSince) >= s.switchAfter
}

func (s *chooser) ahead(rival, old health) bool {
	return rival.headTime.Time().Sub(old.headTime.Time()) >= s.lagAfter/3
}

// compare notes since when somebody has been clearly better without a break.
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

// faults counts failures, each worth half as much a half-life later.
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

// roundTrips keeps the latest round trips; the shortest of them stands for the
// daemon, because the others also waited behind this program's own calls.
type roundTrips struct {
	latest [8]time.Duration
	count  int
}

func (r *roundTrips) add(took time.Duration) {
	r.latest[r.count%len(r.latest)] = max(took, 1)
	r.count++
}

// shortest is 0 when there is none yet.
func (r *roundTrips) shortest() time.Duration {
	shortest := r.latest[0]
	for _, took := range r.latest[:min(r.count, len(r.latest))] {
		shortest = min(shortest, took)
	}
	return shortest
}
