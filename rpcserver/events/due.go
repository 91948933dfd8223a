package events

import (
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/deposit"
	"billfold/walletcore/vault"
)

// due returns the accounts to look at. Of very many these are the ones whose histories moved and, with a block, those
// with deposits that wait to be irreversible. While no index says what moved, they are some in turn.
func (p *Publisher) due(block bool) []vault.OwnAccount {
	moved, last, known := p.from.History.MovedSince(p.moved)
	p.moved = last
	switch many := p.from.Accounts.Count() > mostScanned; {
	case !many && block:
		return p.from.Accounts.List()
	case !many, p.begun == 0:
		return nil
	case !known && block:
		return p.withPending(p.inTurn())
	case !known:
		return nil
	}
	var due []vault.OwnAccount
	slices.Sort(moved)
	for _, id := range slices.Compact(moved) {
		if own, listed := p.from.Accounts.Of(id); listed {
			due = append(due, own)
			if p.accounts[id] == nil { // what moved since the first scan is news
				p.accounts[id] = &account{known: true, final: deposit.Position{Block: p.begun, Trx: math.MaxUint32},
					balances: map[ledger.AssetID]int64{}, pending: map[pendingKey]deposit.Deposit{}}
			}
		}
	}
	if block {
		due = p.withPending(due)
	}
	return due
}

// inTurn returns the next part of the list.
func (p *Publisher) inTurn() []vault.OwnAccount {
	list := p.from.Accounts.List()
	from := p.next % len(list)
	p.next = min(from+mostScanned, len(list))
	return slices.Clone(list[from:p.next])
}

// withPending appends the accounts with deposits that wait to be irreversible to those that are looked at already.
func (p *Publisher) withPending(due []vault.OwnAccount) []vault.OwnAccount {
	there := map[ledger.AccountID]bool{}
	for _, own := range due {
		there[own.ID] = true
	}
	for id, a := range p.accounts {
		if len(a.pending) == 0 || there[id] {
			continue
		}
		if own, listed := p.from.Accounts.Of(id); listed {
			due = append(due, own)
		}
	}
	slices.SortFunc(due, func(a, b vault.OwnAccount) int { return int(int64(a.ID) - int64(b.ID)) })
	return due
}
