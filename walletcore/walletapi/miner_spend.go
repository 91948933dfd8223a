package walletapi

import "billfold/walletcore/txbuild"

func minerSpends() []*Method {
	return []*Method{
		spend("vote_for_miner", doc{Help: "Votes for a miner, or takes the vote back.", Examples: []string{"alice init0 true true"}},
			txbuild.VoteForMiner),
		spend("set_voting_proxy", doc{Help: "Lets another account vote with an account's stake.",
			Examples: []string{"alice bobby true", `alice "" true`}}, txbuild.SetVotingProxy),
		spend("set_desired_miner_count", doc{Help: "Sets how many miners an account wants, out of those that it votes for.",
			Examples: []string{"alice 3 true"}}, txbuild.SetMinerCount),
		withKeys(spend("create_miner", doc{
			Help:     "Makes an account a miner; the key for its blocks is derived from its active key and kept.",
			Question: Question{Sentence: "make {owner_account} a miner and keep the key for its blocks"},
			Examples: []string{"alice https://alice.example true"},
		}, txbuild.CreateMiner)),
		spend("update_miner", doc{Help: "Changes the link or the signing key of a miner; its account signs.",
			Examples: []string{`init0 https://init0.example "" true`}}, txbuild.UpdateMiner),
		spend("withdraw_vesting", doc{Help: "Withdraws what has vested of a miner's pay, or of a vesting balance; its owner signs.",
			Examples: []string{"init0 1 DCT true"}}, txbuild.WithdrawVesting),
	}
}
