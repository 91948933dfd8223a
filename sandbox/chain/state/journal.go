package state

// journal records how to undo changes, newest last.
type journal struct{ undo []func() }

func (j *journal) add(undo func()) { j.undo = append(j.undo, undo) }

// rewind undoes all changes since mark, newest first.
func (j *journal) rewind(mark int) {
	for i := len(j.undo) - 1; i >= mark; i-- {
		j.undo[i]()
		j.undo[i] = nil
	}
	j.undo = j.undo[:mark]
}

// Undo holds how to undo a group of changes; see State.Commit.
type Undo struct{ steps []func() }

// Len returns the number of changes.
func (u Undo) Len() int { return len(u.steps) }
