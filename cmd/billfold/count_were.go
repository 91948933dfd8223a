package main

import "billfold/ledger/printable"

// countWere returns a count with its verb, such as "1 payment was" or "2 payments were".
func countWere(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return printable.Many(n, what) + " were"
}
