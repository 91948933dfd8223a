package build

import "billfold/walletcore/fault"

// checks are the parts of a review that are read from a daemon or from what was accepted before. Each is marked as done by
// the function that does it, as its last step. So a review that lacks one, because its error was lost on the way or it was
// not made, is not taken for a whole one.
type checks uint16

const (
	checkedAssets     checks = 1 << iota // no daemon contradicts what is known of the assets
	checkedEffects                       // what else changes, and the names of everything
	checkedBalances                      // what the payers hold
	checkedKeys                          // for whom the keys sign
	checkedDependents                    // which own accounts depend on those that change
	checkedControls                      // who may act for accounts afterwards
	checkedProposed                      // what the new proposals would do
	checkedApproved                      // what the approved proposals would do
	checkedHistory                       // who was paid before, and what was done lately
	checkedAccepted                      // what differs from when it was last accepted
)

const (
	explainedChecks = checkedEffects | checkedDependents | checkedControls
	followedChecks  = checkedKeys | checkedDependents | checkedControls | checkedProposed | checkedApproved
	approvedChecks  = explainedChecks | checkedAssets | checkedApproved | checkedBalances | checkedHistory | checkedAccepted
	signedChecks    = approvedChecks | followedChecks
	fileChecks      = signedChecks &^ checkedAccepted
)

// lacks reports whether a check of all was not made.
func (c checks) lacks(all checks) bool { return c&all != all }

// CheckWhole refuses a review of operations that were built elsewhere which lacks one of the checks that Undoing, Effects,
// Balances, Follow and Compare make. Error: fault.Internal.
func (r Review) CheckWhole() error { return r.checkWhole(fileChecks) }

// checkWhole refuses a review that lacks one of the checks.
func (r Review) checkWhole(all checks) error {
	if !r.checked.lacks(all) {
		return nil
	}
	return &fault.Error{Code: fault.Internal, Op: "review", Message: "not everything was checked that this would do",
		Hint: "nothing was signed; ask again, and report it if it stays so"}
}
