package history

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/ledgerview"
)

const (
	mostFollowed = 100 // accounts that are updated with every block
	mostSearched = 20  // blocks between two turns that are searched for touched accounts
)

// due returns which accounts to update in this turn.
func (f *Filler) due(ctx context.Context, at ledger.DynamicGlobalProperties, all []ledgerview.AccountRef) []ledgerview.AccountRef {
	if len(all) <= mostFollowed {
		return all
	}
	t := &f.turns
	due := t.again
	for id, block := range t.settle {
		if block <= at.LastIrreversibleBlockNum {
			due = append(due, f.listedAmong(id)...)
			delete(t.settle, id)
		}
	}
	for num := max(t.seen, max(at.HeadBlockNumber, mostSearched)-mostSearched) + 1; num <= at.HeadBlockNumber; num++ {
		for _, own := range f.listedAmong(f.touched(ctx, num)...) {
			due = append(due, own)
			t.settle[own.ID] = at.HeadBlockNumber
		}
	}
	t.seen = at.HeadBlockNumber
	for range mostFollowed {
		due = append(due, all[t.next%len(all)])
		t.next = (t.next + 1) % len(all)
	}
	slices.SortFunc(due, func(a, b ledgerview.AccountRef) int { return int(int64(a.ID) - int64(b.ID)) })
	return slices.Compact(due)
}

// listedAmong returns those of ids that are on the wallet's list.
func (f *Filler) listedAmong(ids ...ledger.AccountID) (own []ledgerview.AccountRef) {
	for _, id := range ids {
		if a, listed := f.Vault.AccountOf(id.String()); listed {
			own = append(own, a)
		}
	}
	return own
}

// touched returns the accounts whose history has operations of a block; none if the block cannot be read.
func (f *Filler) touched(ctx context.Context, num uint32) (ids []ledger.AccountID) {
	raw, err := f.Daemon.GetBlock(ctx, num)
	var block ledger.Block
	if err != nil || isNull(raw) || codec.Unmarshal(raw, &block) != nil {
		return nil // the rotation reaches them later
	}
	for _, tx := range block.Transactions {
		for i, op := range tx.Operations {
			var result ledger.OperationResult
			if i < len(tx.OperationResults) {
				result = tx.OperationResults[i]
			}
			ids = append(ids, op.Touched(result)...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
