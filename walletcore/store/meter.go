package store

import (
	"slices"
	"sync/atomic"
	"time"
)

// commitBounds are the upper bounds of how long commits take, in seconds; a longer one counts beyond the last.
func commitBounds() []float64 {
	return []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

// CommitMeter counts the commits of a store, and how long they took. It is safe for concurrent use.
type CommitMeter struct {
	bounds []float64
	within []atomic.Uint64 // commits up to each bound and beyond the one before; the last: beyond all
	took   atomic.Int64    // nanoseconds, of all
	failed atomic.Uint64
}

// NewCommitMeter returns a meter that has counted nothing.
func NewCommitMeter() *CommitMeter {
	bounds := commitBounds()
	return &CommitMeter{bounds: bounds, within: make([]atomic.Uint64, len(bounds)+1)}
}

// Note counts a commit that was tried.
func (m *CommitMeter) Note(took time.Duration, err error) {
	if err != nil {
		m.failed.Add(1)
		return
	}
	at, _ := slices.BinarySearch(m.bounds, took.Seconds())
	m.within[at].Add(1)
	m.took.Add(int64(took))
}

// Commits are the counts of a CommitMeter.
type Commits struct {
	Made    uint64
	Failed  uint64             // commits that were not made, or of which that is not known
	Took    time.Duration      // all that were made together
	Within  map[float64]uint64 // how many were made within a time in seconds
	Waiting int                // changes that wait for a commit
}

// Read returns the counts as of now.
func (m *CommitMeter) Read() Commits {
	c := Commits{Failed: m.failed.Load(), Took: time.Duration(m.took.Load()), Within: make(map[float64]uint64, len(m.bounds))}
	for i, bound := range m.bounds {
		c.Made += m.within[i].Load()
		c.Within[bound] = c.Made
	}
	c.Made += m.within[len(m.bounds)].Load()
	return c
}
