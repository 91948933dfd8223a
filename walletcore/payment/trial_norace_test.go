//go:build !race

package payment_test

// usualPayments is how many payments the trial makes with all other tests: some lives of the wallet, the first of
// which is killed. From 1,000 on, make payments among them, every kind of trouble must have come.
const usualPayments = 250

// budgetPayments is how many payments one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 100

// budgetCommits is how many commits 64 callers may need for 100 payments.
const budgetCommits = 50
