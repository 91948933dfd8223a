// Package payrun carries out payouts over a wallet, of this process or of a server: it holds a
// file against the ledger, shows the plan, has it approved once, and pays it batch by batch.
//
//	file ─► rows ─► accounts, assets ─► what is paid already ─► dry runs ─► approval ─► pay_many … ─► receipt
//
// It promises that nothing is sent before everything was checked and approved, and that a
// batch is sent under another request key only when the payment under the one before is known
// never to happen. It refuses a file that was edited after its payout began.
package payrun
