package store_test

import (
	"context"
	"errors"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// What nobody waits for may be answered as often as the writer likes: it never waits for a reader.
func TestANoteKeepsNobodyWaiting(t *testing.T) {
	c := commits.NewNote(store.Change{})
	for range 3 {
		c.LeaveOpen(errors.New("the line broke"))
		c.Resolve(errors.New("it was not kept"))
		c.Answer(nil)
	}
	c.Abandon()
}

// A caller hears what became of a commit, however late, and that nobody will ever know.
func TestACallerHearsTheOutcome(t *testing.T) {
	ended := make(chan struct{})
	early, leave := context.WithCancel(t.Context())
	leave()
	lost := errors.New("it was not kept")
	for name, x := range map[string]struct {
		tell func(*commits.Change)
		want error
	}{
		"kept":      {func(c *commits.Change) { c.Answer(nil) }, nil},
		"refused":   {func(c *commits.Change) { c.Answer(store.ErrKeyTaken) }, store.ErrKeyTaken},
		"settled":   {func(c *commits.Change) { c.LeaveOpen(errors.New("the line broke")); c.Resolve(lost) }, lost},
		"abandoned": {func(c *commits.Change) { c.LeaveOpen(errors.New("the line broke")); c.Abandon() }, store.ErrUncertain},
	} {
		c := commits.New([]store.Change{{}})
		left, ok := errors.AsType[*store.PendingError](c.Await(early, ended))
		if !ok {
			t.Fatalf("%s: a caller who left was answered", name)
		}
		if x.tell(c); !errors.Is(left.Outcome(), x.want) {
			t.Errorf("%s: it hears something else", name)
		}
	}
	close(ended)
	if err := commits.New(nil).Await(t.Context(), ended); !errors.Is(err, store.ErrClosed) {
		t.Errorf("after the end it hears %v", err)
	}
}
