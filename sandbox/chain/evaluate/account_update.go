package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
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
		return invalid("account != GRAPHENE_TEMP_ACCOUNT && account != account_id_type(): ${a} cannot be updated",
			nodeerr.Data{"a": op.Account})
	case len(auths) == 0 && op.NewOptions == nil:
		return invalid("has_action: nothing is to be changed", nil)
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

func evaluateAccountUpdate(e *Engine, op *ledger.AccountUpdateOp) *nodeerr.Fault {
	for _, auth := range newAuthorities(op) {
		if fault := verifyMembers(e, auth, nodeerr.CodeUpdateTooLarge, nodeerr.CodeUpdateNoAccount); fault != nil {
			return fault
		}
	}
	if op.NewOptions == nil {
		return nil
	}
	if fault := verifyProxy(e, op.NewOptions); fault != nil {
		return fault
	}
	if fault := verifyVotes(e, op.NewOptions); fault != nil {
		return fault
	}
	return verifySubscriptionPrice(e, op.NewOptions.PricePerSubscribe)
}

func verifyVotes(e *Engine, o *ledger.AccountOptions) *nodeerr.Fault {
	if most := e.Parameters().MaximumMinerCount; o.NumMiner > most {
		return nodeerr.Assert("verify_account_votes",
			"options.num_miner <= chain_params.maximum_miner_count: Voted for more miners than currently allowed (${c})",
			nodeerr.Data{"c": most})
	}
	for _, vote := range o.Votes {
		if uint32(vote)>>8 >= e.Global().NextAvailableVoteID {
			return nodeerr.Assert("verify_account_votes", "id < max_vote_id: nobody has the vote id ${id}", nodeerr.Data{"id": vote})
		}
	}
	return nil
}

// verifySubscriptionPrice allows prices only in DCT and in monitored assets.
func verifySubscriptionPrice(e *Engine, price ledger.AssetAmount) *nodeerr.Fault {
	asset := e.Assets.Get(price.AssetID)
	if asset == nil {
		return nodeerr.NotFound(price.AssetID.Object())
	}
	if asset.ID == ledger.CoreAsset || asset.MonitoredAssetOpts != nil {
		return nil
	}
	return refuse("price_per_subscribe.asset_id == asset_id_type(0) || ao.is_monitored_asset(): a subscription cannot cost ${a}",
		nodeerr.Data{"a": asset.Symbol})
}

func applyAccountUpdate(e *Engine, op *ledger.AccountUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
	if o := op.NewOptions; o != nil && offersDiffer(&e.Accounts.Get(op.Account).Options, o) {
		disallowRenewalsTo(e, op.Account)
	}
	e.Accounts.Change(op.Account, func(a *ledger.Account) {
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

// offersDiffer reports whether the new options differ from the offer to which
// subscribers agreed.
func offersDiffer(old, now *ledger.AccountOptions) bool {
	return !now.AllowSubscription || old.PricePerSubscribe != now.PricePerSubscribe || old.SubscriptionPeriod != now.SubscriptionPeriod
}
