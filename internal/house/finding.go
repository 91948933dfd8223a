package main

// finding is the count of one rule in one place.
type finding struct {
	place   string // "walletcore.Wallet", or a package's folder
	count   int
	details []string // where to look, for a person
}
