package format

import "billfold/ledger/printable"

// Clean makes text that somebody else wrote safe for one row of the screen: nothing in it moves, hides or reorders anything.
func Clean(text string) string { return printable.Text(text) }

// Caller names the program that asked something over RPC: by its token, or as one without.
func Caller(who string) string {
	if who == "anybody" {
		return "a program without a token"
	}
	return Clean(who)
}
