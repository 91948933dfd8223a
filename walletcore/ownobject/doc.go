// Package ownobject keeps the last states of the objects that the wallet's accounts control, so that one change of an object is
// not undone by another.
//
// The ledger replaces such objects whole or in large parts: who sets a vote writes the memo key too. So every change rests on a
// state, and two that rest on the same one undo each other. The states of an object are numbered rows of the store. A change
// is built on the highest one, and the commit that has its payment writes the next: whoever comes second, in this process or any
// other that shares the store, finds the number taken and builds its change anew (store.ErrObjectChanged). No lock is
// held while a person reads or a daemon answers.
//
//	rows ──► expected state E ─┐
//	                           ├─ equal: build on it; own change under way: wait; else: somebody else changed it, or a daemon lies
//	daemon ─► present state N ─┘
package ownobject
