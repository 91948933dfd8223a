// Package shell runs wallet operations that a person or a script types: one from the command
// line, or line after line at a prompt, from a file or a pipe. It reads lines
// (walletcore/commandline), asks for what is secret, shows what would be signed and asks whether
// it may be, prints results, and says how the program ends.
//
//	line ──► Parse ──► secrets asked for ──► Wallet.Call ──► review, asked ──► result, printed
//
// It refuses a password or key that stands in a line, and keeps nothing of a line that takes one.
package shell
