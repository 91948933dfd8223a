package daemonclient

import (
	"testing"
	"time"

	"billfold/ledger"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

func testRule() rule {
	return rule{lagAfter: defaultLagAfter, staleAfter: StaleAfter, switchAfter: defaultSwitchAfter}
}

var rankEpoch = time.Unix(1_800_000_000, 0)

// up is a daemon with a head of this age at a time after rankEpoch.
func up(at, age, latency time.Duration) health {
	return health{up: true, age: age, latency: latency, headTime: ledger.TimeOf(rankEpoch.Add(at - age))}
}

// run feeds a chooser one reading per step and gives the choices.
func run(steps int, step time.Duration, reading func(at time.Duration) []health) (choices []int) {
	s := chooser{current: -1, rule: testRule()}
	for i := range steps {
		at := time.Duration(i) * step
		choices = append(choices, s.pick(rankEpoch.Add(at), reading(at)))
	}
	return choices
}

func TestChoice(t *testing.T) {
	const second = time.Second
	down, mute := health{}, up(0, 0, ms)
	mute.silent = true
	pinned := up(0, 0, 90*ms)
	pinned.pinned = true
	pinnedStale := up(0, 70*second, ms)
	pinnedStale.pinned = true
	faulty := up(0, 0, ms)
	faulty.faults = 2
	for name, test := range map[string]struct {
		all  []health
		want int
	}{
		"nobody":                           {[]health{down, down}, -1},
		"the only one, whatever it is":     {[]health{down, mute}, 1},
		"the quicker":                      {[]health{up(0, 0, 30*ms), up(0, 0, 10*ms)}, 1},
		"the first of equals":              {[]health{up(0, 0, ms), up(0, 0, ms)}, 0},
		"a fresh head before quickness":    {[]health{up(0, 16*second, ms), up(0, 0, 90*ms)}, 1},
		"a lagging head before a stale":    {[]health{up(0, 61*second, ms), up(0, 16*second, 90*ms)}, 1},
		"a stale one before a silent":      {[]health{mute, up(0, 61*second, 90*ms)}, 1},
		"few faults before quickness":      {[]health{faulty, up(0, 0, 90*ms)}, 1},
		"the pinned, though slower":        {[]health{up(0, 0, ms), pinned}, 1},
		"not the pinned when it is stale":  {[]health{up(0, 0, 90*ms), pinnedStale}, 0},
		"a head from the future is no lag": {[]health{up(0, 0, 2*ms), up(0, 0, ms)}, 1},
	} {
		if got := run(1, 0, func(time.Duration) []health { return test.all })[0]; got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestWhenTheChoiceMoves: daemon 0 is in use and something changes at 20 s; the
// table says after how long 1 takes over.
func TestWhenTheChoiceMoves(t *testing.T) {
	const second = time.Second
	silent := up(0, 0, ms)
	silent.silent = true
	for name, test := range map[string]struct {
		turns func(at time.Duration) health // daemon 0 from 20 s on
		after time.Duration                 // -1: never
	}{
		"away":                   {func(time.Duration) health { return health{} }, 0},
		"silent":                 {func(time.Duration) health { return silent }, 0},
		"stale":                  {func(at time.Duration) health { return up(at, 61*second, ms) }, 0},
		"lagging":                {func(at time.Duration) health { return up(at, 16*second, ms) }, 0},
		"half a minute slower":   {func(at time.Duration) health { return up(at, 0, 100*ms) }, 30 * second},
		"slower, but not much":   {func(at time.Duration) health { return up(at, 0, 40*ms) }, -1},
		"twice as slow, but how": {func(at time.Duration) health { return up(at, 0, 25*ms) }, -1},
		"slow now and then": {func(at time.Duration) health {
			if at%(20*second) == 0 {
				return up(at, 0, 10*ms)
			}
			return up(at, 0, 200*ms)
		}, -1},
	} {
		choices := run(600, second/2, func(at time.Duration) []health {
			first := up(at, 0, 10*ms)
			if at >= 20*second {
				first = test.turns(at)
			}
			return []health{first, up(at, 0, 24*ms)}
		})
		after := time.Duration(-1)
		for i, choice := range choices {
			if choice == 1 {
				after = time.Duration(i)*second/2 - 20*second
				break
			}
		}
		if after != test.after {
			t.Errorf("%s: moved after %v, want %v", name, after, test.after)
		}
	}
}

// Two daemons of which one is a block behind the other in turn, both near the
// limit, are not alternated.
func TestHeadsThatDifferByABlockAreNoReason(t *testing.T) {
	choices := run(1000, 500*ms, func(at time.Duration) []health {
		behind := 4 * time.Second * time.Duration(at/(3*time.Second)%2)
		return []health{up(at, 13*time.Second+behind, ms), up(at, 17*time.Second-behind, ms)}
	})
	for i, choice := range choices {
		if choice != choices[0] {
			t.Fatalf("moved at step %d", i)
		}
	}
}

// TestNoFlapping is the chooser's promise under anything that may be read: a
// daemon that is up, answers and is not stale is left only after minStay, and
// only for a fresher one; for a quicker one only after switchAfter. So the
// moves in a quiet pool are bounded by time, not by noise.
func TestNoFlapping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "daemons")
		s := chooser{current: -1, rule: testRule()}
		at, left, beaten := time.Duration(0), time.Duration(0), time.Duration(-1) // beaten: since when somebody is clearly better
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			at += time.Duration(rapid.IntRange(50, 3000).Draw(t, "step")) * ms
			all := make([]health, n)
			for i := range all {
				all[i] = drawHealth(t, at)
			}
			old := s.current
			if !beatenBy(all, old, s.rule) {
				beaten = -1
			} else if beaten < 0 {
				beaten = at
			}
			now := s.pick(rankEpoch.Add(at), all)
			if now >= 0 && !all[now].up && anyUp(all) {
				t.Fatalf("a daemon that is away is in use: %d of %+v", now, all)
			}
			if now == old {
				continue
			}
			stayed := at - left
			lost := beaten >= 0 && at-beaten >= s.switchAfter
			left, beaten = at, -1
			if old < 0 || now < 0 || s.grade(all[old]) >= stale {
				continue // it had to be left
			}
			fresher := s.grade(all[now]) < s.grade(all[old])
			if stayed < minStay || !fresher && !lost {
				t.Fatalf("left a usable daemon after %v: %+v for %+v", stayed, all[old], all[now])
			}
		}
	})
}

func beatenBy(all []health, old int, r rule) bool {
	if old < 0 {
		return false
	}
	for _, h := range all {
		if h.up && r.grade(h) == r.grade(all[old]) && 2*h.score() <= all[old].score() && all[old].score()-h.score() >= 20*ms {
			return true
		}
	}
	return false
}

func drawHealth(t *rapid.T, at time.Duration) health {
	age := time.Duration(rapid.SampledFrom([]int{0, 1, 5, 14, 16, 20, 40, 59, 61, 300}).Draw(t, "age")) * time.Second
	h := up(at, age, time.Duration(rapid.IntRange(1, 500).Draw(t, "latency"))*ms)
	h.up = rapid.IntRange(0, 19).Draw(t, "up") > 0
	h.silent = rapid.IntRange(0, 19).Draw(t, "silent") == 0
	h.faults = float64(rapid.IntRange(0, 3).Draw(t, "faults"))
	return h
}

func anyUp(all []health) bool {
	for _, h := range all {
		if h.up {
			return true
		}
	}
	return false
}

// Noise of half the latency up or down moves nothing, ever.
func TestNoiseMovesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.IntRange(1, 400).Draw(t, "base")
		first := -1
		s := chooser{current: -1, rule: testRule()}
		for i := range 200 {
			all := make([]health, 3)
			for j := range all {
				all[j] = up(0, 0, time.Duration(rapid.IntRange(base*1000, base*1900).Draw(t, "latency"))*time.Microsecond)
			}
			got := s.pick(rankEpoch.Add(time.Duration(i)*time.Second), all)
			if first < 0 {
				first = got
			}
			if got != first {
				t.Fatalf("moved from %d to %d at step %d", first, got, i)
			}
		}
	})
}

func TestFaultsFade(t *testing.T) {
	var f faults
	f.add(rankEpoch)
	f.add(rankEpoch)
	if v := f.value(rankEpoch); v != 2 {
		t.Errorf("two faults are %v", v)
	}
	if v := f.value(rankEpoch.Add(2 * faultHalfLife)); v != 0.5 {
		t.Errorf("two half-lives later they are %v", v)
	}
}

func TestShortestRoundTripOfTheLatest(t *testing.T) {
	var r roundTrips
	if r.shortest() != 0 {
		t.Error("something was measured")
	}
	for _, took := range []time.Duration{ms, 9 * ms, 9 * ms, 9 * ms} {
		r.add(took)
	}
	if got := r.shortest(); got != ms {
		t.Errorf("got %v", got)
	}
	for range len(r.latest) {
		r.add(7 * ms)
	}
	if got := r.shortest(); got != 7*ms {
		t.Errorf("an old one still counts: %v", got)
	}
}
