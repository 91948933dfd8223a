package state

import "billfold/ledger"

// BalanceChange is the effect of one operation on an account's balances, as the
// node shows it: the amounts are signed, and the fee is zero if another account
// paid it.
type BalanceChange struct {
	Record        *ledger.HistoryRecord `json:"hist_object"`
	Balance       BalancePair           `json:"balance"`
	Fee           ledger.AssetAmount    `json:"fee"`
	Timestamp     ledger.Time           `json:"timestamp"`
	TransactionID ledger.TransactionID  `json:"transaction_id"`
}

// BalancePair is up to two amounts; only pools move both.
type BalancePair struct {
	Asset0 ledger.AssetAmount `json:"asset0"`
	Asset1 ledger.AssetAmount `json:"asset1"`
}

// BalanceFilter selects changes.
type BalanceFilter struct {
	Assets             []ledger.AssetID  // one of them must have changed, or paid the fee; empty: any
	Partner            *ledger.AccountID // the other side of transfers; other operations pass; nil: any
	FromBlock, ToBlock uint32            // both 0: all blocks
}

// BalanceChanges returns the changes of an account that pass the filter, newest
// first: at most limit of them, after skipping the first skip.
func (s *State) BalanceChanges(account ledger.AccountID, f BalanceFilter, skip, limit uint32) []BalanceChange {
	list := []BalanceChange{}
	for record := range s.History.OfAccount(account) {
		if uint64(len(list)) >= uint64(limit) {
			break
		}
		c := changeOf(account, record)
		switch {
		case !f.passes(c):
		case skip > 0:
			skip--
		default:
			list = append(list, s.dated(c))
		}
	}
	return list
}

// BalanceChangeAt returns the change made by a record, or by the account's next
// older one, without time and transaction id. It returns nil if there is none.
func (s *State) BalanceChangeAt(account ledger.AccountID, id ledger.HistoryID) *BalanceChange {
	records := s.History.Page(account, 0, 1, id)
	if len(records) == 0 {
		return nil
	}
	c := changeOf(account, records[0])
	return &c
}

func changeOf(account ledger.AccountID, r *ledger.HistoryRecord) BalanceChange {
	c := BalanceChange{Record: r}
	c.Balance.Asset0, c.Balance.Asset1 = balanceMoves(r.Op, account)
	if r.Op.Body.FeePayer() == account && !hidesFee(r.Op.Body) {
		c.Fee = *r.Op.Fee()
	}
	return c
}

// dated fills in the time of the block and the transaction's id. A virtual
// operation belongs to no transaction.
func (s *State) dated(c BalanceChange) BalanceChange {
	if b := s.Blocks.Get(c.Record.BlockNum); b != nil {
		c.Timestamp = b.Timestamp
		if at := c.Record.TrxInBlock; uint64(at) < uint64(len(b.TransactionIDs)) {
			c.TransactionID = b.TransactionIDs[at]
		}
	}
	return c
}

func (f BalanceFilter) passes(c BalanceChange) bool {
	num := c.Record.BlockNum
	if (f.FromBlock != 0 || f.ToBlock != 0) && (num < f.FromBlock || num > f.ToBlock) {
		return false
	}
	return f.moves(c) && f.withPartner(c.Record.Op.Body)
}

// moves reports whether an amount of one of the assets is not zero.
func (f BalanceFilter) moves(c BalanceChange) bool {
	for _, a := range []ledger.AssetAmount{c.Balance.Asset0, c.Balance.Asset1, c.Fee} {
		if a.Amount == 0 {
			continue
		}
		if len(f.Assets) == 0 {
			return true
		}
		for _, id := range f.Assets {
			if a.AssetID == id {
				return true
			}
		}
	}
	return false
}

func (f BalanceFilter) withPartner(op ledger.Body) bool {
	if f.Partner == nil {
		return true
	}
	switch t := op.(type) {
	case *ledger.TransferObsoleteOp:
		return t.From == *f.Partner || t.To == *f.Partner
	case *ledger.TransferOp:
		return t.From == *f.Partner || t.To == f.Partner.Object()
	}
	return true
}

// hidesFee reports whether the node leaves out the fee of the operation here.
func hidesFee(op ledger.Body) bool {
	switch op.(type) {
	case *ledger.UpdateMonitoredAssetOp, *ledger.UpdateUserIssuedAssetOp, *ledger.SetPublishingManagerOp, *ledger.SetPublishingRightOp,
		*ledger.SubscribeByAuthorOp, *ledger.AutomaticRenewalOfSubscriptionOp,
		*ledger.DisallowAutomaticRenewalOfSubscriptionOp, *ledger.RenewalOfSubscriptionOp:
		return true
	}
	return false
}

// balanceMoves returns what an operation added to the account, besides the fee.
func balanceMoves(op ledger.Operation, account ledger.AccountID) (first, second ledger.AssetAmount) {
	var added [2]ledger.AssetAmount
	if _, ok := op.Body.(*ledger.ContentSubmitOp); ok {
		return first, second // the node leaves the escrow out here
	}
	for i, m := range op.Moves() {
		if i < len(added) {
			added[i] = addedTo(account.Object(), m)
		}
	}
	return added[0], added[1]
}

// addedTo returns what a movement adds to the account. A movement of nothing from
// or to nobody is shown as 0 DCT.
func addedTo(account ledger.ObjectID, m ledger.Movement) ledger.AssetAmount {
	switch {
	case m.Amount.Amount == 0 && (m.From == 0 || m.To == 0):
		return ledger.AssetAmount{}
	case m.To == account:
		return m.Amount
	case m.From == account:
		return ledger.AssetAmount{Amount: -m.Amount.Amount, AssetID: m.Amount.AssetID}
	}
	return ledger.AssetAmount{}
}
