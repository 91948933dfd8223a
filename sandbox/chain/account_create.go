package chain

import "billfold/ledger"

var accountCreate = evaluator{
	validate: func(op ledger.Body) *Fault { return validateAccountCreate(op.(*ledger.AccountCreateOp)) },
	evaluate: func(s *State, op ledger.Body) *Fault {
		return s.evaluateAccountCreate(op.(*ledger.AccountCreateOp))
	},
	apply: func(s *State, op ledger.Body) (ledger.OperationResult, *Fault) {
		return s.applyAccountCreate(op.(*ledger.AccountCreateOp)), nil
	},
	touches: func(op ledger.Body, result ledger.OperationResult) []ledger.AccountID {
		o := op.(*ledger.AccountCreateOp)
		return append(membersOf(&o.Owner, &o.Active), ledger.AccountID(result.Object.Instance()))
	},
}

func validateAccountCreate(op *ledger.AccountCreateOp) *Fault {
	if err := ledger.ValidAccountName(op.Name); err != nil {
		return assert("validate", "is_valid_name( name ): ${why}", Data{"why": err.Error()})
	}
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := validateAuthority(auth); fault != nil {
			return fault
		}
	}
	return validateAccountOptions(&op.Options)
}

// validateAuthority refuses what nobody could ever satisfy, or everybody could.
func validateAuthority(auth *ledger.Authority) *Fault {
	if auth.Members() == 0 || auth.WeightThreshold == 0 {
		return assert("validate", "auth.num_auths() > 0: an authority that nobody has, or everybody", nil)
	}
	if auth.Impossible() {
		return assert("validate", "!auth.is_impossible(): an account cannot have an impossible authority threshold", nil)
	}
	return nil
}

func validateAccountOptions(o *ledger.AccountOptions) *Fault {
	if int(o.NumMiner) > len(o.Votes) {
		return assert("validate", "votes.size() >= num_miner: May not specify fewer miners than the number voted for", nil)
	}
	if o.AllowSubscription && (o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > 365 || o.PricePerSubscribe.Amount <= 0) {
		return assert("validate", "subscription_period > 0 && subscription_period <= 365 && price_per_subscribe.amount > 0: ", nil)
	}
	return nil
}

func (s *State) evaluateAccountCreate(op *ledger.AccountCreateOp) *Fault {
	for _, auth := range []*ledger.Authority{&op.Owner, &op.Active} {
		if fault := s.verifyMembers(auth, CodeAuthTooLarge, CodeAuthNoAccount); fault != nil {
			return fault
		}
	}
	if fault := s.verifyProxy(&op.Options); fault != nil {
		return fault
	}
	if s.AccountByName(op.Name) != nil {
		return assert("do_evaluate", "current_account_itr == acnt_indx.indices().get<by_name>().end(): the account name '${name}' is taken", Data{"name": op.Name})
	}
	return nil
}

// verifyMembers checks the size of an authority and that its accounts exist.
func (s *State) verifyMembers(auth *ledger.Authority, tooLarge, noAccount Code) *Fault {
	limit := int(s.global.Parameters.MaximumAuthorityMembership)
	if auth.Members() > limit {
		return NewFault(tooLarge, "do_evaluate", "auth.num_auths() <= ${max}: an authority has too many members", Data{"max": limit})
	}
	for _, m := range auth.AccountAuths {
		if s.Account(m.Account) == nil {
			return NewFault(noAccount, "do_evaluate", "an authority names the account ${id}, which does not exist", Data{"id": m.Account})
		}
	}
	return nil
}

// verifyProxy is all that is checked of the options of a new account: a vote
// for nobody is refused only when an account is updated.
func (s *State) verifyProxy(o *ledger.AccountOptions) *Fault {
	if s.Account(o.VotingAccount) != nil {
		return nil
	}
	return assert("do_evaluate", "d.find_object(options.voting_account): the voting account ${id} does not exist", Data{"id": o.VotingAccount})
}

func (s *State) applyAccountCreate(op *ledger.AccountCreateOp) ledger.OperationResult {
	id := s.addAccount(ledger.Account{
		Registrar: op.Registrar, Name: op.Name, Owner: op.Owner, Active: op.Active, Options: op.Options,
	})
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) { d.AccountsRegisteredThisInterval++ })
	s.addDetail(TransactionDetail{From: op.Registrar, To: id, Kind: detailAccountCreate, Fee: op.Fee})
	return objectResult(id.Object())
}
