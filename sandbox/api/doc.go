// Package api is the daemon interface as its clients call it: the sets of methods
// (login, database, history, network_broadcast, network_node, crypto, messaging,
// monitoring), each method under its name in a table, and what one connection may
// call.
//
// A method reads its arguments by their types, asks the ledger inside chain.View
// or a Node, and returns what is written as JSON. It knows neither envelopes nor
// sockets. An error that is no nodeerr.Fault has code 0.
//
// To add a method, add its entry to the table of its noun; the helpers With0 to
// With4 and read0 to read4 make a Method of a function with typed arguments.
package api
