// Package shell runs wallet operations that a person or a script types: one from the command
// line, or line by line at a prompt, from a file or a pipe. It parses lines
// (walletcore/commandline), asks for secrets, shows what would be signed and asks for approval,
// prints results, and decides the exit code.
//
//	line ──► Parse ──► ask for secrets ──► Wallet.Call ──► review, approval ──► print the result
//
// It refuses a password or key in a line, and keeps no line of an operation that takes one.
package shell
