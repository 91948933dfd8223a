package fault

import "billfold/ledger"

// AccountUnknown returns the error for an account that the ledger does not have.
func AccountUnknown(nameOrID string) *Error {
	return &Error{
		Code: NoSuchAccount, Op: "get_account",
		Message: "there is no account " + Quote(nameOrID) + " on the ledger",
		Hint:    AccountSpelling(nameOrID, "check the spelling: names are lower case, and list_accounts shows them"),
	}
}

// AccountSpelling returns what to do about a word that names no account: which character of it is in no name, otherwise the hint.
func AccountSpelling(word, hint string) string {
	if foreign := ledger.ForeignCharacter(word); foreign != "" {
		return foreign + "; type the name again"
	}
	return hint
}

// AssetUnknown returns the error for an asset that the ledger does not have.
func AssetUnknown(symbolOrID string) *Error {
	return &Error{
		Code: NoSuchAsset, Op: "get_asset",
		Message: "there is no asset " + Quote(symbolOrID) + " on the ledger",
		Hint:    "symbols are upper case; list_assets shows them",
	}
}
