package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func accountRules() []registration {
	return []registration{
		operationRule[*ledger.AccountCreateOp]{
			validate: validateAccountCreate, evaluate: evaluateAccountCreate, apply: applyAccountCreate, unframed: true,
		},
		operationRule[*ledger.AccountUpdateOp]{
			validate: validateAccountUpdate, evaluate: evaluateAccountUpdate, apply: applyAccountUpdate,
		},
	}
}

func validateAccountCreate(op *ledger.AccountCreateOp) *nodeerr.Error {
	if err := ledger.ValidAccountName(op.Name); err != nil {
		return invalid("is_valid_name( name ): ${why}", nodeerr.Data{"why": err.Error()})
	}
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := validateAuthority(auth); fault != nil {
			return fault
		}
	}
	return validateAccountOptions(&op.Options)
}

// validateAuthority refuses an authority that nobody can satisfy, or that everybody does.
func validateAuthority(auth *ledger.Authority) *nodeerr.Error {
	if auth.Members() == 0 || auth.WeightThreshold == 0 {
		return invalid("auth.num_auths() > 0: an authority that nobody has, or everybody", nil)
	}
	if auth.Impossible() {
		return invalid("!auth.is_impossible(): an account cannot have an impossible authority threshold", nil)
	}
	return nil
}

func validateAccountOptions(o *ledger.AccountOptions) *nodeerr.Error {
	if int(o.NumMiner) > len(o.Votes) {
		return invalid("votes.size() >= num_miner: May not specify fewer miners than the number voted for", nil)
	}
	if o.AllowSubscription && (o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > 365 || o.PricePerSubscribe.Amount <= 0) {
		return invalid("subscription_period > 0 && subscription_period <= 365 && price_per_subscribe.amount > 0: ", nil)
	}
	return nil
}

func evaluateAccountCreate(e *Engine, op *ledger.AccountCreateOp) *nodeerr.Error {
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := verifyMembers(e, auth, nodeerr.CodeAuthTooLarge, nodeerr.CodeAuthNoAccount); fault != nil {
			return fault
		}
	}
	if fault := verifyProxy(e, &op.Options); fault != nil {
		return fault
	}
	if e.Accounts.ByName(op.Name) != nil {
		return refuse("current_account_itr == acnt_indx.indices().get<by_name>().end(): the account name '${name}' is taken",
			nodeerr.Data{"name": op.Name})
	}
	return nil
}

// verifyMembers checks the size of an authority and that its accounts exist.
func verifyMembers(e *Engine, auth *ledger.Authority, tooLarge, noAccount nodeerr.Code) *nodeerr.Error {
	limit := int(e.Parameters().MaximumAuthorityMembership)
	if auth.Members() > limit {
		return nodeerr.New(tooLarge, "do_evaluate", "auth.num_auths() <= ${max}: an authority has too many members",
			nodeerr.Data{"max": limit})
	}
	for _, m := range auth.AccountAuths {
		if e.Accounts.Get(m.Account) == nil {
			return nodeerr.New(noAccount, "do_evaluate", "an authority names the account ${id}, which does not exist",
				nodeerr.Data{"id": m.Account})
		}
	}
	return nil
}

// verifyProxy checks that the voting account exists. Of the options of a new
// account nothing else is checked: unknown vote ids are refused only in updates.
func verifyProxy(e *Engine, o *ledger.AccountOptions) *nodeerr.Error {
	if e.Accounts.Get(o.VotingAccount) != nil {
		return nil
	}
	return refuse("d.find_object(options.voting_account): the voting account ${id} does not exist", nodeerr.Data{"id": o.VotingAccount})
}

func applyAccountCreate(e *Engine, op *ledger.AccountCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	id := e.Accounts.Add(ledger.Account{
		Registrar: op.Registrar, Name: op.Name, Owner: op.Owner, Active: op.Active, Options: op.Options,
	})
	e.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) { d.AccountsRegisteredThisInterval++ })
	e.Details.Add(e.HeadTime(), state.TransactionDetail{From: op.Registrar, To: id, Kind: state.DetailAccountCreate, Fee: op.Fee})
	return objectResult(id.Object()), nil
}

func newAuthorities(op *ledger.AccountUpdateOp) []*ledger.Authority {
	var auths []*ledger.Authority
	for _, auth := range []*ledger.Authority{op.Owner, op.Active} {
		if auth != nil {
			auths = append(auths, auth)
		}
	}
	return auths
}

func validateAccountUpdate(op *ledger.AccountUpdateOp) *nodeerr.Error {
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

func evaluateAccountUpdate(e *Engine, op *ledger.AccountUpdateOp) *nodeerr.Error {
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

func verifyVotes(e *Engine, o *ledger.AccountOptions) *nodeerr.Error {
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
func verifySubscriptionPrice(e *Engine, price ledger.AssetAmount) *nodeerr.Error {
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

func applyAccountUpdate(e *Engine, op *ledger.AccountUpdateOp) (ledger.OperationResult, *nodeerr.Error) {
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
