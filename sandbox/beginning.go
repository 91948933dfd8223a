package sandbox

import (
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
)

// begin makes the ledger: from the state file if there is one with something
// in it, else from the genesis, else the demo.
func (s *Sandbox) begin(o Options) (err error) {
	if o.State == "" {
		_, err = s.beginAnew(o)
		return err
	}
	if s.state, err = openState(o.State); err != nil {
		return err
	}
	if err := s.beginFromState(o); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", o.State, err), s.state.close())
	}
	s.chain.KeepIn(s.state)
	return nil
}

// beginAnew also gives what a state file has to say of the beginning.
func (s *Sandbox) beginAnew(o Options) (stateGenesis, error) {
	g := o.Genesis
	var err error
	if s.demo = g == nil; s.demo {
		if g, err = DemoGenesis(s.clock.now()); err == nil {
			s.chain, err = demoChain(g, s.clock.now())
		}
	} else {
		s.chain, err = chain.New(g, o.MinerKeys...)
	}
	if err != nil {
		return stateGenesis{}, err
	}
	return stateGenesis{Text: g.Text(), Demo: s.demo}, nil
}

func (s *Sandbox) beginFromState(o Options) error {
	kept, err := s.state.read()
	if err != nil {
		return err
	}
	if kept == nil {
		return s.beginState(o)
	}
	g, err := ReadGenesis(kept.genesis.Text)
	if err != nil {
		return err
	}
	if o.Genesis != nil && o.Genesis.ChainID() != g.ChainID() {
		return fmt.Errorf("the file holds the chain %s, not %s of the genesis given; choose another file, or leave the genesis out", g.ChainID(), o.Genesis.ChainID())
	}
	keys := o.MinerKeys
	if s.demo = kept.genesis.Demo; s.demo {
		keys = demoMinerKeys()
	}
	if s.chain, err = chain.New(g, keys...); err != nil {
		return err
	}
	s.cut = kept.cut
	if err := kept.replay(s.chain); err != nil {
		return err
	}
	s.chain.View(func(st *state.State) { s.clock.notBefore(st.HeadTime()) })
	return nil
}

// beginState writes a new file, with the blocks that exist already.
func (s *Sandbox) beginState(o Options) error {
	g, err := s.beginAnew(o)
	if err != nil {
		return err
	}
	var blocks []*ledger.Block
	s.chain.View(func(st *state.State) {
		for num := uint32(1); st.Blocks.Get(num) != nil; num++ {
			blocks = append(blocks, st.Blocks.Get(num))
		}
	})
	return s.state.begin(g, blocks)
}

// CutOff is how many bytes of the state file were the rest of a write that a
// crash tore, and were cut off. Nothing that anybody was told is lost by it.
func (s *Sandbox) CutOff() int64 { return s.cut }
