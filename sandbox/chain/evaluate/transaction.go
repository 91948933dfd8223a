package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Apply checks and applies a transaction. If it fails, the state is unchanged. The
// checks are in the node's order (docs/protocol/daemon-api.md 6).
func (e *Engine) Apply(p *Prepared) (*ledger.ProcessedTransaction, *nodeerr.Error) {
	if fault := e.checkTransaction(p); fault != nil {
		return nil, fault
	}
	mark := e.Mark()
	e.applied = e.applied[:0]
	done := &ledger.ProcessedTransaction{
		SignedTransaction: *p.Tx, OperationResults: make([]ledger.OperationResult, 0, len(p.Tx.Operations)),
	}
	for i, op := range p.Tx.Operations {
		e.opInTrx = i
		result, fault := e.applyOperation(op)
		if fault != nil {
			e.Rewind(mark)
			return nil, fault.In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
		}
		done.OperationResults = append(done.OperationResults, result)
	}
	if fault := e.checkTempAccount(); fault != nil {
		e.Rewind(mark)
		return nil, fault.In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
	}
	return done, nil
}

// checkTempAccount returns a fault if the temp account, for which everybody can
// act, holds anything.
func (e *Engine) checkTempAccount() *nodeerr.Error {
	for _, b := range e.Balances.OfAccount(ledger.TempAccount) {
		if b.Balance != 0 {
			return nodeerr.Assert("_apply_transaction", "b.balance == 0: ${a} may hold nothing between transactions",
				nodeerr.Data{"a": b.Owner})
		}
	}
	return nil
}

func (e *Engine) checkTransaction(p *Prepared) *nodeerr.Error {
	if p.fault != nil {
		return p.fault.Copy()
	}
	for _, check := range []func(*Prepared) *nodeerr.Error{
		e.checkSize, e.checkDuplicate, e.checkAuthority, e.checkReference, e.checkExpiration,
	} {
		if fault := check(p); fault != nil {
			return fault.Copy().In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
		}
	}
	return nil
}

func (e *Engine) checkAuthority(p *Prepared) *nodeerr.Error {
	if p.Trusted {
		return nil
	}
	return VerifyAuthority(e.State, p)
}

func (e *Engine) checkSize(p *Prepared) *nodeerr.Error {
	limit := e.Parameters().MaximumTransactionSize
	if uint64(p.size) <= uint64(limit) {
		return nil
	}
	return nodeerr.Assert("_apply_transaction",
		"fc::raw::pack_size(trx) < maximum_transaction_size: Transaction size is too big: ${size} bytes, ${limit} are allowed",
		nodeerr.Data{"size": p.size, "limit": limit})
}

// checkDuplicate returns a fault if the id is pending, or is remembered from a block.
func (e *Engine) checkDuplicate(p *Prepared) *nodeerr.Error {
	if p.Replayed || !e.Blocks.IsPending(p.ID) && !e.Blocks.Remembers(p.ID, e.HeadTime()) {
		return nil
	}
	return nodeerr.Assert("_apply_transaction", "(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id) == trx_idx.end(): ", nil)
}

// checkReference returns a fault unless the reference block is among the last 65536
// of this chain.
func (e *Engine) checkReference(p *Prepared) *nodeerr.Error {
	id, ok := e.Blocks.Recent(p.Tx.RefBlockNum)
	if _, prefix := ledger.BlockRef(id); ok && prefix == p.Tx.RefBlockPrefix {
		return nil
	}
	return nodeerr.Assert("_apply_transaction",
		"trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]: the reference block ${num} is not one of this chain",
		nodeerr.Data{"num": p.Tx.RefBlockNum})
}

func (e *Engine) checkExpiration(p *Prepared) *nodeerr.Error {
	now, until := e.HeadTime(), p.Tx.Expiration
	limit := e.Parameters().MaximumTimeUntilExpiration
	data := nodeerr.Data{"now": now, "trx.exp": until, "max_til_exp": limit}
	if int64(until) > int64(now)+int64(limit) {
		return nodeerr.Assert("_apply_transaction",
			"trx.expiration <= now + chain_parameters.maximum_time_until_expiration: the expiration ${trx.exp} is too far from ${now}",
			data)
	}
	if now > until {
		return nodeerr.Assert("_apply_transaction", "now <= trx.expiration: the transaction expired at ${trx.exp}, now it is ${now}", data)
	}
	return nil
}
