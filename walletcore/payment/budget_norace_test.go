//go:build !race

package payment_test

// budgetPayments is how many payments one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 100

// budgetCommits is how many commits 64 callers may need for 100 payments.
const budgetCommits = 50
