package sqlite

import (
	"errors"
	"testing"

	"billfold/walletcore/store"
)

// moved returns where an error says that a store went, nil if it says nothing of it.
func moved(err error) *store.MovedError {
	m, _ := errors.AsType[*store.MovedError](err)
	return m
}

// Whoever has a store open while it moves writes nothing to it from the first record of the move on, also where the move ends half way and the
// file is still in its place, and is told where it went; so is whoever opens it. A move that is given up leaves it as it was.
func TestAStoreThatBeganToMoveIsWrittenByNobody(t *testing.T) {
	path, id := claimed(t, 1)
	holder := open(t, path)
	defer holder.Close()
	must(t, holder.Add(t.Context(), entry(11)))
	isMoved := func(when string, n uint32) {
		t.Helper()
		if m := moved(holder.Add(t.Context(), entry(n))); m == nil || m.Store != "elsewhere" || m.Place != "a database" {
			t.Errorf("%s: who has it open writes to it (%+v)", when, m)
		}
		if _, err := Open(path); moved(err) == nil {
			t.Errorf("%s: who opens it is told %v", when, err)
		}
		holder.file.forgetHold()
		if lost, is := errors.AsType[*store.LostError](holder.file.Fault()); !is || lost.Kind != store.Moved {
			t.Errorf("%s: its fault is %v", when, lost)
		}
	}

	s, err := Seize(t.Context(), path)
	must(t, err)
	if s.ID != id || s.Began != nil {
		t.Errorf("it is %q, and a move began: %v", s.ID, s.Began)
	}
	must(t, s.Begin("elsewhere", "a database"))
	rows, err := s.QueryContext(t.Context(), `SELECT id FROM payments`)
	must(t, err)
	n := 0
	for rows.Next() {
		n++
	}
	must(t, rows.Close())
	if n != 2 {
		t.Errorf("%d payments are taken along, want 2", n)
	}
	must(t, s.Close()) // as if the program ended here
	isMoved("half way", 12)

	s, err = Seize(t.Context(), path)
	must(t, err)
	if s.Began == nil || s.Began.Store != "elsewhere" || s.Began.Done {
		t.Errorf("the move that began is %+v", s.Began)
	}
	must(t, s.Abandon())
	must(t, s.Close())
	must(t, holder.Add(t.Context(), entry(13)))

	s, err = Seize(t.Context(), path)
	must(t, err)
	must(t, s.Begin("elsewhere", "a database"))
	must(t, s.End())
	must(t, s.Close())
	isMoved("at the end", 14)
	if _, err := Seize(t.Context(), path); moved(err) == nil || !moved(err).Done {
		t.Errorf("moved once more: %v", err)
	}
}

// An older copy under the mark of the present store is not moved: it lacks payments.
func TestAnOlderCopyDoesNotMove(t *testing.T) {
	path, _ := claimed(t, 1)
	restore := backUp(t, path)
	goOn(t, path, 2, 2)
	restore()
	if s, err := Seize(t.Context(), path); err == nil {
		_ = s.Close()
		t.Error("it is taken")
	} else if _, is := errors.AsType[*store.LostError](err); !is {
		t.Errorf("it is refused because %v", err)
	}
}
