// Package walletapi is the catalogue of wallet operations: every operation by
// name, in one table, with its parameters, result, help, secrecy and handler.
// The RPC server, the shell's call, help and the documentation all read it, so
// they cannot disagree.
//
//	method + parameters ──► Catalogue.Call ──► conversion by the table ──► handler ──► walletcore
//	                                                                         │
//	                         JSON by the ledger's rules ◄────────────────────┘
//
// Names, order and shapes of parameters and results are those of the reference
// wallet (protocol/wallet-api.md); where INTERFACE.md differs it wins.
// Parameters are read as leniently as the reference reads them: "true", true
// and 1 are a boolean, "5" and 5 a number.
package walletapi
