package finality

import (
	"context"
	"errors"
	"testing"

	"billfold/ledger"
)

// counting is a Source that counts what is asked for. It fails at one call.
type counting struct {
	*network
	read, calls, fails int
}

var errNoHeaders = errors.New("there are no headers")

func (c *counting) Headers(ctx context.Context, from, to uint32) ([]ledger.SignedBlockHeader, error) {
	if c.calls++; c.calls == c.fails {
		return nil, errNoHeaders
	}
	c.read += int(to-from) + 1
	return c.network.Headers(ctx, from, to)
}

// renew lets that many of the miners be replaced, one after another.
func (n *network) renew(times, blocks int) {
	for range times {
		n.retire(n.active[0])
		n.elect()
		n.version[n.active[1]]++
		n.mine(blocks)
	}
}

func TestCatchUpReadsLittleWhenTheMinersStayed(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(40)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 40)
	n.mine(1000)
	from := &counting{network: n}
	if err := tr.CatchUp(t.Context(), from, n.head(), n.now()); err != nil {
		t.Fatal(err)
	}
	if tr.Irreversible().Num() != n.final || tr.Tip().Num() != n.head() || from.read > 200 {
		t.Errorf("block %d is proven of %d, with %d headers", tr.Irreversible().Num(), n.final, from.read)
	}
}

// Every miner was replaced and every key changed meanwhile.
func TestCatchUpFindsEachChange(t *testing.T) {
	n := newNetwork(7, inOrder)
	n.mine(40)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 40)
	n.renew(5, 180)
	if err := tr.CatchUp(t.Context(), n, n.head(), n.now()); err != nil {
		t.Fatal(err)
	}
	if tr.Irreversible().Num() != n.final {
		t.Errorf("block %d is proven of %d", tr.Irreversible().Num(), n.final)
	}
	want := n.anchor(t)
	for _, m := range want.Miners {
		if a := tr.Anchor(); !a.isPinned(m.ID, m.Key) {
			t.Errorf("the key of the active miner %s is not known", m.ID)
		}
	}
}

// Whichever call fails, CatchUp says so, and goes on from what it had.
func TestCatchUpReportsWhatCannotBeRead(t *testing.T) {
	n := newNetwork(7, inOrder)
	n.mine(40)
	a := n.anchor(t)
	first := New(a)
	n.feed(t, first, 1, 40)
	n.renew(3, 180)
	for fails := 1; ; fails++ {
		from := &counting{network: n, fails: fails}
		tr := New(first.Anchor())
		err := tr.CatchUp(t.Context(), from, n.head(), n.now())
		if from.calls < fails {
			if fails < 4 || err != nil || tr.Irreversible().Num() != n.final {
				t.Errorf("after %d calls block %d is proven of %d: %v", from.calls, tr.Irreversible().Num(), n.final, err)
			}
			break
		}
		if !errors.Is(err, errNoHeaders) {
			t.Errorf("without an answer to call %d: %v", fails, err)
		}
		if err := tr.CatchUp(t.Context(), n, n.head(), n.now()); err != nil || tr.Irreversible().Num() != n.final {
			t.Errorf("afterwards block %d is proven of %d: %v", tr.Irreversible().Num(), n.final, err)
		}
	}
}

func TestCatchUpFromFirstSight(t *testing.T) {
	n := newNetwork(11, inOrder)
	n.mine(400)
	tr := New(n.anchor(t))
	if err := tr.CatchUp(t.Context(), n, 400, n.now()); err != nil || tr.Irreversible().Num() != n.final {
		t.Errorf("block %d is proven of %d: %v", tr.Irreversible().Num(), n.final, err)
	}
}

// All miners replaced at once, as no ledger does: only trust again helps.
func TestCatchUpSaysWhenTheMinersAreOthers(t *testing.T) {
	n := newNetwork(4, inOrder)
	n.mine(40)
	tr := New(n.anchor(t))
	n.feed(t, tr, 1, 40)
	for range 4 {
		n.retire(n.active[0])
		n.elect()
	}
	n.mine(600)
	if err := tr.CatchUp(t.Context(), n, n.head(), n.now()); !errors.Is(err, ErrTooFar) {
		t.Errorf("%v, want %v", err, ErrTooFar)
	}
	if tr.Irreversible().Num() > 44 {
		t.Errorf("block %d is proven by miners nobody knows", tr.Irreversible().Num())
	}
}
