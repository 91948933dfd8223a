//go:build race

package payment_test

// With the race detector signatures take ten times as long; few payments are
// enough for it.
const usualPayments = 120

// budgetPayments is how many payments one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 50
