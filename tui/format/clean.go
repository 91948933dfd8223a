package format

import "billfold/ledger/printable"

// Clean makes text that somebody else wrote safe for one row of the screen: nothing in it moves, hides or reorders anything.
func Clean(text string) string { return printable.Text(text) }
