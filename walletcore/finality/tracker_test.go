package finality

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"billfold/ledger"
)

// The eleven miners of a real network, taking turns: the eighth block that
// others sign on top makes a block irreversible.
func TestElevenMinersNeedSevenBlocksOnTop(t *testing.T) {
	n := newNetwork(11, inOrder)
	tr := New(n.anchor(t))
	for num := uint32(1); num <= 60; num++ {
		n.mine(1)
		n.feed(t, tr, num, num)
		want := uint32(0)
		if num >= 8 {
			want = num - 7
		}
		if got := tr.Irreversible().Num(); got != want || n.final != want {
			t.Fatalf("at block %d block %d is proven and %d final, want %d", num, got, n.final, want)
		}
		if len(tr.run) > 8 { // proven ones would otherwise count as too many unproven ones some day
			t.Fatalf("at block %d it keeps %d headers", num, len(tr.run))
		}
	}
}

// A header is linked to the proven block that it follows, whichever that is: to the first block of a chain, too.
func TestAHeaderIsLinkedToTheBlockBefore(t *testing.T) {
	n := newNetwork(1, inOrder)
	n.mine(5)
	for num := uint32(1); num < 5; num++ {
		before := New(n.anchor(t))
		n.feed(t, before, 1, num)
		tr := New(before.Anchor())
		n.feed(t, tr, num+1, num+1)
		if !tr.Proven(num + 1) {
			t.Errorf("block %d is not proven after block %d", num+1, num)
		}
	}
}

// A header that does not follow the last one is refused, whether that is the first, the second or any other, and changes nothing.
func TestAHeaderThatFollowsNothingIsRefused(t *testing.T) {
	n := newNetwork(3, inOrder)
	n.mine(12)
	for have := uint32(1); have < 10; have++ {
		tr := New(n.anchor(t))
		n.feed(t, tr, 1, have)
		tip, proven := tr.Tip(), tr.Irreversible()
		for name, num := range map[string]uint32{"the one after next": have + 2, "the same again": have} {
			headers, err := n.Headers(t.Context(), num, num)
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Add(&headers[0], headers[0].Timestamp); !errors.Is(err, ErrUnlinked) {
				t.Errorf("after block %d, %s: %v", have, name, err)
			}
		}
		if tr.Tip() != tip || tr.Irreversible() != proven {
			t.Errorf("after block %d the tip is %v", have, tr.Tip())
		}
	}
}

func TestSmallNetworks(t *testing.T) {
	for miners, lag := range map[int]uint32{1: 0, 2: 1, 3: 2, 4: 2, 5: 3} {
		n := newNetwork(miners, inOrder)
		n.mine(30)
		tr := New(n.anchor(t))
		n.feed(t, tr, 1, 30)
		if got := tr.Irreversible().Num(); got != 30-lag {
			t.Errorf("%d miners: block %d of 30 is proven, want %d", miners, got, 30-lag)
		}
	}
}

// Headers that nobody pinned has signed move the tip and nothing else.
func TestTentativeHeadersProveNothing(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(20)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 20)
	proven := tr.Irreversible()
	for i := range 40 {
		h := ledger.SignedBlockHeader{}
		h.Previous, h.Timestamp, h.Miner = tr.Tip().ID, tr.Tip().Time+1, ledger.MinerID(1+i%7)
		sign(&h, minerKey(99, 0))
		if err := tr.Add(&h, h.Timestamp); err != nil {
			t.Fatal(err)
		}
	}
	if tr.Irreversible() != proven || tr.Tip().Num() != 60 {
		t.Errorf("block %d is proven at the invented block %d, want %d", tr.Irreversible().Num(), tr.Tip().Num(), proven.Num())
	}
	if tr.Finality(25, 60) != ByNodesWord || tr.Finality(25, 24) != Open || tr.Finality(proven.Num(), 0) != Proven {
		t.Error("an invented block is more than the daemon's word")
	}
	if err := tr.Rewind(21); err != nil {
		t.Fatal(err)
	}
	n.mine(5)
	n.feed(t, tr, 21, 25)
	if tr.Irreversible().Num() != 23 {
		t.Errorf("after the true blocks %d is proven, want 23", tr.Irreversible().Num())
	}
}

func TestWhatCannotFollowIsRefused(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(12)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 10)
	next := n.headers[10]
	for name, c := range map[string]struct {
		change func(h *ledger.SignedBlockHeader)
		latest ledger.Time
		want   error
	}{
		"a block left out":     {func(h *ledger.SignedBlockHeader) { *h = n.headers[11] }, n.now(), ErrUnlinked},
		"the same block again": {func(h *ledger.SignedBlockHeader) { *h = n.headers[9] }, n.now(), ErrUnlinked},
		"ahead of the clock":   {func(*ledger.SignedBlockHeader) {}, next.Timestamp - 1, ErrTime},
		"not later": {func(h *ledger.SignedBlockHeader) {
			h.Timestamp = n.headers[9].Timestamp
			sign(h, n.key(h.Miner))
		}, n.now(), ErrTime},
		"no signature":  {func(h *ledger.SignedBlockHeader) { h.MinerSignature = ledger.Signature{} }, n.now(), ErrSignature},
		"not canonical": {func(h *ledger.SignedBlockHeader) { h.MinerSignature[1] |= 0x80 }, n.now(), ErrSignature},
	} {
		h := next
		c.change(&h)
		if err := tr.Add(&h, c.latest); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	n.feed(t, tr, 11, 12)
}

// However long a daemon proves nothing, the headers that are kept have a bound.
func TestTheUnprovenHaveABound(t *testing.T) {
	n := newNetwork(11, inOrder)
	n.mine(5)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 4)
	four := tr.run
	next := func() error { return tr.Add(&n.headers[4], n.now()) }
	tr.run = append(make([]header, maxUnproven-len(four)), four...)
	if err := next(); !errors.Is(err, ErrUnproven) || len(tr.run) != maxUnproven {
		t.Errorf("%d headers are kept, %v", len(tr.run), err)
	}
	if tr.run = four; next() != nil {
		t.Error("a header that follows is refused")
	}
}

func TestProvenBlocksAreNotTakenBack(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(12)
	a := n.anchor(t)
	tr := New(a)
	n.feed(t, tr, 1, 12)
	if err := tr.Rewind(10); !errors.Is(err, ErrContradiction) {
		t.Fatalf("taking back proven block 10: %v", err)
	}
	other := newNetwork(4, inOrder)
	other.start += 1000
	other.mine(12)
	again := New(tr.Anchor())
	for _, start := range []uint32{11, 3} {
		again.Restart()
		var err error
		for num := start; num <= 12 && err == nil; num++ {
			err = again.Add(&other.headers[num-1], other.now())
		}
		if !errors.Is(err, ErrContradiction) {
			t.Errorf("another chain from block %d on: %v", start, err)
		}
	}
}

// Of a run that was dropped nothing counts for the next one: neither its signatures nor the slots that were missed in it.
func TestARestartForgetsTheRun(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(40)
	tr := New(n.anchor(t))
	for last := uint32(1); last <= 40; last++ {
		n.feed(t, tr, last, last)
		was := *tr
		was.Restart()
		again := New(was.Anchor())
		again.Restart()
		if !reflect.DeepEqual(&was, again) {
			t.Fatalf("after block %d it keeps %+v, not %+v", last, was, *again)
		}
	}
}

// A fork may take back all that follows the proven block, and what comes instead must follow that block too.
func TestAForkBeginsAtTheProvenBlock(t *testing.T) {
	n, other := newNetwork(4, inOrder), newNetwork(4, inOrder)
	other.start += 1000
	n.mine(12)
	other.mine(12)
	before := New(n.anchor(t))
	n.feed(t, before, 1, 12)
	tr := New(before.Anchor())
	first := tr.Irreversible().Num() + 1
	tr.Restart()
	n.feed(t, tr, first, 12)
	if err := tr.Rewind(first); err != nil {
		t.Fatalf("taking back block %d after the proven one: %v", first, err)
	}
	if err := tr.Add(&other.headers[first-1], other.now()); !errors.Is(err, ErrContradiction) {
		t.Errorf("another chain after the proven block: %v", err)
	}
	n.feed(t, tr, first, 12)
}

// What a fork took back confirms nothing: one miner's block in its place is not proven by the signatures of the others.
func TestARewoundRunConfirmsNothing(t *testing.T) {
	n := newNetwork(11, inOrder)
	n.mine(20)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 20)
	proven := tr.Irreversible()
	if err := tr.Rewind(proven.Num() + 1); err != nil {
		t.Fatal(err)
	}
	behind := n.headers[9].Miner // all others signed blocks after its last one
	h := ledger.SignedBlockHeader{}
	h.Previous, h.Timestamp, h.Miner = proven.ID, proven.Time+1, behind
	sign(&h, n.key(behind))
	if err := tr.Add(&h, n.now()); err != nil {
		t.Fatal(err)
	}
	if got := tr.Irreversible(); got != proven {
		t.Errorf("block %d is proven by one signature", got.Num())
	}
}

// What proven headers reveal about the miners counts at once: after each header, counting all of the run again proves nothing more.
func TestCountingAgainProvesNothingMore(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	n := newNetwork(7, func(turn []ledger.MinerID) []ledger.MinerID {
		luck.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
		return turn
	})
	tr := New(n.anchor(t))
	for num := range uint32(450) {
		switch num % 150 {
		case 20, 40:
			n.version[n.active[num/150]]++
		case 60:
			n.retire(n.active[0])
		case 100:
			n.elect()
		}
		n.mine(1)
		n.feed(t, tr, num+1, num+1)
		proven := tr.Irreversible()
		tr.recount()
		if tr.prove(); tr.Irreversible() != proven {
			t.Fatalf("at block %d, %d was proven, and counted again %d", num+1, proven.Num(), tr.Irreversible().Num())
		}
	}
	if tr.Irreversible().Num() < 400 {
		t.Errorf("only %d is proven", tr.Irreversible().Num())
	}
}

// An anchor is the same in whatever order the daemon names its miners, and following the chain leaves what it began with as it was.
func TestAnAnchorStaysAsItWasPinned(t *testing.T) {
	n := newNetwork(4, inOrder)
	a := n.anchor(t)
	named := slices.Clone(a.Miners)
	slices.Reverse(named)
	if other, err := Pin(a.Chain, named, a.Interval); err != nil || !slices.Equal(other.Miners, a.Miners) {
		t.Errorf("named in another order they are %v (%v), not %v", other.Miners, err, a.Miners)
	}
	before := slices.Clone(a.Miners)
	tr := New(a)
	n.version[n.active[1]]++
	n.mine(30)
	n.feed(t, tr, 1, 30)
	if slices.Equal(tr.Anchor().Miners, before) || !slices.Equal(a.Miners, before) {
		t.Errorf("the anchor that the tracker began with is %v, was %v", a.Miners, before)
	}
}

// The number after the largest is none: such a header begins no run.
func TestAHeaderWithoutANumberIsRefused(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(1)
	h := n.headers[0]
	h.Previous = ledger.BlockID{0xff, 0xff, 0xff, 0xff}
	sign(&h, n.key(h.Miner))
	tr := New(n.anchor(t))
	if err := tr.Add(&h, n.now()); !errors.Is(err, ErrUnlinked) || tr.Tip().ID != (ledger.BlockID{}) {
		t.Errorf("it is at block %d: %v", tr.Tip().Num(), err)
	}
}

// What lies before the anchor is proven by its links alone.
func TestBlocksBeforeTheAnchorAreProvenByLinks(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(30)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 30)
	again := New(tr.Anchor())
	again.Restart()
	n.feed(t, again, 5, 27)
	if again.Proven(5) {
		t.Error("block 5 is proven before the anchor was reached")
	}
	n.feed(t, again, 28, 28)
	if !again.Proven(5) || again.Proven(4) || again.Proven(29) {
		t.Error("5 to 28 are linked to the anchor, and only those")
	}
}

// A new key counts once the others have built on it.
func TestKeysChangeByWhatIsProven(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(20)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 20)
	for change := range 6 {
		n.version[n.active[change%4]]++
		n.mine(9)
		n.feed(t, tr, tr.Tip().Num()+1, n.head())
	}
	if got := tr.Irreversible().Num(); got != n.final {
		t.Errorf("block %d is proven, want %d", got, n.final)
	}
	want := n.anchor(t)
	for i, m := range tr.Anchor().Miners {
		if m != want.Miners[i] {
			t.Errorf("miner %s has the key %s, want %s", m.ID, m.Key, want.Miners[i].Key)
		}
	}
}

// A miner that left loses its name; one that is only down keeps it.
func TestMinersThatLeftAreNotWaitedFor(t *testing.T) {
	n := newNetwork(7, inOrder)
	tr := New(n.anchor(t))
	follow := func(blocks int) {
		from := n.head() + 1
		n.mine(blocks)
		n.feed(t, tr, from, n.head())
	}
	follow(30)
	n.down[2] = true
	follow(200)
	if a := tr.Anchor(); a.minerCount() != 7 || len(a.Miners) != 7 {
		t.Fatalf("with one down, %d miners and %d unnamed are counted", len(a.Miners), a.Unnamed)
	}
	n.retire(5)
	follow(200)
	if a := tr.Anchor(); len(a.Miners) != 5 || a.Unnamed != 1 {
		t.Fatalf("with one down and one gone, %d miners and %d unnamed are counted", len(a.Miners), a.Unnamed)
	}
	if tr.Irreversible().Num() != n.final {
		t.Errorf("block %d is proven, want %d", tr.Irreversible().Num(), n.final)
	}
	n.down[2] = false
	n.elect()
	follow(300)
	if a := tr.Anchor(); len(a.Miners) != 7 || a.Unnamed != 0 || tr.Irreversible().Num() != n.final {
		t.Errorf("in the end %d miners and %d unnamed are counted, %d is proven of %d", len(a.Miners), a.Unnamed, tr.Irreversible().Num(), n.final)
	}
}

// Only a pinned miner's own signature is one of the miners'.
func TestASignatureBelongsToItsMiner(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(1)
	a, h := n.anchor(t), n.headers[0]
	if !a.Signed(&h) {
		t.Error("a miner's signature is not one")
	}
	sign(&h, minerKey(77, 0))
	if a.Signed(&h) {
		t.Error("a stranger's signature is a miner's")
	}
	h.Miner = h.Miner%4 + 1
	if sign(&h, n.key(n.headers[0].Miner)); a.Signed(&h) {
		t.Error("a miner's signature is another's")
	}
}

// An anchor by which nothing could be judged is none.
func TestAnAnchorNeedsItsMinersAndSlots(t *testing.T) {
	n := newNetwork(3, inOrder)
	a := n.anchor(t)
	for name, miners := range map[string][]Miner{"no miners": nil, "a miner twice": append(slices.Clone(a.Miners), a.Miners[1]),
		"a key that cannot sign": {{ID: 1}}} {
		if _, err := Pin(a.Chain, miners, a.Interval); err == nil {
			t.Errorf("%s: it is pinned", name)
		}
	}
	if _, err := Pin(a.Chain, a.Miners, 0); err == nil {
		t.Error("it is pinned without the seconds of a slot")
	}
}
