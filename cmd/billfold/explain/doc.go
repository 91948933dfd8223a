// Package explain explains what a word is: an object id, an account, an asset, a transaction id, a public
// key, an error code, a block number, an amount or an operation. It asks the wallet and, through it, the
// ledger, and explains as much as it can without them.
//
// A word may be several things, a number for instance: each is a section of the page. A private key is never repeated.
package explain
