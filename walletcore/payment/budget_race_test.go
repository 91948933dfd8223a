//go:build race

package payment_test

// budgetPayments is how many payments one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 50

// budgetCommits is how many commits 64 callers may need for 100 payments: under the race detector they come slower, so
// fewer are there to share one.
const budgetCommits = 75
