package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
	"errors"
	"fmt"
)

// opened is a ledger with where it came from.
type opened struct {
	chain *chain.Chain
	demo  bool
	state *stateFile // nil when nothing is kept
	cut   int64      // bytes cut off the state file
}

// openLedger makes the ledger: from the state file if there is one with something
// in it, else from the genesis, else the demo.
func openLedger(o Options, c *clock) (opened, error) {
	if o.State == "" {
		l, _, err := createLedger(o, c)
		return l, err
	}
	file, err := openState(o.State)
	if err != nil {
		return opened{}, err
	}
	l, err := openFrom(file, o, c)
	if err != nil {
		return opened{}, errors.Join(fmt.Errorf("%s: %w", o.State, err), file.close())
	}
	l.state = file
	l.chain.KeepIn(file)
	return l, nil
}

// createLedger makes a new ledger. It also returns what a state file says of its start.
func createLedger(o Options, c *clock) (l opened, start stateGenesis, err error) {
	g := o.Genesis
	if l.demo = g == nil; l.demo {
		if g, err = DemoGenesis(c.now()); err == nil {
			l.chain, err = demoChain(g, c.now())
		}
	} else {
		l.chain, err = chain.New(g, o.MinerKeys...)
	}
	if err != nil {
		return opened{}, stateGenesis{}, err
	}
	for _, b := range o.Blocks {
		if err := l.chain.Replay(b); err != nil {
			return opened{}, stateGenesis{}, fmt.Errorf("the blocks given do not come out again: %w; give their genesis and keys too", err)
		}
	}
	return l, stateGenesis{Text: g.Text(), Demo: l.demo}, nil
}

// openFrom makes the ledger that the file holds, or a new one in a new file.
func openFrom(file *stateFile, o Options, c *clock) (opened, error) {
	kept, err := file.read()
	if err != nil {
		return opened{}, err
	}
	if kept == nil {
		return createIn(file, o, c)
	}
	l, err := loadLedger(kept, o)
	if err != nil {
		return opened{}, err
	}
	l.chain.View(func(st *state.State) { c.notBefore(st.HeadTime()) })
	return l, nil
}

// createIn writes a new file, with the blocks that exist already.
func createIn(file *stateFile, o Options, c *clock) (opened, error) {
	l, start, err := createLedger(o, c)
	if err != nil {
		return opened{}, err
	}
	return l, file.create(start, blocksOf(l.chain))
}

// blocksOf lists the blocks of a chain, the first one first.
func blocksOf(c *chain.Chain) (blocks []*ledger.Block) {
	c.View(func(st *state.State) {
		for num := uint32(1); st.Blocks.Get(num) != nil; num++ {
			blocks = append(blocks, st.Blocks.Get(num))
		}
	})
	return blocks
}

// loadLedger makes the ledger of a state file again.
func loadLedger(kept *stored, o Options) (opened, error) {
	g, err := ReadGenesis(kept.genesis.Text)
	if err != nil {
		return opened{}, err
	}
	if o.Genesis != nil && o.Genesis.ChainID() != g.ChainID() {
		return opened{}, fmt.Errorf(
			"the file holds the chain %s, not %s of the genesis given; choose another file, or leave the genesis out",
			g.ChainID(),
			o.Genesis.ChainID())
	}
	keys := o.MinerKeys
	if kept.genesis.Demo {
		keys = demoMinerKeys()
	}
	c, err := chain.New(g, keys...)
	if err != nil {
		return opened{}, err
	}
	return opened{chain: c, demo: kept.genesis.Demo, cut: kept.cut}, kept.replay(c)
}
