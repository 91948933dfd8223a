// Package state is what the ledger knows: its objects in tables, the indexes that
// find them, and the way back from every change.
//
// Each change of a table, an index or a single object goes through one journal,
// so that a refused transaction leaves nothing behind (Mark, Rewind) and a block
// can be taken back (Commit, TakeBack). A table that is added needs nothing of its
// own for that.
//
// Objects returned are never changed afterwards: a change replaces the object.
// The package knows no rules: whether something may happen, package evaluate says.
package state

import "billfold/ledger"

// State is everything the chain knows, pending transactions included. Inside
// chain.Chain.View it is only read; the objects it returns may be kept.
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
}

// New returns the state of a chain without accounts, in which nobody is a miner.
func New(o Origin) *State {
	s := &State{}
	j := &s.journal
	s.Globals = newGlobals(j, o)
	s.Blocks, s.Accounts, s.Assets, s.Balances = newBlocks(j), newAccounts(j), newAssets(j), newBalances(j)
	s.Miners, s.History, s.Details, s.NFTs = newMiners(j), newHistory(j), newDetails(j), newNFTs(j)
	s.Messages, s.Subscriptions, s.Vesting = newMessages(j), newSubscriptions(j), newVesting(j)
	s.Budgets.j, s.Permissions.j = j, j
	s.Proposals.j, s.Proposals.open.j = j, j
	return s
}

// Mark is the point that Rewind returns to.
func (s *State) Mark() int { return len(s.journal.undo) }

// Rewind takes back everything done since mark.
func (s *State) Rewind(mark int) { s.journal.rewind(mark) }

// Commit makes everything done so far final, but for what TakeBack does with the result.
func (s *State) Commit() Undo {
	steps := s.journal.undo
	s.journal.undo = nil
	return Undo{steps}
}

// TakeBack undoes what was committed last. Nothing may have been done since.
func (s *State) TakeBack(u Undo) {
	s.journal.undo = u.steps
	s.journal.rewind(0)
}

// AddMiner inserts a miner under the next id and gives it the next vote id.
func (s *State) AddMiner(account ledger.AccountID, key ledger.PublicKey, url string) ledger.MinerID {
	id := s.Miners.add(account, key, url, s.Global().NextAvailableVoteID)
	s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.NextAvailableVoteID++ })
	return id
}
