package history

import (
	"context"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/finality"
	"billfold/walletcore/historyindex"
)

// TransactionIDs returns the ids of transactions by their positions. It computes them from the daemon's blocks, whose
// merkle root must fit. Transactions of a block that the daemon lacks, or that contradicts itself, are missing. Errors
// are those of the daemon.
func (r *Reader) TransactionIDs(
	ctx context.Context, places []historyindex.TrxPosition,
) (map[historyindex.TrxPosition]ledger.TransactionID, error) {
	out := make(map[historyindex.TrxPosition]ledger.TransactionID, len(places))
	wanted := map[uint32]bool{}
	for _, at := range places {
		if id, known := r.ids.Get(at); known {
			out[at] = id
		} else {
			wanted[at.Block] = true
		}
	}
	blocks := make([]uint32, 0, len(wanted))
	for num := range wanted {
		blocks = append(blocks, num)
	}
	_, _, irreversible := r.View.Chain.Position()
	var mu sync.Mutex
	err := queryAll(len(blocks), func(i int) error {
		ids, err := r.transactionIDsIn(ctx, blocks[i])
		mu.Lock()
		defer mu.Unlock()
		for n, id := range ids {
			at := historyindex.TrxPosition{Block: blocks[i], Trx: uint32(n)}
			out[at] = id
			if at.Block <= irreversible {
				r.ids.Add(at, id)
			}
		}
		return err
	})
	if err != nil {
		return nil, fault.Daemon("reading a block", err)
	}
	return out, nil
}

// transactionIDsIn returns the ids of the transactions in a block, in order; none if the daemon lacks the block or it
// contradicts itself.
func (r *Reader) transactionIDsIn(ctx context.Context, num uint32) ([]ledger.TransactionID, error) {
	raw, err := r.Daemon.GetBlock(ctx, num)
	if err != nil || isNull(raw) {
		return nil, err
	}
	var block ledger.Block
	if codec.Unmarshal(raw, &block) != nil {
		return nil, nil //nolint:nilerr // what cannot be read has no ids
	}
	if id, err := block.SignedBlockHeader.ID(); err != nil || id.Num() != num {
		return nil, nil //nolint:nilerr // as above
	}
	ids, err := finality.Transactions(&block.SignedBlock)
	if err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	return ids, nil
}
