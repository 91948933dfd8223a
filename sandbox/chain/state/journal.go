package state

// journal remembers how to take changes back, newest last.
type journal struct{ undo []func() }

func (j *journal) add(undo func()) { j.undo = append(j.undo, undo) }

// rewind takes back everything done since mark, newest first.
func (j *journal) rewind(mark int) {
	for i := len(j.undo) - 1; i >= mark; i-- {
		j.undo[i]()
		j.undo[i] = nil
	}
	j.undo = j.undo[:mark]
}

// Undo takes a group of changes back; see State.Commit.
type Undo struct{ steps []func() }

// Len is the number of changes.
func (u Undo) Len() int { return len(u.steps) }
