package sandbox

import (
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
)

// openedLedger is a ledger and its origin.
type openedLedger struct {
	chain *chain.Chain
	demo  bool
	state *stateFile // nil if nothing is kept
	cut   int64      // bytes cut off the state file
}

// openLedger opens the ledger: from the state file if that is not empty, otherwise
// from the genesis, or else the demo.
func openLedger(o Options, c *clock) (openedLedger, error) {
	if o.State == "" {
		l, _, err := createLedger(o, c)
		return l, err
	}
	file, err := openState(o.State)
	if err != nil {
		return openedLedger{}, err
	}
	l, err := loadOrCreate(file, o, c)
	if err != nil {
		return openedLedger{}, errors.Join(fmt.Errorf("%s: %w", o.State, err), file.close())
	}
	l.state = file
	l.chain.SetLog(file)
	return l, nil
}

// createLedger creates a new ledger. It also returns the genesis record for a state file.
func createLedger(o Options, c *clock) (l openedLedger, start stateGenesis, err error) {
	g := o.Genesis
	if l.demo = g == nil; l.demo {
		if g, err = DemoGenesis(c.now()); err == nil {
			l.chain, err = demoChain(g, c.now())
		}
	} else {
		l.chain, err = chain.New(g, o.MinerKeys...)
	}
	if err != nil {
		return openedLedger{}, stateGenesis{}, err
	}
	for _, b := range o.Blocks {
		if err := l.chain.Replay(b); err != nil {
			return openedLedger{}, stateGenesis{}, fmt.Errorf(
				"the given blocks cannot be replayed: %w; give their genesis and keys too", err)
		}
	}
	return l, stateGenesis{Text: g.Text(), Demo: l.demo}, nil
}

// loadOrCreate loads the ledger in the file, or creates a new one in a new file.
func loadOrCreate(file *stateFile, o Options, c *clock) (openedLedger, error) {
	stored, err := file.read()
	if err != nil {
		return openedLedger{}, err
	}
	if stored == nil {
		return createIn(file, o, c)
	}
	l, err := loadLedger(stored, o)
	if err != nil {
		return openedLedger{}, err
	}
	l.chain.View(func(st *state.State) { c.advanceTo(st.HeadTime()) })
	return l, nil
}

// createIn creates a new ledger and writes its blocks so far to the file.
func createIn(file *stateFile, o Options, c *clock) (openedLedger, error) {
	l, start, err := createLedger(o, c)
	if err != nil {
		return openedLedger{}, err
	}
	return l, file.create(start, blocksOf(l.chain))
}

// blocksOf lists the blocks of a chain, oldest first.
func blocksOf(c *chain.Chain) (blocks []*ledger.Block) {
	c.View(func(st *state.State) {
		for num := uint32(1); st.Blocks.Get(num) != nil; num++ {
			blocks = append(blocks, st.Blocks.Get(num))
		}
	})
	return blocks
}

// loadLedger restores the ledger of a state file.
func loadLedger(stored *storedChain, o Options) (openedLedger, error) {
	g, err := ReadGenesis(stored.genesis.Text)
	if err != nil {
		return openedLedger{}, err
	}
	if o.Genesis != nil && o.Genesis.ChainID() != g.ChainID() {
		return openedLedger{}, fmt.Errorf(
			"the file holds the chain %s, not %s of the genesis given; choose another file, or leave the genesis out",
			g.ChainID(),
			o.Genesis.ChainID())
	}
	keys := o.MinerKeys
	if stored.genesis.Demo {
		keys = demoMinerKeys()
	}
	c, err := chain.New(g, keys...)
	if err != nil {
		return openedLedger{}, err
	}
	return openedLedger{chain: c, demo: stored.genesis.Demo, cut: stored.cut}, stored.replay(c)
}
