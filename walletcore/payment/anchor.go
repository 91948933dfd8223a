package payment

import (
	"context"
	"fmt"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/finality"

	"golang.org/x/sync/errgroup"
)

// ensureAnchor sets the anchor if there is none for this chain: from the store or, when the chain is seen for the first
// time, from what the daemon says about the miners.
func (f *follower) ensureAnchor(ctx context.Context) error {
	chain := f.chain()
	if len(f.anchor.Miners) > 0 && f.anchor.Chain == chain {
		return nil
	}
	if kept, err := f.savedAnchor(ctx, chain); err != nil || len(kept.Miners) > 0 {
		f.setAnchor(kept)
		return err
	}
	pinned, err := f.pinMiners(ctx, chain)
	if err != nil {
		return err
	}
	f.p.Logger.Info("payments: the miners that the daemon names are trusted", "miners", len(pinned.Miners), "daemon", f.daemon.URL)
	f.setAnchor(pinned)
	return nil
}

func (f *follower) setAnchor(a finality.Anchor) {
	f.anchor, f.savedBlock = a, a.Block.Num()
	f.publishProven()
}

// publishProven lets others know what is proven.
func (f *follower) publishProven() {
	f.p.View.Chain.Prove(f.anchor.Block.ID)
	f.p.setAnchor(f.anchor)
}

func (f *follower) savedAnchor(ctx context.Context, chain ledger.ChainID) (a finality.Anchor, err error) {
	if f.p.Anchors == nil {
		return a, nil
	}
	kept, err := f.p.Anchors.Anchor(ctx, chain)
	if kept == nil || err != nil {
		return a, err
	}
	return *kept, nil
}

// pinMiners asks for the active miners and their keys: the daemon in use or, with --daemon-quorum, several, which have to agree.
func (f *follower) pinMiners(ctx context.Context, chain ledger.ChainID) (finality.Anchor, error) {
	ask := func(ctx context.Context, q daemonclient.Queries) (finality.Anchor, error) {
		return queryMiners(ctx, q, chain)
	}
	if f.p.Daemon.Quorum() <= 1 {
		return ask(ctx, f.daemon.Queries)
	}
	return daemonclient.AskQuorum(ctx, f.p.Daemon, "the active miners", ask, func(a finality.Anchor) string {
		return fmt.Sprint(a.Miners)
	})
}

func queryMiners(ctx context.Context, q daemonclient.Queries, chain ledger.ChainID) (finality.Anchor, error) {
	props, err := q.GlobalProperties(ctx)
	if err != nil {
		return finality.Anchor{}, err
	}
	ids := make([]ledger.ObjectID, len(props.ActiveMiners))
	for i, id := range props.ActiveMiners {
		ids[i] = id.Object()
	}
	rows, err := q.GetObjects(ctx, ids)
	if err != nil {
		return finality.Anchor{}, err
	}
	miners := make([]finality.Miner, 0, len(rows))
	for _, row := range rows {
		var m struct {
			ID         ledger.MinerID   `json:"id"`
			SigningKey ledger.PublicKey `json:"signing_key"`
		}
		if err := codec.Unmarshal(row, &m); err != nil {
			return finality.Anchor{}, err
		}
		miners = append(miners, finality.Miner{ID: m.ID, Key: m.SigningKey})
	}
	return finality.Pin(chain, miners, props.Parameters.BlockInterval)
}

// saveEvery is the number of blocks that the anchor may advance before it is saved again; up to that many are read twice after a crash.
const saveEvery = 32

const anchorPatience = 5 * time.Second

// saveAnchor saves the anchor if it has advanced by at least the given number of blocks. The next start compares the journal
// with the ledger from the block on that was saved, so none is saved that this start has not compared.
func (f *follower) saveAnchor(ctx context.Context, blocks uint32) {
	at := f.anchor.Block.Num()
	if f.p.Anchors == nil || at < f.savedBlock+blocks || f.p.storeFault() != nil || !f.p.compare.isDone() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, anchorPatience) // payments must not wait for a store that does not answer
	defer cancel()
	anchor := f.anchor
	anchor.Head = f.headTime
	if err := f.p.Anchors.SaveAnchor(ctx, anchor); err != nil {
		f.p.Logger.Error("payments: what the miners' signatures prove was not saved", "error", err)
		return
	}
	f.savedBlock = at
}

// farBehind is the distance from the head, in blocks, within which the follower reads every block when no payment is open.
// From further back it reads only those that show who signs.
const farBehind = 400

// keepUp follows the chain while no payment is open, so that the last proven block is known.
func (f *follower) keepUp(ctx context.Context, dyn *ledger.DynamicGlobalProperties) error {
	head := dyn.HeadBlockNumber
	if f.first > 0 && head < f.next+farBehind {
		return nil
	}
	if at := f.anchor.Block.Num(); head < at+farBehind {
		f.startAt(at + 1)
		return nil
	}
	t := finality.New(f.anchor)
	err := t.CatchUp(ctx, f, head, f.p.LatestBlock())
	f.anchor = t.Anchor()
	f.publishProven()
	if err != nil {
		return err
	}
	if at := f.anchor.Block.Num(); at > 0 {
		f.startAt(at + 1)
	} else {
		f.startAt(max(1, head-min(head, farBehind)))
	}
	return nil
}

// Headers reads headers for finality.Tracker.CatchUp.
func (f *follower) Headers(ctx context.Context, from, to uint32) ([]ledger.SignedBlockHeader, error) {
	list := make([]ledger.SignedBlockHeader, to-from+1)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readAtOnce)
	for i := range list {
		g.Go(func() error {
			block, err := f.block(ctx, from+uint32(i))
			if err == nil {
				list[i] = block.SignedBlockHeader
			}
			return err
		})
	}
	return list, g.Wait()
}
