package fault

import (
	"strings"

	"billfold/ledger"
)

// AccountUnknown returns the error for an account that the ledger does not have.
func AccountUnknown(nameOrID string) *Error {
	if none := noID(NoSuchAccount, "get_account", nameOrID); none != nil {
		return none
	}
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

// OfRecipient returns the error of a look for the account that op is to pay: one that finds none is RecipientUnknown.
func OfRecipient(op, text string, err error) error {
	if code := CodeOf(err); code == NoSuchAccount || code == EmptyAccount {
		return RecipientUnknown(op, text, err)
	}
	return err
}

// RecipientUnknown returns the error for somebody to pay who is not on the ledger, which the reference distinguishes from an unknown
// sender; err, which may be nil, is why.
func RecipientUnknown(op, text string, err error) *Error {
	e := noID(NoSuchRecipient, op, text)
	if e == nil {
		e = &Error{Code: NoSuchRecipient, Op: op, Message: "there is no account " + Quote(text) + " to pay to",
			Hint: AccountSpelling(text, "check the spelling"), Meant: MeantBy(err)}
	}
	e.Hint, e.Err = e.Hint+"; nothing was sent", err
	return e
}

// AssetUnknown returns the error for an asset that the ledger does not have.
func AssetUnknown(symbolOrID string) *Error {
	if none := noID(NoSuchAsset, "get_asset", symbolOrID); none != nil {
		return none
	}
	return &Error{
		Code: NoSuchAsset, Op: "get_asset",
		Message: "there is no asset " + Quote(symbolOrID) + " on the ledger",
		Hint:    "symbols are upper case; list_assets shows them",
	}
}

// noID returns the error for what looks like an id and is none, nil for everything else.
func noID(code Code, op, text string) *Error {
	why, hint, _ := strings.Cut(ledger.IDProblem(text), "; ")
	if why == "" {
		return nil
	}
	return &Error{Code: code, Op: op, Message: why, Hint: hint}
}
