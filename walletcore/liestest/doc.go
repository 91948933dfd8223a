// Package liestest holds a trial, in its tests: a daemon that lies stands
// between a wallet and a ledger, and whatever it says, nothing is signed
// otherwise than asked and no wrong outcome is reported.
//
//	wallet, its files ── ws ──► liar ── ws ──► sandbox
//	                             │ lies: one table, a file per kind
//	the requests, what the liar saw broadcast, and the sandbox's blocks are compared
package liestest
