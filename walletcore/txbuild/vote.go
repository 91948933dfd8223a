package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// VoteForMinerParams are the parameters of vote_for_miner.
type VoteForMinerParams struct {
	Voter   string `json:"voting_account" role:"account" help:"account name or id"`
	Miner   string `json:"miner"          help:"its account, or its id such as 1.4.5"`
	Approve bool   `json:"approve"        help:"true: vote for it; false: take the vote back"`
}

// VoteForMiner adds or removes a vote for a miner. Errors: fault.NotAMiner, fault.VotesAlready, fault.VotesNot, those of Payer.
func VoteForMiner(ctx context.Context, b *Builder, p VoteForMinerParams) ([]ledger.Operation, error) {
	a, err := b.changedAccount(ctx, p.Voter)
	if err != nil {
		return nil, err
	}
	miner, err := b.miner(ctx, p.Miner)
	if fault.CodeOf(err) == fault.NoSuchMiner {
		return nil, &fault.Error{Code: fault.NotAMiner, Op: b.op, Message: fault.Quote(p.Miner) + " is not a miner",
			Hint: "list_miners shows all of them; nothing was signed"}
	}
	if err != nil {
		return nil, err
	}
	b.words.addVote(miner.VoteID, p.Miner)
	options := b.options(a)
	at := slices.Index(options.Votes, miner.VoteID)
	switch {
	case (at >= 0) == p.Approve && (b.Repeated() || !a.base.Agrees()): // it is written as asked, whatever the daemon says
	case at >= 0 && p.Approve:
		return nil, a.already("votes", unchanged(b.op, fault.VotesAlready, "the account "+a.Name+" votes for "+fault.Quote(p.Miner)+" already"))
	case at < 0 && !p.Approve:
		return nil, a.already("votes", unchanged(b.op, fault.VotesNot, "the account "+a.Name+" does not vote for "+fault.Quote(p.Miner)))
	case p.Approve:
		options.Votes = append(options.Votes, miner.VoteID)
		slices.Sort(options.Votes)
	default:
		options.Votes = slices.Delete(options.Votes, at, at+1)
	}
	return b.exactly(&ledger.AccountUpdateOp{Account: a.ID, NewOptions: options})
}

// unchanged returns the error for a request that would change nothing.
func unchanged(op string, code fault.Code, message string) *fault.Error {
	return &fault.Error{Code: code, Op: op, Message: message, Hint: "nothing needs to be done, and nothing was signed"}
}

// SetVotingProxyParams are the parameters of set_voting_proxy.
type SetVotingProxyParams struct {
	Account string `json:"account_to_modify" role:"account" help:"account name or id"`
	Proxy   string `json:"voting_account"    help:"account that votes with the stake; null or empty = the account itself"`
}

// SetVotingProxy lets another account vote with an account's stake. Errors: fault.SameProxy, fault.NoProxy, those of
// Payer and Account.
func SetVotingProxy(ctx context.Context, b *Builder, p SetVotingProxyParams) ([]ledger.Operation, error) {
	a, err := b.changedAccount(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	to := ledger.ProxyToSelf
	if p.Proxy != "" {
		proxy, err := b.Account(ctx, p.Proxy)
		if err != nil {
			return nil, err
		}
		to = proxy.ID
	}
	options := b.options(a)
	switch {
	case options.VotingAccount != to || b.Repeated() || !a.base.Agrees():
	case p.Proxy == "":
		return nil, a.already("voting proxy", unchanged(b.op, fault.NoProxy, "the account "+a.Name+" votes for itself already"))
	default:
		return nil, a.already("voting proxy", unchanged(b.op, fault.SameProxy, fault.Quote(p.Proxy)+" votes with the stake of "+a.Name+" already"))
	}
	options.VotingAccount = to
	return b.exactly(&ledger.AccountUpdateOp{Account: a.ID, NewOptions: options})
}

// SetMinerCountParams are the parameters of set_desired_miner_count.
type SetMinerCountParams struct {
	Account string `json:"account_to_modify"        role:"account" help:"account name or id"`
	Count   uint16 `json:"desired_number_of_miners" help:"at most as many as it votes for"`
}

// SetMinerCount sets how many miners an account wants. Errors: fault.SameMinerCount, fault.InvalidOperation if it
// votes for fewer, those of Payer.
func SetMinerCount(ctx context.Context, b *Builder, p SetMinerCountParams) ([]ledger.Operation, error) {
	a, err := b.changedAccount(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	options := b.options(a)
	if options.NumMiner == p.Count && !b.Repeated() && a.base.Agrees() {
		return nil, a.already("number of miners wanted", unchanged(b.op, fault.SameMinerCount, "the account "+a.Name+" wants that many miners already"))
	}
	options.NumMiner = p.Count
	return b.exactly(&ledger.AccountUpdateOp{Account: a.ID, NewOptions: options})
}
