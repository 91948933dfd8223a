package main

import "billfold/ledger/printable"

// were is so many of something, of which follows what they were.
func were(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return printable.Many(n, what) + " were"
}
