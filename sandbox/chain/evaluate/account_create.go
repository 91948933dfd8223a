package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func validateAccountCreate(op *ledger.AccountCreateOp) *nodeerr.Fault {
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
func validateAuthority(auth *ledger.Authority) *nodeerr.Fault {
	if auth.Members() == 0 || auth.WeightThreshold == 0 {
		return invalid("auth.num_auths() > 0: an authority that nobody has, or everybody", nil)
	}
	if auth.Impossible() {
		return invalid("!auth.is_impossible(): an account cannot have an impossible authority threshold", nil)
	}
	return nil
}

func validateAccountOptions(o *ledger.AccountOptions) *nodeerr.Fault {
	if int(o.NumMiner) > len(o.Votes) {
		return invalid("votes.size() >= num_miner: May not specify fewer miners than the number voted for", nil)
	}
	if o.AllowSubscription && (o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > 365 || o.PricePerSubscribe.Amount <= 0) {
		return invalid("subscription_period > 0 && subscription_period <= 365 && price_per_subscribe.amount > 0: ", nil)
	}
	return nil
}

func evaluateAccountCreate(e *Engine, op *ledger.AccountCreateOp) *nodeerr.Fault {
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
func verifyMembers(e *Engine, auth *ledger.Authority, tooLarge, noAccount nodeerr.Code) *nodeerr.Fault {
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
func verifyProxy(e *Engine, o *ledger.AccountOptions) *nodeerr.Fault {
	if e.Accounts.Get(o.VotingAccount) != nil {
		return nil
	}
	return refuse("d.find_object(options.voting_account): the voting account ${id} does not exist", nodeerr.Data{"id": o.VotingAccount})
}

func applyAccountCreate(e *Engine, op *ledger.AccountCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	id := e.Accounts.Add(ledger.Account{
		Registrar: op.Registrar, Name: op.Name, Owner: op.Owner, Active: op.Active, Options: op.Options,
	})
	e.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) { d.AccountsRegisteredThisInterval++ })
	e.Details.Add(e.HeadTime(), state.TransactionDetail{From: op.Registrar, To: id, Kind: state.DetailAccountCreate, Fee: op.Fee})
	return objectResult(id.Object()), nil
}
