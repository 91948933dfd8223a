package state

import "billfold/ledger"

// Object returns the object with the id, or nil.
func (s *State) Object(id ledger.ObjectID) any {
	n := id.Instance()
	switch id - ledger.NewObjectID(0, 0, n) {
	case ledger.NewObjectID(1, 2, 0):
		return orNil(s.Accounts.Get(ledger.AccountID(n)))
	case ledger.NewObjectID(1, 3, 0):
		return orNil(s.Assets.Get(ledger.AssetID(n)))
	case ledger.NewObjectID(1, 4, 0):
		return orNil(s.Miners.Get(ledger.MinerID(n)))
	case ledger.NewObjectID(1, 6, 0):
		return orNil(s.Proposals.Get(ledger.ProposalID(n)))
	case ledger.NewObjectID(1, 7, 0):
		return orNil(s.History.Get(ledger.HistoryID(n)))
	case ledger.NewObjectID(1, 8, 0):
		return orNil(s.Permissions.Get(ledger.WithdrawPermissionID(n)))
	case ledger.NewObjectID(1, 9, 0):
		return orNil(s.Vesting.Get(ledger.VestingBalanceID(n)))
	case ledger.NewObjectID(1, 10, 0):
		return orNil(s.NFTs.Get(ledger.NFTID(n)))
	case ledger.NewObjectID(1, 11, 0):
		return orNil(s.NFTs.Token(ledger.NFTDataID(n)))
	}
	return s.implementation(id)
}

// implementation returns the object of space 2 with the id, or nil.
func (s *State) implementation(id ledger.ObjectID) any {
	n := id.Instance()
	switch id - ledger.NewObjectID(0, 0, n) {
	case ledger.NewObjectID(2, 3, 0):
		return orNil(s.Assets.Data(ledger.AssetID(n)))
	case ledger.NewObjectID(2, 4, 0):
		return orNil(s.Balances.Get(ledger.AccountBalanceID(n)))
	case ledger.NewObjectID(2, 5, 0):
		return orNil(s.Accounts.Statistics(ledger.AccountStatisticsID(n)))
	case ledger.NewObjectID(2, typeAccountHistory, 0):
		return orNil(s.History.entries.Get(n))
	case ledger.NewObjectID(2, typeBudgetRecord, 0):
		return orNil(s.Budgets.Get(n))
	case ledger.NewObjectID(2, 12, 0):
		return orNil(s.Purchases.Get(ledger.BuyingID(n)))
	case ledger.NewObjectID(2, 13, 0):
		return orNil(s.Contents.Get(ledger.ContentID(n)))
	case ledger.NewObjectID(2, typeSeeder, 0):
		return orNil(s.Seeders.Get(n))
	case ledger.NewObjectID(2, typeSeederActivity, 0):
		return orNil(s.Seeders.activity.Get(n))
	case ledger.NewObjectID(2, 15, 0):
		return orNil(s.Subscriptions.Get(ledger.SubscriptionID(n)))
	case ledger.NewObjectID(2, typeTransactionDetail, 0):
		return orNil(s.Details.Get(n))
	case ledger.NewObjectID(2, typeMessage, 0):
		return orNil(s.Messages.table.Get(n))
	case ledger.NewObjectID(2, typeTransactionHistory, 0):
		return orNil(s.Blocks.included.Get(n))
	}
	return s.singleton(id)
}

// singleton returns the object with the id, of those that exist only once, or nil.
func (s *State) singleton(id ledger.ObjectID) any {
	switch id {
	case s.Global().ID:
		return s.Global()
	case s.Dynamic().ID:
		return s.Dynamic()
	case s.Miners.Schedule().ID:
		return s.Miners.Schedule()
	case s.properties.ID:
		return &s.properties
	}
	return nil
}

// orNil returns an untyped nil for a missing row.
func orNil[T any](row *T) any {
	if row == nil {
		return nil
	}
	return row
}
