// Package produce makes blocks: it decides whose turn it is, fills blocks, and does
// what is due after each: elections, the miners' budget and pay, and expirations.
//
// Elections, the order of the miners, slots, missed slots and the budget follow
// the reference after its last hard fork, to the unit, with one exception: a block
// may come before its slot begins. It then takes the next slot, and its miner gets
// no more of the fees than what is left of the budget.
package produce
