package store_test

import (
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Notes that cannot be written, and are more than a commit takes, keep nobody behind them from an answer.
func TestCallersBehindNotesAreFound(t *testing.T) {
	const maxAtOnce = 256 // changes that go into one commit
	q := commits.NewQueue()
	for range maxAtOnce + 10 {
		q.Put(commits.NewNote(store.Change{}))
	}
	caller := commits.NewUrgent(nil)
	q.Put(caller)
	q.PutBack(q.Take())
	if found := q.TakeCallers(); len(found) != 1 || found[0] != caller {
		t.Fatalf("found are %d", len(found))
	}
	if q.HasUrgent() {
		t.Error("the caller still waits")
	}
	if first, rest := len(q.Take()), len(q.Take()); first != maxAtOnce || rest != 10 {
		t.Errorf("%d and %d notes are left", first, rest)
	}
}
