package chain

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var accountUpdate = touching(
	typed(validateAccountUpdate, (*State).evaluateAccountUpdate, (*State).applyAccountUpdate),
	func(op *ledger.AccountUpdateOp) []ledger.AccountID { return membersOf(newAuthorities(op)...) },
)

func newAuthorities(op *ledger.AccountUpdateOp) []*ledger.Authority {
	var auths []*ledger.Authority
	for _, auth := range []*ledger.Authority{op.Owner, op.Active} {
		if auth != nil {
			auths = append(auths, auth)
		}
	}
	return auths
}

func validateAccountUpdate(op *ledger.AccountUpdateOp) *nodeerr.Fault {
	auths := newAuthorities(op)
	switch {
	case op.Account == ledger.TempAccount || op.Account == ledger.MinerAccount:
		return nodeerr.Assert("validate", "account != GRAPHENE_TEMP_ACCOUNT && account != account_id_type(): ${a} cannot be updated", nodeerr.Data{"a": op.Account})
	case len(auths) == 0 && op.NewOptions == nil:
		return nodeerr.Assert("validate", "has_action: nothing is to be changed", nil)
	}
	for _, auth := range auths {
		if fault := validateAuthority(auth); fault != nil {
			return fault
		}
	}
	if op.NewOptions == nil {
		return nil
	}
	return validateAccountOptions(op.NewOptions)
}

func (s *State) evaluateAccountUpdate(op *ledger.AccountUpdateOp) *nodeerr.Fault {
	for _, auth := range newAuthorities(op) {
		if fault := s.verifyMembers(auth, nodeerr.CodeUpdateTooLarge, nodeerr.CodeUpdateNoAccount); fault != nil {
			return fault
		}
	}
	if op.NewOptions == nil {
		return nil
	}
	if fault := s.verifyProxy(op.NewOptions); fault != nil {
		return fault
	}
	if fault := s.verifyVotes(op.NewOptions); fault != nil {
		return fault
	}
	return s.verifySubscriptionPrice(op.NewOptions.PricePerSubscribe)
}

func (s *State) verifyVotes(o *ledger.AccountOptions) *nodeerr.Fault {
	if most := s.global.Parameters.MaximumMinerCount; o.NumMiner > most {
		return nodeerr.Assert("verify_account_votes", "options.num_miner <= chain_params.maximum_miner_count: Voted for more miners than currently allowed (${c})", nodeerr.Data{"c": most})
	}
	for _, vote := range o.Votes {
		if voteInstance(vote) >= s.global.NextAvailableVoteID {
			return nodeerr.Assert("verify_account_votes", "id < max_vote_id: nobody has the vote id ${id}", nodeerr.Data{"id": vote})
		}
	}
	return nil
}

// verifySubscriptionPrice allows prices in DCT and in monitored assets only.
func (s *State) verifySubscriptionPrice(price ledger.AssetAmount) *nodeerr.Fault {
	asset := s.Asset(price.AssetID)
	if asset == nil {
		return nodeerr.NotFound(price.AssetID.Object())
	}
	if asset.ID == ledger.CoreAsset || asset.MonitoredAssetOpts != nil {
		return nil
	}
	return nodeerr.Assert("do_evaluate", "price_per_subscribe.asset_id == asset_id_type(0) || ao.is_monitored_asset(): a subscription cannot cost ${a}", nodeerr.Data{"a": asset.Symbol})
}

func (s *State) applyAccountUpdate(op *ledger.AccountUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
	if o := op.NewOptions; o != nil && offersDiffer(&s.Account(op.Account).Options, o) {
		s.disallowRenewalsTo(op.Account)
	}
	s.changeAccount(op.Account, func(a *ledger.Account) {
		if op.Owner != nil {
			a.Owner, a.TopNControlFlags = *op.Owner, 0
		}
		if op.Active != nil {
			a.Active, a.TopNControlFlags = *op.Active, 0
		}
		if op.NewOptions != nil {
			a.Options = *op.NewOptions
		}
	})
	return voidResult(), nil
}

// offersDiffer tells whether subscribers agreed to something else.
func offersDiffer(old, now *ledger.AccountOptions) bool {
	return !now.AllowSubscription || old.PricePerSubscribe != now.PricePerSubscribe || old.SubscriptionPeriod != now.SubscriptionPeriod
}

// changeAccount changes an account and the lists of who names which key and
// which account.
func (s *State) changeAccount(id ledger.AccountID, edit func(*ledger.Account)) {
	old := s.Account(id)
	s.accounts.change(uint64(id), edit)
	now := s.Account(id)
	moveIn(&s.j, s.byKey, id, keysOf(old), keysOf(now))
	moveIn(&s.j, s.byMember, id, membersOf(&old.Owner, &old.Active), membersOf(&now.Owner, &now.Active))
}

// moveIn takes id out of the lists of the old keys and into those of the new.
func moveIn[K comparable](j *journal, lists map[K][]ledger.AccountID, id ledger.AccountID, old, now []K) {
	for _, key := range old {
		if at, ok := slices.BinarySearch(lists[key], id); ok && !slices.Contains(now, key) {
			setKey(j, lists, key, slices.Delete(slices.Clone(lists[key]), at, at+1))
		}
	}
	for _, key := range now {
		if at, ok := slices.BinarySearch(lists[key], id); !ok {
			setKey(j, lists, key, slices.Insert(slices.Clone(lists[key]), at, id))
		}
	}
}
