package evaluate

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func publishingRules() []registration {
	return []registration{
		operationRule[*ledger.SetPublishingManagerOp]{evaluate: evaluatePublishingManager, apply: applyPublishingManager},
		operationRule[*ledger.SetPublishingRightOp]{evaluate: evaluatePublishingRight, apply: applyPublishingRight},
	}
}

func evaluatePublishingManager(e *Engine, op *ledger.SetPublishingManagerOp) *nodeerr.Error {
	if fault := accountsExist(e.State, "db().find_object(id): Account does not exist", op.To...); fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{op.From == ledger.PublishingMaster, "o.from == account_id_type(15): This operation is permitted only to DECENT account",
			nil})
}

// applyPublishingManager reproduces two flaws of the reference, on which its ledger
// depends: of several accounts only the first becomes a manager, and a dismissed
// manager's publishers keep their rights in their own objects.
func applyPublishingManager(e *Engine, op *ledger.SetPublishingManagerOp) (ledger.OperationResult, *nodeerr.Error) {
	to := op.To
	if op.CanCreatePublishers {
		to = to[:min(1, len(to))]
	}
	for _, id := range to {
		changeRights(e, id, func(r *ledger.PublishingRights) {
			r.IsPublishingManager = op.CanCreatePublishers
			if !op.CanCreatePublishers {
				r.Forwarded = nil
			}
		})
	}
	return voidResult(), nil
}

func evaluatePublishingRight(e *Engine, op *ledger.SetPublishingRightOp) *nodeerr.Error {
	from := e.Accounts.Get(op.From)
	if from == nil {
		return nodeerr.NotFound(op.From.Object())
	}
	if fault := accountsExist(e.State, "db().find_object(id): Account does not exist", op.To...); fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{from.RightsToPublish.IsPublishingManager,
			"from_acc.rights_to_publish.is_publishing_manager: Account does not have permission to give publishing rights", nil})
}

func applyPublishingRight(e *Engine, op *ledger.SetPublishingRightOp) (ledger.OperationResult, *nodeerr.Error) {
	change := without[ledger.AccountID]
	if op.IsPublisher {
		change = with[ledger.AccountID]
	}
	for _, id := range op.To {
		changeRights(e, op.From, func(r *ledger.PublishingRights) { r.Forwarded = change(r.Forwarded, id) })
		changeRights(e, id, func(r *ledger.PublishingRights) { r.Received = change(r.Received, op.From) })
	}
	return voidResult(), nil
}

func changeRights(e *Engine, id ledger.AccountID, edit func(*ledger.PublishingRights)) {
	e.Accounts.Change(id, func(a *ledger.Account) { edit(&a.RightsToPublish) })
}

// with returns a sorted copy of the list that contains the element.
func with[T ~uint64](list []T, element T) []T {
	next := append(slices.Clone(list), element)
	slices.Sort(next)
	return slices.Compact(next)
}

// without returns a copy of the list without the element.
func without[T ~uint64](list []T, element T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(other T) bool { return other == element })
}
