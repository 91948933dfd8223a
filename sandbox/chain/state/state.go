// Package state holds the ledger's state: its objects in tables, the indexes that
// find them, and the means to undo every change.
//
// Each change of a table, an index or a single object goes through one journal,
// so that a refused transaction leaves nothing behind (Mark, Rewind) and a block
// can be undone (Commit, Undo). A new table gets this without code of its own.
//
// Objects returned are never changed afterwards: a change replaces the object.
// The package knows no rules; package evaluate decides what may happen.
package state

import "billfold/ledger"

// State is the state of the chain, pending transactions included. Inside
// chain.Chain.View it is read-only; the objects it returns may be kept.
type State struct {
	journal journal

	Globals
	Blocks        Blocks
	Accounts      Accounts
	Assets        Assets
	Balances      Balances
	Miners        Miners
	Budgets       Budgets
	History       History
	Details       Details
	NFTs          NFTs
	Messages      Messages
	Subscriptions Subscriptions
	Vesting       Vesting
	Permissions   Permissions
	Proposals     Proposals
	Contents      Contents
	Purchases     Purchases
	Seeders       Seeders
}

// New returns the state of a chain without accounts and miners.
func New(o Origin) *State {
	s := &State{}
	j := &s.journal
	s.Globals = newGlobals(j, o)
	s.Blocks, s.Accounts, s.Assets, s.Balances = newBlocks(j), newAccounts(j), newAssets(j), newBalances(j)
	s.Miners, s.History, s.Details, s.NFTs = newMiners(j), newHistory(j), newDetails(j), newNFTs(j)
	s.Messages, s.Subscriptions, s.Vesting = newMessages(j), newSubscriptions(j), newVesting(j)
	s.Contents, s.Purchases, s.Seeders = newContents(j), newPurchases(j), newSeeders(j)
	s.Budgets.j, s.Permissions.j = j, j
	s.Proposals.j, s.Proposals.open.j = j, j
	return s
}

// Mark returns the current point in the journal, for Rewind.
func (s *State) Mark() int { return len(s.journal.undo) }

// Rewind undoes all changes since mark.
func (s *State) Rewind(mark int) { s.journal.rewind(mark) }

// Commit makes all changes so far final; Rewind(0) returns to this state from then
// on. Only Undo can undo them.
func (s *State) Commit() Undo {
	steps := s.journal.undo
	s.journal.undo = nil
	return Undo{steps}
}

// Undo undoes the last commit. There must be no changes since.
func (s *State) Undo(u Undo) {
	s.journal.undo = u.steps
	s.journal.rewind(0)
}

// AddMiner inserts a miner under the next id and gives it the next vote id.
func (s *State) AddMiner(account ledger.AccountID, key ledger.PublicKey, url string) ledger.MinerID {
	id := s.Miners.add(account, key, url, s.Global().NextAvailableVoteID)
	s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.NextAvailableVoteID++ })
	return id
}
