// Package api is the daemon interface as clients call it: the sets of methods
// (login, database, history, network_broadcast, network_node, crypto, messaging,
// monitoring), with each method by name in a table, and the sets that one
// connection may call.
//
// A method reads its arguments by their types, reads the ledger inside chain.View
// or asks a Node, and returns a value to be written as JSON. It knows neither
// envelopes nor sockets. An error that is not a nodeerr.Error has code 0.
//
// To add a method, add its entry to the table of its noun. The helpers With0 to
// With4 and read0 to read4 make a Method of a function with typed arguments.
package api
