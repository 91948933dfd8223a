package evaluate

import (
	"slices"

	"billfold/ledger"
)

// NewRules returns the rules of the ledger. It is the only place where they are
// listed, by family; an operation that is not among them is refused.
func NewRules() *Rules {
	r := &Rules{byCode: map[ledger.OpCode]*rule{}}
	for _, registered := range slices.Concat(
		accountRules(),
		assertRules(),
		assetRules(),
		contentRules(),
		customRules(),
		minerRules(),
		nftRules(),
		parameterRules(),
		proposalRules(r),
		publishingRules(),
		purchaseRules(),
		seederRules(),
		subscriptionRules(),
		transferRules(),
		vestingRules(),
		withdrawRules(),
	) {
		r.byCode[registered.code()] = registered.rule()
	}
	return r
}
