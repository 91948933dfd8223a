package deposit

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/finality"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"

	"golang.org/x/sync/errgroup"
)

// Prove compares rows of an account's history, oldest first, with the blocks that they name. Each block must be
// irreversible by the miners' signatures and hold exactly that transfer with that memo. Prove returns how many rows,
// from the first on, were judged, and sets their Proof.
//
// The result of a proposal is in no block. It gets history.ProofDaemons if its place in the block is one where a
// proposal may have been carried out and a quorum of daemons agrees on it; otherwise history.ProofWithheld: such a row
// is not to be relied on, nor to be waited for. With --daemon-quorum, several daemons must agree on the block as well.
//
// Prove returns an error if the first row cannot be judged: fault.DaemonContradicts if its block holds something else,
// in which case the account's index is rebuilt; or the daemon's.
func (p *Prover) Prove(ctx context.Context, account ledger.AccountID, rows []history.Entry) (int, error) {
	for i := range rows {
		err := p.proveRow(ctx, account, &rows[i])
		switch {
		case err == nil:
			continue
		case errors.Is(err, ledgerview.ErrUnproven) || i > 0:
			return i, nil
		}
		return 0, err
	}
	return len(rows), nil
}

func (p *Prover) proveRow(ctx context.Context, account ledger.AccountID, row *history.Entry) error {
	block, err := p.block(ctx, row.Block)
	if err != nil {
		return err
	}
	place := blockPlace{row.TrxInBlock, row.OpInTrx}
	proposed := block.mayBeProposal(place)
	found, ok := block.at[place]
	if !proposed && (!ok || row.VirtualOp != 0 || !p.sameTransfer(account, row, found)) {
		return p.contradictedRow(ctx, account, row)
	}
	if err := p.View.Quorum.Block(ctx, row.Block, block.id); err != nil {
		return err
	}
	if proposed {
		return p.proveProposed(ctx, account, row)
	}
	row.Proof, row.Transaction = history.ProofSignatures, &found.transaction
	return nil
}

// block returns the transfers of a block. Errors: ledgerview.ErrUnproven, and the daemon's.
func (p *Prover) block(ctx context.Context, num uint32) (blockTransfers, error) {
	if block, known := p.proofs.find(num); known {
		return block, nil
	}
	return p.proveBlocks(ctx, num)
}

// Paid reports whether the block of a row shows, by the miners' signatures, that an account paid what the row says. It
// reports false for the result of a proposal, which is in no block, and for what cannot be read now.
func (p *Prover) Paid(ctx context.Context, from ledger.AccountID, row history.Entry) bool {
	block, err := p.block(ctx, row.Block)
	if err != nil {
		p.Logger.Debug("deposits: an earlier payment cannot be proven", "block", row.Block, "error", err)
		return false
	}
	found, ok := block.at[blockPlace{row.TrxInBlock, row.OpInTrx}]
	if !ok || row.VirtualOp != 0 || found.From != from || found.To != row.To.ID.Object() ||
		found.Amount != (ledger.AssetAmount{Amount: row.Amount, AssetID: row.Asset.ID}) {
		return false
	}
	return p.View.Quorum.Block(ctx, row.Block, block.id) == nil
}

// Update returns what a row of an account's history says that changed the account: the transaction, and its operation, as the block has them
// that the miners' signatures prove. What a proposal did is in no block: it is as the daemons say, and the row is returned instead of a
// transaction. Errors: ledgerview.ErrUnproven, fault.DaemonContradicts, the daemon's.
func (p *Prover) Update(ctx context.Context, account ledger.AccountID, row history.Entry) (string, *ledger.AccountUpdateOp, error) {
	block, err := p.block(ctx, row.Block)
	if err != nil {
		return "", nil, err
	}
	place := blockPlace{row.TrxInBlock, row.OpInTrx}
	if found, ok := block.updates[place]; ok && row.VirtualOp == 0 && found.op.Account == account {
		return found.transaction.String(), found.op, p.View.Quorum.Block(ctx, row.Block, block.id)
	}
	if block.mayBeProposal(place) {
		record, err := p.confirmedRecord(ctx, row.ID)
		if err != nil {
			return "", nil, fault.Daemon("asking for the result of a proposal", err)
		}
		if record != nil && record.BlockNum == row.Block {
			if op, ok := record.Op.Body.(*ledger.AccountUpdateOp); ok && op.Account == account {
				return row.ID.String(), op, nil
			}
		}
	}
	return "", nil, &fault.Error{Code: fault.DaemonContradicts, Op: "history",
		Message: fmt.Sprintf("the daemon at %s lists a change of account %s in block %d, but that block does not contain it",
			fault.Address(p.Daemon.Status().URL), account, row.Block),
		Hint: "use another daemon (--daemon-url)"}
}

func (p *Prover) contradictedRow(ctx context.Context, account ledger.AccountID, row *history.Entry) error {
	if p.Index != nil {
		if err := p.Index.Forget(ctx, account); err != nil {
			p.Logger.Warn("history index: an account cannot be forgotten", "error", err)
		}
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: "deposits",
		Message: fmt.Sprintf("the daemon at %s lists a transfer of %s to %s in block %d, but that block does not contain it",
			fault.Address(p.Daemon.Status().URL), row.Asset.Format(row.Amount), account, row.Block),
		Hint: "do not credit it; use another daemon (--daemon-url)"}
}

// proveBlocks reads block num and those after it until the signatures prove it, or until it is
// linked to the block that they last proved. It keeps what is proven and returns the transfers of block num. Errors: those of block.
func (p *Prover) proveBlocks(ctx context.Context, num uint32) (none blockTransfers, _ error) {
	anchor := p.Anchors.Anchor()
	last := anchor.Block
	if len(anchor.Miners) == 0 || num == 0 || num > last.Num() {
		return none, ledgerview.ErrUnproven
	}
	anchor.Block = finality.Point{} // an older block must be proven only by what comes after it
	t, read := finality.New(anchor), map[uint32]blockTransfers{}
	for next := num; next-num < maxLinked; {
		blocks, err := p.readBlocks(ctx, next)
		if err != nil {
			return none, err
		}
		for _, b := range blocks {
			if b == nil {
				return none, ledgerview.ErrUnproven
			}
			if err := t.Add(&b.SignedBlockHeader, p.Anchors.LatestBlock()); err != nil {
				return none, fault.Daemon("proving a deposit", err)
			}
			moved, err := transfersOf(&b.SignedBlock)
			if err != nil {
				return none, fault.Daemon("proving a deposit", err)
			}
			moved.id = t.Tip().ID
			read[next] = moved
			if t.Proven(num) || t.Tip() == last {
				p.proofs.keep(upTo(read, max(t.Irreversible().Num(), num)))
				return read[num], nil
			}
			next++
		}
	}
	return none, ledgerview.ErrUnproven
}

// upTo drops the blocks above num.
func upTo(blocks map[uint32]blockTransfers, num uint32) map[uint32]blockTransfers {
	maps.DeleteFunc(blocks, func(at uint32, _ blockTransfers) bool { return at > num })
	return blocks
}

// readBlocks reads linkedAtOnce blocks, starting with the number first; those that do not exist are nil.
func (p *Prover) readBlocks(ctx context.Context, first uint32) ([]*ledger.Block, error) {
	blocks := make([]*ledger.Block, linkedAtOnce)
	var g errgroup.Group
	for i := range blocks {
		g.Go(func() error {
			raw, err := p.Daemon.GetBlock(ctx, first+uint32(i))
			if err != nil || ledgerview.IsNull(raw) {
				return err
			}
			b := new(ledger.Block)
			if err := codec.Unmarshal(raw, b); err != nil {
				return err
			}
			if b.Previous.Num()+1 != first+uint32(i) {
				return fmt.Errorf("asked for block %d, got block %d", first+uint32(i), b.Previous.Num()+1)
			}
			blocks[i] = b
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fault.Daemon("proving a deposit", err)
	}
	return blocks, nil
}

// transfersOf returns the transfers in a block, and the approvals of proposals. The block's transactions must be those
// that the miner signed, and readable: one that cannot be read could hold anything.
func transfersOf(b *ledger.SignedBlock) (blockTransfers, error) {
	out := blockTransfers{
		at:           map[blockPlace]provenTransfer{},
		approvals:    map[blockPlace]bool{},
		updates:      map[blockPlace]provenUpdate{},
		transactions: uint32(len(b.Transactions)),
	}
	ids, err := finality.Transactions(b)
	if err != nil {
		return out, err
	}
	for i, tx := range b.Transactions {
		for j, op := range tx.Operations {
			place := blockPlace{uint32(i), uint32(j)}
			if m, ok := history.MovementOf(op.Body); ok {
				out.at[place] = provenTransfer{m, op.Memo(), ids[i]}
			}
			if _, ok := op.Body.(*ledger.ProposalUpdateOp); ok {
				out.approvals[place] = true
			}
			if update, ok := op.Body.(*ledger.AccountUpdateOp); ok {
				out.updates[place] = provenUpdate{ids[i], update}
			}
		}
	}
	return out, nil
}
