package finality

import (
	"context"
	"errors"
	"slices"
	"testing"

	"billfold/ledger"

	"pgregory.net/rapid"
)

// live lets the network make blocks while miners go down and come back, change
// their keys, and leave; with elect some are new.
func (n *network) live(r *rapid.T, steps int, elect bool) {
	someone := func() ledger.MinerID { return rapid.SampledFrom(n.active).Draw(r, "miner") }
	for range steps {
		switch rapid.IntRange(0, 12).Draw(r, "what") {
		case 0:
			if len(n.down) < len(n.active)/4 {
				n.down[someone()] = true
			}
		case 1:
			clear(n.down)
		case 2:
			n.version[someone()]++
		case 3:
			if len(n.active) > 4 {
				n.retire(someone())
			}
		case 4:
			if elect {
				n.elect()
			}
		}
		if len(n.down) >= len(n.active) {
			clear(n.down)
		}
		n.mine(rapid.IntRange(1, 9).Draw(r, "blocks"))
	}
}

// Nothing is proven before it is irreversible by the rule over the miners that
// are active, or were until a maintenance at most two rounds ago. Newly elected ones that
// have signed nothing yet nobody can know of.
func TestNothingIsProvenBeforeTheRule(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := newNetwork(rapid.IntRange(1, 7).Draw(r, "miners"), shuffled(r))
		tr := New(n.anchor(t))
		for range 8 {
			from := n.head() + 1
			n.mine(1)
			n.live(r, 1, false)
			n.feed(t, tr, from, n.head())
			if got := tr.Irreversible(); got.Num() > n.before || got.Num() > 0 && got.ID != n.ids[got.Num()-1] {
				r.Fatalf("at head %d block %d is proven, %d is irreversible", n.head(), got.Num(), n.before)
			}
		}
	})
}

// liar feeds a tracker with true headers, and with headers that it makes of its
// own keys, invented ones and those of some miners.
type liar struct {
	*network
	r     *rapid.T
	tr    *Tracker
	has   []ledger.MinerID // whose keys it has, fewer than the rule asks for
	added []ledger.BlockID // the tracker's linked run
	first uint32
}

func (l *liar) add(h *ledger.SignedBlockHeader) bool {
	if l.tr.Add(h, h.Timestamp) != nil {
		return false
	}
	id, _ := h.ID()
	if len(l.added) == 0 {
		l.first = id.Num()
	}
	l.added = append(l.added, id)
	return true
}

// truth continues with the honest chain if the tip is on it.
func (l *liar) truth() {
	next := l.tr.Tip().Num()
	for range rapid.IntRange(1, 15).Draw(l.r, "true blocks") {
		if next >= l.head() || !l.add(&l.headers[next]) {
			return
		}
		next++
	}
}

// lie continues with blocks that no ledger has.
func (l *liar) lie() {
	for range rapid.IntRange(1, 8).Draw(l.r, "lies") {
		tip := l.tr.Tip()
		h := ledger.SignedBlockHeader{}
		h.Previous, h.Timestamp = tip.ID, tip.Time+ledger.Time(rapid.IntRange(1, 30).Draw(l.r, "later"))
		h.Miner = rapid.SampledFrom(append(slices.Clone(l.active), 77)).Draw(l.r, "stolen")
		key := minerKey(77, rapid.IntRange(0, 2).Draw(l.r, "invented"))
		if len(l.has) > 0 && rapid.Bool().Draw(l.r, "real") {
			h.Miner = rapid.SampledFrom(l.has).Draw(l.r, "own")
			key = l.key(h.Miner)
		}
		sign(&h, key)
		l.add(&h)
	}
}

func (l *liar) back() {
	num := l.tr.Tip().Num() - min(l.tr.Tip().Num(), rapid.Uint32Range(0, 20).Draw(l.r, "back"))
	if len(l.added) > 0 && l.tr.Rewind(num) == nil {
		l.added = l.added[:max(min(int(num)-int(l.first), len(l.added)), 0)]
	}
}

// restart begins anywhere, with a true header or with an invented one.
func (l *liar) restart() {
	l.tr.Restart()
	l.added = nil
	at := rapid.Uint32Range(1, l.head()).Draw(l.r, "at")
	if rapid.Bool().Draw(l.r, "true") {
		l.add(&l.headers[at-1])
		return
	}
	h := ledger.SignedBlockHeader{}
	h.Previous, h.Timestamp, h.Miner = l.ids[at-1], l.now(), 1
	h.Previous[19] ^= 1
	sign(&h, minerKey(77, 0))
	l.add(&h)
}

// check compares everything that is proven with the honest chain.
func (l *liar) check() {
	if p := l.tr.Irreversible(); p.Num() > l.head() || p.Num() > 0 && p.ID != l.ids[p.Num()-1] {
		l.r.Fatalf("block %d %s is proven and not on the chain", p.Num(), p.ID)
	}
	for i, id := range l.added {
		if num := l.first + uint32(i); l.tr.Proven(num) && (num > l.head() || id != l.ids[num-1]) {
			l.r.Fatalf("block %d %s is proven and not on the chain", num, id)
		}
	}
	for _, m := range l.tr.Anchor().Miners {
		known := false
		for v := range l.version[m.ID] + 1 {
			known = known || m.Key == minerKey(m.ID, v).Public()
		}
		if !known || m.ID >= l.nextMiner {
			l.r.Fatalf("the key %s of miner %s was never one of the ledger", m.Key, m.ID)
		}
	}
}

func TestLiarsProveNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := newNetwork(rapid.IntRange(1, 9).Draw(r, "miners"), shuffled(r))
		l := &liar{network: n, r: r, tr: New(n.anchor(t))}
		// One key less than the rule asks for, of miners that stay what they are.
		need := len(n.active) - len(n.active)*3/10
		l.has = slices.Clone(n.active[:rapid.IntRange(0, need-1).Draw(r, "keys")])
		n.mine(rapid.IntRange(1, 40).Draw(r, "blocks"))
		for range 10 {
			switch rapid.IntRange(0, 6).Draw(r, "move") {
			case 0, 1, 2:
				l.truth()
			case 3, 4:
				l.lie()
			case 5:
				l.back()
			case 6:
				l.restart()
			}
			l.check()
		}
	})
}

// The same while miners come, go and change their keys: three in ten of those
// that are pinned lie.
func TestLiarsProveNothingWhileMinersChange(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := newNetwork(rapid.IntRange(4, 8).Draw(r, "miners"), shuffled(r))
		l := &liar{network: n, r: r, tr: New(n.anchor(t))}
		l.has = []ledger.MinerID{1}
		for range 5 {
			n.live(r, 2, true)
			l.truth()
			l.truth()
			l.check()
			l.lie()
			l.check()
			l.back()
			l.truth()
			l.check()
		}
	})
}

// lyingSource answers with what is true, or with something else.
type lyingSource struct {
	*network
	r *rapid.T
}

func (l lyingSource) Headers(ctx context.Context, from, to uint32) ([]ledger.SignedBlockHeader, error) {
	list, err := l.network.Headers(ctx, from, to)
	list = slices.Clone(list)
	at := rapid.IntRange(0, len(list)-1).Draw(l.r, "at")
	switch rapid.IntRange(0, 7).Draw(l.r, "lie") {
	case 0: // other blocks from there on
		l.invent(list, at)
	case 1: // fewer
		list = list[:at]
	case 2: // those before
		list, err = l.network.Headers(ctx, max(from, 2)-1, max(to, 2)-1)
	case 3: // one is missing
		list = slices.Delete(list, at, at+1)
	case 4:
		err = errors.New("the line broke")
	}
	return list, err
}

// invent puts linked headers that the miner 77 signed in place of those from at on.
func (l lyingSource) invent(list []ledger.SignedBlockHeader, at int) {
	for i := at; i < len(list); i++ {
		if i > 0 {
			list[i].Previous, _ = list[i-1].ID()
		}
		list[i].Timestamp++
		sign(&list[i], minerKey(77, 0))
	}
}

func TestLiarsProveNothingByCatchingUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := newNetwork(rapid.IntRange(1, 3).Draw(r, "miners"), shuffled(r))
		l := &liar{network: n, r: r, tr: New(n.anchor(t))}
		for range 4 {
			n.mine(rapid.IntRange(1, 80).Draw(r, "blocks"))
			_ = l.tr.CatchUp(t.Context(), lyingSource{n, r}, n.head(), n.now()+60)
			l.check()
		}
		if err := l.tr.CatchUp(t.Context(), n, n.head(), n.now()); err != nil || l.tr.Irreversible().Num() != n.final {
			r.Fatalf("block %d is proven in the end, %d is irreversible: %v", l.tr.Irreversible().Num(), n.final, err)
		}
	})
}
