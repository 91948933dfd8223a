package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// applyTransaction checks and carries out a transaction; when it fails, the
// state is as before. The checks come in the node's order (daemon-api.md 6).
func (s *State) applyTransaction(p *Prepared) (*ledger.ProcessedTransaction, *nodeerr.Fault) {
	if fault := s.checkTransaction(p); fault != nil {
		return nil, fault
	}
	mark := s.j.mark()
	s.happened = s.happened[:0]
	done := &ledger.ProcessedTransaction{
		SignedTransaction: *p.Tx, OperationResults: make([]ledger.OperationResult, 0, len(p.Tx.Operations)),
	}
	for i, op := range p.Tx.Operations {
		s.opInTrx = i
		result, fault := s.applyOperation(op)
		if fault != nil {
			s.j.rewind(mark)
			return nil, fault.In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
		}
		done.OperationResults = append(done.OperationResults, result)
	}
	if fault := s.checkTempAccount(); fault != nil {
		s.j.rewind(mark)
		return nil, fault.In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
	}
	return done, nil
}

// checkTempAccount leaves nothing with the account that everybody can act for.
func (s *State) checkTempAccount() *nodeerr.Fault {
	for _, b := range s.Balances(ledger.TempAccount) {
		if b.Balance != 0 {
			return nodeerr.Assert("_apply_transaction", "b.balance == 0: ${a} may hold nothing between transactions", nodeerr.Data{"a": b.Owner})
		}
	}
	return nil
}

func (s *State) checkTransaction(p *Prepared) *nodeerr.Fault {
	if p.fault != nil {
		return p.fault.Copy()
	}
	for _, check := range []func(*Prepared) *nodeerr.Fault{
		s.checkSize, s.checkDuplicate, s.checkAuthority, s.checkReference, s.checkExpiration,
	} {
		if fault := check(p); fault != nil {
			return fault.Copy().In("_apply_transaction", "", nodeerr.Data{"trx": p.Tx})
		}
	}
	return nil
}

func (s *State) checkAuthority(p *Prepared) *nodeerr.Fault {
	if p.trusted {
		return nil
	}
	return s.VerifyAuthority(p)
}

func (s *State) checkSize(p *Prepared) *nodeerr.Fault {
	limit := s.global.Parameters.MaximumTransactionSize
	if uint64(p.size) <= uint64(limit) {
		return nil
	}
	return nodeerr.Assert("_apply_transaction", "fc::raw::pack_size(trx) < maximum_transaction_size: Transaction size is too big: ${size} bytes, ${limit} are allowed", nodeerr.Data{"size": p.size, "limit": limit})
}

// checkDuplicate refuses an id that is pending, or in a block that is remembered
// and not expired.
func (s *State) checkDuplicate(p *Prepared) *nodeerr.Fault {
	if _, pending := s.pendingIDs[p.ID]; !pending && !s.remembers(p.ID) || p.replayed {
		return nil
	}
	return nodeerr.Assert("_apply_transaction", "(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id) == trx_idx.end(): ", nil)
}

func (s *State) remembers(id ledger.TransactionID) bool {
	n, ok := s.byTx[id]
	if !ok || s.txs.get(n).BlockNum <= s.forgotten {
		return false
	}
	old, _ := s.Transaction(id)
	return old.Expiration >= s.HeadTime()
}

// checkReference wants the reference block among the last 65536 of this chain.
func (s *State) checkReference(p *Prepared) *nodeerr.Fault {
	id, ok := s.recentBlock(p.Tx.RefBlockNum)
	if _, prefix := ledger.BlockRef(id); ok && prefix == p.Tx.RefBlockPrefix {
		return nil
	}
	return nodeerr.Assert("_apply_transaction", "trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]: the reference block ${num} is not one of this chain", nodeerr.Data{"num": p.Tx.RefBlockNum})
}

// recentBlock gives the newest block whose number ends in low. The number
// before the first block is 0, with an id of zeroes.
func (s *State) recentBlock(low uint16) (ledger.BlockID, bool) {
	head := s.dynamic.HeadBlockNumber
	num := head&^0xffff | uint32(low)
	if num > head {
		if num < 0x10000 {
			return ledger.BlockID{}, false
		}
		num -= 0x10000
	}
	if num == 0 {
		return ledger.BlockID{}, true
	}
	return s.blocks[num-1].BlockID, true
}

func (s *State) checkExpiration(p *Prepared) *nodeerr.Fault {
	now, until := s.HeadTime(), p.Tx.Expiration
	limit := s.global.Parameters.MaximumTimeUntilExpiration
	data := nodeerr.Data{"now": now, "trx.exp": until, "max_til_exp": limit}
	if int64(until) > int64(now)+int64(limit) {
		return nodeerr.Assert("_apply_transaction", "trx.expiration <= now + chain_parameters.maximum_time_until_expiration: the expiration ${trx.exp} is too far from ${now}", data)
	}
	if now > until {
		return nodeerr.Assert("_apply_transaction", "now <= trx.expiration: the transaction expired at ${trx.exp}, now it is ${now}", data)
	}
	return nil
}

// TransactionCount is the number of transactions in blocks.
func (s *State) TransactionCount() uint64 { return s.txs.next() }

// Transaction gives a transaction that is in a block.
func (s *State) Transaction(id ledger.TransactionID) (*ledger.ProcessedTransaction, bool) {
	n, ok := s.byTx[id]
	if !ok {
		return nil, false
	}
	at := s.txs.get(n)
	return &s.blocks[at.BlockNum-1].Transactions[at.TrxInBlock], true
}
