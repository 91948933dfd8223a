package finality

import (
	"math/rand/v2"
	"slices"
	"testing"

	"billfold/ledger"
)

// schedule makes blocks without signatures, for the window alone.
type schedule struct {
	luck   *rand.Rand
	active []ledger.MinerID
	turn   []ledger.MinerID
	down   map[ledger.MinerID]bool
	slot   uint32
	num    uint32
}

// next is the next block; slots of miners that are down pass.
func (s *schedule) next() *header {
	for {
		s.slot++
		miner := s.turn[int(s.slot)%len(s.turn)]
		if s.down[miner] {
			continue
		}
		s.num++
		e := &header{miner: miner}
		e.ID, e.Time = ledger.BlockID{2: byte(s.num >> 8), 3: byte(s.num)}, ledger.Time(1000+s.slot*slotSeconds)
		if int(s.num)%len(s.active) == 0 {
			s.turn = slices.Clone(s.active)
			s.luck.Shuffle(len(s.turn), func(i, j int) { s.turn[i], s.turn[j] = s.turn[j], s.turn[i] })
		}
		return e
	}
}

// A maintenance in the middle of a window shifts the rounds. A miner that is
// down meanwhile is waited for all the same; those that left are not, in the end.
func TestWindowTellsDownFromGone(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	forgotten := 0
	for trial := range 3000 {
		n := 3 + luck.IntN(10)
		s := &schedule{luck: luck, down: map[ledger.MinerID]bool{}}
		a := Anchor{Interval: slotSeconds}
		for id := range ledger.MinerID(n) {
			s.active = append(s.active, id)
			a.Miners = append(a.Miners, Miner{ID: id})
		}
		s.turn = s.active
		var w window
		run := func(blocks int) {
			for range blocks {
				w.add(s.next(), &a)
				if a.minerCount() < len(s.active) {
					t.Fatalf("trial %d, block %d: %d of %d active miners are counted", trial, s.num, a.minerCount(), len(s.active))
				}
			}
		}
		run(luck.IntN(3 * n))
		for range luck.IntN(1 + (n-1)/4) {
			s.down[ledger.MinerID(luck.IntN(n))] = true
		}
		run(luck.IntN(20 * n))
		s.active = slices.Delete(slices.Clone(s.active), n-1, n)
		run(40 * n)
		if a.minerCount() == len(s.active) {
			forgotten++
		}
	}
	if forgotten < 2900 {
		t.Errorf("in %d of 3000 trials the miner that left was found out", forgotten)
	}
}

// A window's times are those of its headers, from its first on: rounds are cut by the numbers of blocks, so one off makes
// other rounds.
func TestAWindowKnowsWhichHeadersItHas(t *testing.T) {
	s := &schedule{luck: rand.New(rand.NewPCG(1, 2)), down: map[ledger.MinerID]bool{}, active: []ledger.MinerID{0, 1, 2}}
	a := Anchor{Interval: slotSeconds, Miners: []Miner{{ID: 0}, {ID: 1}, {ID: 2}}}
	s.turn = s.active
	var w window
	for range 3 * windowRounds * 3 {
		e := s.next()
		w.add(e, &a)
		if next := w.first + uint32(len(w.times)); next != e.Num()+1 {
			t.Fatalf("after header %d the window expects header %d", e.Num(), next)
		}
	}
	if w.verdicts < 2 {
		t.Errorf("%d windows were completed", w.verdicts)
	}
}

// Each whole round counts, the last one of a window as well: none missed there, no silent miner is active.
func TestTheLastRoundOfAWindowCounts(t *testing.T) {
	w := window{first: 1, signed: map[ledger.MinerID]bool{1: true, 2: true, 3: true}}
	for _, missed := range [][]int{{0, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}} {
		if w.roomFor(1, missed) {
			t.Errorf("with %v missed, a fourth miner is waited for", missed)
		}
	}
	if !w.roomFor(1, []int{1, 0, 0, 0, 0, 0, 0, 1}) {
		t.Error("a miner that is down is not waited for")
	}
}

// A slot was missed for each whole interval that a block came later; what a clock is off by, up to half an interval, misses none.
func TestMissedSlotsAreRounded(t *testing.T) {
	times := []uint32{5, 7, 8, 12, 13, 50}
	if got, want := missedSlots(times, 5), []int{0, 0, 1, 1, 2, 9}; !slices.Equal(got, want) {
		t.Errorf("of blocks after %v seconds %v slots were missed, want %v", times, got, want)
	}
	if got, want := missedSlots([]uint32{3, 6}, 5), []int{0, 1}; !slices.Equal(got, want) {
		t.Errorf("where the interval has become shorter %v slots were missed, want %v", got, want)
	}
}

// Silent are the counted miners that signed nothing, with those that have no name.
func TestTheSilentAreCounted(t *testing.T) {
	a := &Anchor{Miners: []Miner{{ID: 1}, {ID: 2}, {ID: 3}}, Unnamed: 2}
	for want, signed := range map[int]map[ledger.MinerID]bool{5: nil, 4: {1: true, 9: true}, 3: {1: true, 3: true}, 2: {1: true, 2: true, 3: true}} {
		if got := countSilent(a, signed); got != want {
			t.Errorf("where %v signed %d are silent, want %d", signed, got, want)
		}
	}
}
