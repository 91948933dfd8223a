package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var accountCreate = evaluator{
	validate: func(op ledger.Body) *nodeerr.Fault { return validateAccountCreate(op.(*ledger.AccountCreateOp)) },
	evaluate: func(s *State, op ledger.Body) *nodeerr.Fault {
		return s.evaluateAccountCreate(op.(*ledger.AccountCreateOp))
	},
	apply: func(s *State, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault) {
		return s.applyAccountCreate(op.(*ledger.AccountCreateOp)), nil
	},
	touches: func(op ledger.Body, result ledger.OperationResult) []ledger.AccountID {
		o := op.(*ledger.AccountCreateOp)
		return append(membersOf(&o.Owner, &o.Active), ledger.AccountID(result.Object.Instance()))
	},
}

func validateAccountCreate(op *ledger.AccountCreateOp) *nodeerr.Fault {
	if err := ledger.ValidAccountName(op.Name); err != nil {
		return nodeerr.Assert("validate", "is_valid_name( name ): ${why}", nodeerr.Data{"why": err.Error()})
	}
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := validateAuthority(auth); fault != nil {
			return fault
		}
	}
	return validateAccountOptions(&op.Options)
}

// validateAuthority refuses what nobody could ever satisfy, or everybody could.
func validateAuthority(auth *ledger.Authority) *nodeerr.Fault {
	if auth.Members() == 0 || auth.WeightThreshold == 0 {
		return nodeerr.Assert("validate", "auth.num_auths() > 0: an authority that nobody has, or everybody", nil)
	}
	if auth.Impossible() {
		return nodeerr.Assert("validate", "!auth.is_impossible(): an account cannot have an impossible authority threshold", nil)
	}
	return nil
}

func validateAccountOptions(o *ledger.AccountOptions) *nodeerr.Fault {
	if int(o.NumMiner) > len(o.Votes) {
		return nodeerr.Assert("validate", "votes.size() >= num_miner: May not specify fewer miners than the number voted for", nil)
	}
	if o.AllowSubscription && (o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > 365 || o.PricePerSubscribe.Amount <= 0) {
		return nodeerr.Assert("validate", "subscription_period > 0 && subscription_period <= 365 && price_per_subscribe.amount > 0: ", nil)
	}
	return nil
}

func (s *State) evaluateAccountCreate(op *ledger.AccountCreateOp) *nodeerr.Fault {
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := s.verifyMembers(auth, nodeerr.CodeAuthTooLarge, nodeerr.CodeAuthNoAccount); fault != nil {
			return fault
		}
	}
	if fault := s.verifyProxy(&op.Options); fault != nil {
		return fault
	}
	if s.AccountByName(op.Name) != nil {
		return nodeerr.Assert("do_evaluate", "current_account_itr == acnt_indx.indices().get<by_name>().end(): the account name '${name}' is taken", nodeerr.Data{"name": op.Name})
	}
	return nil
}

// verifyMembers checks the size of an authority and that its accounts exist.
func (s *State) verifyMembers(auth *ledger.Authority, tooLarge, noAccount nodeerr.Code) *nodeerr.Fault {
	limit := int(s.global.Parameters.MaximumAuthorityMembership)
	if auth.Members() > limit {
		return nodeerr.New(tooLarge, "do_evaluate", "auth.num_auths() <= ${max}: an authority has too many members", nodeerr.Data{"max": limit})
	}
	for _, m := range auth.AccountAuths {
		if s.Account(m.Account) == nil {
			return nodeerr.New(noAccount, "do_evaluate", "an authority names the account ${id}, which does not exist", nodeerr.Data{"id": m.Account})
		}
	}
	return nil
}

// verifyProxy is all that is checked of the options of a new account: a vote
// for nobody is refused only when an account is updated.
func (s *State) verifyProxy(o *ledger.AccountOptions) *nodeerr.Fault {
	if s.Account(o.VotingAccount) != nil {
		return nil
	}
	return nodeerr.Assert("do_evaluate", "d.find_object(options.voting_account): the voting account ${id} does not exist", nodeerr.Data{"id": o.VotingAccount})
}

func (s *State) applyAccountCreate(op *ledger.AccountCreateOp) ledger.OperationResult {
	id := s.addAccount(ledger.Account{
		Registrar: op.Registrar, Name: op.Name, Owner: op.Owner, Active: op.Active, Options: op.Options,
	})
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) { d.AccountsRegisteredThisInterval++ })
	s.addDetail(TransactionDetail{From: op.Registrar, To: id, Kind: detailAccountCreate, Fee: op.Fee})
	return objectResult(id.Object())
}
