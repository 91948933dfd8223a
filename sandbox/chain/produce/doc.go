// Package produce makes blocks: whose turn it is, what a block holds, and what is
// due after it: elections, the budget and pay of the miners, what expires.
//
// Elections, the order of the miners, slots, missed slots and the budget follow
// the reference after its last hard fork, to the unit, but for one thing: a block
// may come before its slot begins. It takes the next slot then, and of the fees
// its miner gets no more than what is left of the budget.
package produce
