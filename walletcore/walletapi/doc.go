// Package walletapi is the catalogue of wallet operations: every operation by
// name, in one table. An operation is a struct of parameters, a function and one
// line; everything else is read from the types and their tags, once. The RPC
// server, the tokens, the shell's call, help and the documentation all read the
// table, so they cannot disagree.
//
//	read, write, locks, keys, passwords, spend ──► Method ──► Methods, the table
//	    (struct of parameters, function, doc)        │
//	                                                 ├─► names, types, roles ──► help, docs, OpenRPC, tokens
//	                                                 │
//	method + parameters ──► Bind, once ──► struct ───┴─► lock, approval ──► function ──► JSON by the ledger's rules
//
// Bind's result is shared: the token's checks and the approval look at the same
// struct that the function gets. The constructors and Catalogue.Call enforce what
// must hold for every operation; no function of the table does.
//
// Names, order and shapes of parameters and results are those of the reference
// wallet (docs/protocol/wallet-api.md); where docs/protocol/interface.md differs, it wins.
// Parameters are read as leniently as the reference reads them: "true", true
// and 1 are a boolean, "5" and 5 a number, and so are 5.0 and 50e-1. Objects are read strictly: an unknown,
// missing or repeated member is an error.
package walletapi
