//go:build race

package payment_test

// budgetPayments is the number of payments that one caller makes to have their calls, commits and allocations counted.
const budgetPayments = 50

// budgetCommits is the maximum number of commits of 64 callers for 100 payments: under the race detector they come slower,
// so fewer are there to share one.
const budgetCommits = 75

// maxSentAllocations is a little more than a broadcast transfer with memo costs, the work of the ledger, the relay and the journal included.
const maxSentAllocations = 460
