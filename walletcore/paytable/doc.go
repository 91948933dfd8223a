// Package paytable pays a table that a person typed or pasted: the payout of a file, without the file.
//
//	text ─► payout.ReadTable ─► rows ─► accounts, assets ─► what is paid already ─► transactions, built and reviewed ─► a person ─► sent one by one
//
// It promises that nothing is sent before all of it was built, reviewed together and compared with the balance, and that a table which is paid
// again pays only what the journal does not have: the plan follows from its rows, and the request keys from the plan, as those of a file do. It
// refuses the table if a row is wrong, with the fault of each, and what another payout of the account made.
package paytable
