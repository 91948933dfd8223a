package ledger

// Supply is how all DCT is distributed, in smallest units.
type Supply struct {
	AccountBalances int64 `json:"account_balances"`
	VestingBalances int64 `json:"vesting_balances"`
	Escrows         int64 `json:"escrows"`
	Pools           int64 `json:"pools"`
}
