// Package fault is the one form in which the wallet reports what went wrong.
//
// An Error says what happened, to what, and what to do next. Its Code is the kind. Each kind is ONE Row of the table in
// code.go, which holds everything that depends on it: the number over RPC, the advice on screen, and whether it proves
// that nothing was spent. To add a kind, add a constant and its row there; nothing else lists the kinds.
//
// Constructors of errors that more than one part of the wallet reports are here too: daemon.go for what the daemon
// client reports, file.go for a locked wallet, the key file and other files, ledger.go for what the ledger does not have.
package fault
