// Package balance knows what the balances of an account were: from what its operations did to them, hour by hour, backwards
// from what it holds now.
//
// The sums of hours are kept in the history index, those of final rows only, and are made once: newer rows are added as
// they become final, older ones when somebody asks that far back. A row that does not say what it moved ends what is known;
// nothing is guessed.
package balance
