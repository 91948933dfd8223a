// Package walletcore is the wallet: lock state, accounts, balances, payments, history and events. It makes every
// decision about money and keys; what drives it (terminal UI, RPC server, shell commands) only asks and shows.
//
//	tui, walletapi ──► Wallet ──► keystore      (keys, own accounts; on disk)
//	                     │
//	                     └──────► daemonclient  (the ledger; untrusted, may be away)
//
// Promises: amounts are int64 in the smallest unit of their asset; what is shown for confirmation is read back from the
// bytes that will be signed; a payment whose outcome is unknown is looked up, never silently built again; no key,
// password or memo appears in an error.
//
// Refuses: a daemon of another chain, a spend while locked, an amount that the
// asset cannot express.
package walletcore
