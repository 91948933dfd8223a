//go:build !race

package payment_test

// usualPayments is how many payments the trial makes with all other tests; make
// payments makes 100,000.
const usualPayments = 1200

// budgetPayments is how many payments one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 100

// budgetCommits is how many commits 64 callers may need for 100 payments.
const budgetCommits = 50
