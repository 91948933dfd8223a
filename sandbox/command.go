package sandbox

import (
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/state"
)

// SetBlockTime changes the time between blocks; 0 makes them only when told.
func (s *Sandbox) SetBlockTime(every time.Duration) error {
	if every < 0 {
		return errors.New("the block time is negative; give a duration such as 2s, or 0 for blocks on demand")
	}
	s.pace.set(func(p *pace) { p.every = every })
	return nil
}

// SetTime sets the clock that blocks are made by, and gives it back. It fails
// when the head block is not older: the time of blocks always rises.
func (s *Sandbox) SetTime(at ledger.Time) (ledger.Time, error) {
	var head ledger.Time
	s.chain.View(func(st *state.State) { head = st.HeadTime() })
	if at <= head {
		return 0, fmt.Errorf("the head block is of %s already; give a later time, or revert to a snapshot first", head)
	}
	s.clock.set(at.Time())
	return at, nil
}

// Jump moves the clock and gives its new time. Backwards it goes no further
// than the head block: the next block is one second later than that.
func (s *Sandbox) Jump(by time.Duration) time.Time { return s.clock.jump(by) }

// Fork takes the newest blocks away, as when another branch of the chain wins;
// see chain.Chain.Fork. It gives the transactions that can never be in a block
// again.
func (s *Sandbox) Fork(blocks int, keep bool) ([]chain.Dropped, error) {
	s.mining.Lock()
	defer s.mining.Unlock()
	return s.chain.Fork(blocks, keep)
}

// Snapshot notes the state of the ledger and the clock, and gives the number
// that Revert knows it by.
func (s *Sandbox) Snapshot() uint64 {
	s.mining.Lock()
	defer s.mining.Unlock()
	id := s.chain.Snapshot()
	s.moved[id] = s.clock.movedBy()
	return id
}

// Revert makes the ledger what it was at the snapshot, which can be used again;
// later ones are forgotten. Faults and the pace of blocks stay as they are.
func (s *Sandbox) Revert(id uint64) error {
	s.mining.Lock()
	defer s.mining.Unlock()
	if err := s.chain.Revert(id); err != nil {
		return err
	}
	s.clock.jump(s.moved[id] - s.clock.movedBy())
	for other := range s.moved {
		if other > id {
			delete(s.moved, other)
		}
	}
	return nil
}

// PushUnsigned makes a transaction of the operations and puts it into the
// pending list as a broadcast does, but nobody needs to have signed it. Fees
// that are zero are filled in.
func (s *Sandbox) PushUnsigned(ops ...ledger.Operation) (ledger.TransactionID, error) {
	tx := &ledger.SignedTransaction{}
	tx.Operations, tx.Signatures = ops, []ledger.Signature{}
	var err error
	s.chain.View(func(st *state.State) {
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(st.Dynamic().HeadBlockID)
		tx.Expiration = st.HeadTime() + unsignedLife
		for _, op := range ops {
			if fee := op.Fee(); err == nil && fee.Amount == 0 && fee.AssetID == ledger.CoreAsset {
				_, err = st.Global().Parameters.CurrentFees.SetFee(op)
			}
		}
	})
	if err != nil {
		return ledger.TransactionID{}, err
	}
	return s.pushTrusted(tx)
}

// unsignedLife is how long, in seconds, a transaction without signature may
// wait at first; one more for each equal one.
const unsignedLife = 3600

// pushTrusted lets equal transactions expire at different times, so that each
// has its own id.
func (s *Sandbox) pushTrusted(tx *ledger.SignedTransaction) (ledger.TransactionID, error) {
	for {
		p, err := s.chain.Trust(tx)
		if err != nil {
			return ledger.TransactionID{}, err
		}
		if s.chain.Knows(p.ID) {
			tx.Expiration++
			continue
		}
		if fault := s.chain.Push(p); fault != nil {
			return p.ID, fault
		}
		s.hub.transactionPending(tx)
		return p.ID, nil
	}
}

// Fund gives an account, named or by id, an amount such as "12.5" of the asset
// with the symbol: DCT from the null account, anything else issued by its
// issuer. The supply of DCT stays the same.
func (s *Sandbox) Fund(account, amount, symbol string) (ledger.TransactionID, error) {
	var op ledger.Body
	var err error
	s.chain.View(func(st *state.State) { op, err = funding(st, account, amount, symbol) })
	if err != nil {
		return ledger.TransactionID{}, err
	}
	return s.PushUnsigned(ledger.NewOperation(op))
}

func funding(st *state.State, ref, amount, symbol string) (ledger.Body, error) {
	account, asset := accountOf(st, ref), assetOf(st, symbol)
	switch {
	case account == nil:
		return nil, noAccount(ref)
	case asset == nil:
		return nil, fmt.Errorf("there is no asset %s; list_assets names those there are", symbol)
	}
	units, err := ledger.ParseAmount(amount, asset.Precision)
	if err != nil {
		return nil, err
	}
	sum := ledger.AssetAmount{Amount: units, AssetID: asset.ID}
	if asset.ID == ledger.CoreAsset {
		return &ledger.TransferOp{From: ledger.NullAccount, To: account.ID.Object(), Amount: sum}, nil
	}
	return &ledger.AssetIssueOp{Issuer: asset.Issuer, AssetToIssue: sum, IssueToAccount: account.ID}, nil
}
