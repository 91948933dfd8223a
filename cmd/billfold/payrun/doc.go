// Package payrun carries out payouts with a wallet of this process or of a server: it checks a
// file against the ledger, shows the plan, has it approved once, and pays it batch by batch.
//
//	file ─► rows ─► accounts, assets ─► what is paid already ─► dry runs ─► approval ─► pay_many … ─► receipt
//
// It promises that nothing is sent before everything was checked and approved, and that a
// batch is sent under a new request key only after it is certain that the payment under the
// previous one will never happen. It refuses a file that was edited after its payout started.
package payrun
