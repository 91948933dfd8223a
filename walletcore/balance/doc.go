// Package balance computes the past balances of an account, hour by hour, backwards from what it holds now, from what
// its operations did to them.
//
// The sums of hours are kept in the history index, for final rows only, and are computed once: newer rows are added as
// they become final, older ones when somebody asks that far back. An operation that does not state what it moved ends
// what is known; nothing is guessed.
package balance
