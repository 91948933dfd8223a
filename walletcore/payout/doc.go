// Package payout turns a CSV file into payments that are made once.
//
//	file ─► Read ─► rows ─► Check against the ledger ─► Plan ─► batches, each under its request key ─► receipt
//
// It owns the form of the file, the plan's identity and the form of the receipt. A plan is identified by its contents,
// not by its file: accounts, amounts, assets and memos in their order, with payer, chain and label. The request key of
// each batch follows from that, so a plan that is run again continues where it stopped and pays nothing twice, however
// it was interrupted.
//
// It promises that every fault of a file is reported with its line, and refuses whatever a spreadsheet may have
// changed: amounts are never guessed. It talks to no daemon and signs nothing itself.
package payout
