package chain

import (
	"slices"
	"strings"

	"billfold/ledger"
)

// State is everything the chain knows, pending transactions included. It is
// read inside Chain.View only; the objects it gives out may be kept.
type State struct {
	j          journal
	chainProp  ChainProperty
	global     *ledger.GlobalProperties
	dynamic    *ledger.DynamicGlobalProperties
	blocks     []*ledger.Block // blocks[n-1] is block n
	accounts   table[ledger.Account]
	statistics table[Statistics]
	assets     table[ledger.Asset]
	assetData  table[AssetData]
	balances   table[Balance]
	miners     table[Miner]
	history    table[ledger.HistoryRecord]
	perAccount table[AccountHistory]
	txs        table[TransactionHistory]

	details       table[TransactionDetail]
	nfts          table[NFT]
	nftData       table[NFTData]
	messages      table[MessageObject]
	subscriptions table[Subscription]
	vesting       table[VestingBalance]
	permissions   table[WithdrawPermission]
	proposals     table[Proposal]
	budgets       table[BudgetRecord]
	schedule      *MinerSchedule
	turnsByBlock  bool   // and not by slot
	forgotten     uint32 // the transactions up to this block are not known again; see Chain.Restart

	names      []string // sorted
	byName     map[string]ledger.AccountID
	bySymbol   map[string]ledger.AssetID
	symbols    []string // sorted
	byHolding  map[holding]uint64
	holdings   map[ledger.AccountID][]uint64 // instances of 2.4, ascending
	ops        map[ledger.AccountID][]uint64 // instances of 2.8, by sequence
	byKey      map[ledger.PublicKey][]ledger.AccountID
	byMember   map[ledger.AccountID][]ledger.AccountID
	minerOf    map[ledger.AccountID]ledger.MinerID
	byTx       map[ledger.TransactionID]uint64 // instance of 2.19
	pendingIDs map[ledger.TransactionID]struct{}

	detailsOf      map[ledger.AccountID][]uint64 // instances of 2.17, ascending
	detailsOfNFT   map[ledger.NFTDataID][]uint64
	nftBySymbol    map[string]ledger.NFTID
	nftSymbols     []string // sorted
	tokensOf       map[ledger.NFTID][]ledger.NFTDataID
	tokensHeld     map[ledger.AccountID][]ledger.NFTDataID // in the order the account got them
	messagesFrom   map[ledger.AccountID][]uint64           // instances of 2.18, ascending
	messagesTo     map[ledger.AccountID][]uint64
	subscriptionOf map[between]ledger.SubscriptionID
	subscribed     map[ledger.AccountID][]ledger.SubscriptionID
	subscribers    map[ledger.AccountID][]ledger.SubscriptionID
	renewals       []ledger.SubscriptionID       // with automatic renewal, in the order it was switched on
	vestingOf      map[ledger.AccountID][]uint64 // instances of 1.9, ascending

	expiring []ledger.ProposalID // open proposals, the first to expire first
	proposed bool                // what is applied comes from a proposal
	happened []happening         // by the transaction that is applied, or after a block's last one
	opInTrx  int                 // of the operation that is applied
}

type holding struct {
	owner ledger.AccountID
	asset ledger.AssetID
}

func newState() *State {
	s := &State{
		byName:     map[string]ledger.AccountID{},
		bySymbol:   map[string]ledger.AssetID{},
		byHolding:  map[holding]uint64{},
		holdings:   map[ledger.AccountID][]uint64{},
		ops:        map[ledger.AccountID][]uint64{},
		byKey:      map[ledger.PublicKey][]ledger.AccountID{},
		byMember:   map[ledger.AccountID][]ledger.AccountID{},
		minerOf:    map[ledger.AccountID]ledger.MinerID{},
		byTx:       map[ledger.TransactionID]uint64{},
		pendingIDs: map[ledger.TransactionID]struct{}{},

		detailsOf:      map[ledger.AccountID][]uint64{},
		detailsOfNFT:   map[ledger.NFTDataID][]uint64{},
		nftBySymbol:    map[string]ledger.NFTID{},
		tokensOf:       map[ledger.NFTID][]ledger.NFTDataID{},
		tokensHeld:     map[ledger.AccountID][]ledger.NFTDataID{},
		messagesFrom:   map[ledger.AccountID][]uint64{},
		messagesTo:     map[ledger.AccountID][]uint64{},
		subscriptionOf: map[between]ledger.SubscriptionID{},
		subscribed:     map[ledger.AccountID][]ledger.SubscriptionID{},
		subscribers:    map[ledger.AccountID][]ledger.SubscriptionID{},
		vestingOf:      map[ledger.AccountID][]uint64{},
	}
	j := &s.j
	s.accounts.j, s.statistics.j, s.assets.j, s.assetData.j = j, j, j, j
	s.balances.j, s.miners.j, s.history.j, s.perAccount.j, s.txs.j = j, j, j, j, j
	s.details.j, s.nfts.j, s.nftData.j, s.messages.j = j, j, j, j
	s.subscriptions.j, s.vesting.j, s.permissions.j = j, j, j
	s.proposals.j, s.budgets.j = j, j
	return s
}

func (s *State) setGlobal(edit func(*ledger.GlobalProperties)) {
	old := s.global
	next := *old
	edit(&next)
	s.global = &next
	s.j.add(func() { s.global = old })
}

func (s *State) setDynamic(edit func(*ledger.DynamicGlobalProperties)) {
	old := s.dynamic
	next := *old
	edit(&next)
	s.dynamic = &next
	s.j.add(func() { s.dynamic = old })
}

// Properties gives 2.9.0.
func (s *State) Properties() ChainProperty { return s.chainProp }

// Global gives 2.0.0.
func (s *State) Global() *ledger.GlobalProperties { return s.global }

// Dynamic gives 2.1.0.
func (s *State) Dynamic() *ledger.DynamicGlobalProperties { return s.dynamic }

// HeadTime is the time of the head block.
func (s *State) HeadTime() ledger.Time { return s.dynamic.Time }

// Block gives block number num, or nil.
func (s *State) Block(num uint32) *ledger.Block {
	if num == 0 || uint64(num) > uint64(len(s.blocks)) {
		return nil
	}
	return s.blocks[num-1]
}

// Object gives the object with the id, or nil.
func (s *State) Object(id ledger.ObjectID) any {
	n := id.Instance()
	switch id - ledger.NewObjectID(0, 0, n) {
	case ledger.NewObjectID(1, 2, 0):
		return orNil(s.accounts.get(n))
	case ledger.NewObjectID(1, 3, 0):
		return orNil(s.assets.get(n))
	case ledger.NewObjectID(1, 4, 0):
		return orNil(s.miners.get(n))
	case ledger.NewObjectID(1, 6, 0):
		return orNil(s.proposals.get(n))
	case ledger.NewObjectID(1, 7, 0):
		return orNil(s.history.get(n))
	case ledger.NewObjectID(1, 8, 0):
		return orNil(s.permissions.get(n))
	case ledger.NewObjectID(1, 9, 0):
		return orNil(s.vesting.get(n))
	case ledger.NewObjectID(1, 10, 0):
		return orNil(s.nfts.get(n))
	case ledger.NewObjectID(1, 11, 0):
		return orNil(s.nftData.get(n))
	case ledger.NewObjectID(2, 15, 0):
		return orNil(s.subscriptions.get(n))
	case ledger.NewObjectID(2, typeTransactionDetail, 0):
		return orNil(s.details.get(n))
	case ledger.NewObjectID(2, typeMessage, 0):
		return orNil(s.messages.get(n))
	case ledger.NewObjectID(2, 3, 0):
		return orNil(s.assetData.get(n))
	case ledger.NewObjectID(2, 4, 0):
		return orNil(s.balances.get(n))
	case ledger.NewObjectID(2, 5, 0):
		return orNil(s.statistics.get(n))
	case ledger.NewObjectID(2, typeAccountHistory, 0):
		return orNil(s.perAccount.get(n))
	case ledger.NewObjectID(2, typeBudgetRecord, 0):
		return orNil(s.budgets.get(n))
	case ledger.NewObjectID(2, typeTransactionHistory, 0):
		return orNil(s.txs.get(n))
	}
	return s.singleton(id)
}

func (s *State) singleton(id ledger.ObjectID) any {
	switch id {
	case s.global.ID:
		return s.global
	case s.dynamic.ID:
		return s.dynamic
	case s.schedule.ID:
		return s.schedule
	case s.chainProp.ID:
		return &s.chainProp
	}
	return nil
}

// orNil keeps a missing row from becoming an interface that is not nil.
func orNil[T any](row *T) any {
	if row == nil {
		return nil
	}
	return row
}

// insertSorted puts text into a sorted list, as a new list: readers may hold the old one.
func insertSorted(j *journal, list *[]string, text string) {
	old := *list
	at, _ := slices.BinarySearch(old, text)
	next := make([]string, 0, len(old)+1+len(old)/8)
	*list = append(append(append(next, old[:at]...), text), old[at:]...)
	j.add(func() { *list = old })
}

// from gives the part of a sorted list that begins at lower.
func from(list []string, lower string) []string {
	at, _ := slices.BinarySearchFunc(list, lower, strings.Compare)
	return list[at:]
}
