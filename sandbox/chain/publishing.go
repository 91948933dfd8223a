package chain

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var publishingManager = publishingManagerEvaluator()

func publishingManagerEvaluator() evaluator {
	ev := touching(typed(valid[*ledger.SetPublishingManagerOp], (*State).evaluatePublishingManager, (*State).applyPublishingManager),
		func(op *ledger.SetPublishingManagerOp) []ledger.AccountID { return op.To })
	ev.needs = func(body ledger.Body, need *required) {
		need.active = append(need.active, body.FeePayer(), ledger.PublishingMaster)
	}
	return ev
}

var publishingRight = touching(typed(valid[*ledger.SetPublishingRightOp], (*State).evaluatePublishingRight, (*State).applyPublishingRight),
	func(op *ledger.SetPublishingRightOp) []ledger.AccountID { return op.To })

// PublishingManagers gives at most limit managers in the order of their names,
// beginning at lower.
func (s *State) PublishingManagers(lower string, limit int) []ledger.AccountID {
	list := []ledger.AccountID{}
	for _, name := range from(s.names, lower) {
		if a := s.AccountByName(name); a.RightsToPublish.IsPublishingManager && len(list) < limit {
			list = append(list, a.ID)
		}
	}
	return list
}

func (s *State) evaluatePublishingManager(op *ledger.SetPublishingManagerOp) *nodeerr.Fault {
	if fault := s.accountsExist("db().find_object(id): Account does not exist", op.To...); fault != nil {
		return fault
	}
	return demand("do_evaluate", condition{op.From == ledger.PublishingMaster, "o.from == account_id_type(15): This operation is permitted only to DECENT account", nil})
}

// applyPublishingManager has two flaws of the reference, which its ledger
// depends on: of several accounts only the first is named, and a dismissed
// manager's publishers keep their rights in their own objects.
func (s *State) applyPublishingManager(op *ledger.SetPublishingManagerOp) (ledger.OperationResult, *nodeerr.Fault) {
	to := op.To
	if op.CanCreatePublishers {
		to = to[:min(1, len(to))]
	}
	for _, id := range to {
		s.changeRights(id, func(r *ledger.PublishingRights) {
			r.IsPublishingManager = op.CanCreatePublishers
			if !op.CanCreatePublishers {
				r.Forwarded = nil
			}
		})
	}
	return voidResult(), nil
}

func (s *State) evaluatePublishingRight(op *ledger.SetPublishingRightOp) *nodeerr.Fault {
	from := s.Account(op.From)
	if from == nil {
		return nodeerr.NotFound(op.From.Object())
	}
	if fault := s.accountsExist("db().find_object(id): Account does not exist", op.To...); fault != nil {
		return fault
	}
	return demand("do_evaluate", condition{from.RightsToPublish.IsPublishingManager, "from_acc.rights_to_publish.is_publishing_manager: Account does not have permission to give publishing rights", nil})
}

func (s *State) applyPublishingRight(op *ledger.SetPublishingRightOp) (ledger.OperationResult, *nodeerr.Fault) {
	change := without[ledger.AccountID]
	if op.IsPublisher {
		change = with[ledger.AccountID]
	}
	for _, id := range op.To {
		s.changeRights(op.From, func(r *ledger.PublishingRights) { r.Forwarded = change(r.Forwarded, id) })
		s.changeRights(id, func(r *ledger.PublishingRights) { r.Received = change(r.Received, op.From) })
	}
	return voidResult(), nil
}

func (s *State) changeRights(id ledger.AccountID, edit func(*ledger.PublishingRights)) {
	s.accounts.change(uint64(id), func(a *ledger.Account) { edit(&a.RightsToPublish) })
}

// with and without give a sorted list that has, or has not, the element; the
// list itself may be read by others and stays.
func with[T ~uint64](list []T, element T) []T {
	return ascending(append(slices.Clone(list), element))
}

func without[T ~uint64](list []T, element T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(other T) bool { return other == element })
}
