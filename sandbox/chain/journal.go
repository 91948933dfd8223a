package chain

// journal remembers how to take changes back, newest last.
type journal struct{ undo []func() }

func (j *journal) add(undo func()) { j.undo = append(j.undo, undo) }

// mark is the point that rewind returns to.
func (j *journal) mark() int { return len(j.undo) }

// rewind takes back everything done since mark, newest first.
func (j *journal) rewind(mark int) {
	for i := len(j.undo) - 1; i >= mark; i-- {
		j.undo[i]()
		j.undo[i] = nil
	}
	j.undo = j.undo[:mark]
}

// forget makes everything done so far final.
func (j *journal) forget() { j.undo = nil }

// table holds the objects of one type by instance. A row is never changed in
// place, so that readers may keep it.
type table[T any] struct {
	j    *journal
	rows []*T
}

// next is the instance that insert will give.
func (t *table[T]) next() uint64 { return uint64(len(t.rows)) }

// get gives the row, or nil when there is none.
func (t *table[T]) get(instance uint64) *T {
	if instance >= uint64(len(t.rows)) {
		return nil
	}
	return t.rows[instance]
}

func (t *table[T]) insert(row *T) {
	t.rows = append(t.rows, row)
	t.j.add(func() { t.rows = t.rows[:len(t.rows)-1] })
}

// change replaces the row by a copy that edit has changed.
func (t *table[T]) change(instance uint64, edit func(*T)) {
	old := t.rows[instance]
	row := *old
	edit(&row)
	t.rows[instance] = &row
	t.j.add(func() { t.rows[instance] = old })
}

// remove leaves a hole where the row was; its instance is not given again.
func (t *table[T]) remove(instance uint64) {
	old := t.rows[instance]
	t.rows[instance] = nil
	t.j.add(func() { t.rows[instance] = old })
}

// setKey sets m[key] and remembers what was there.
func setKey[K comparable, V any](j *journal, m map[K]V, key K, value V) {
	old, had := m[key]
	m[key] = value
	j.add(func() {
		if had {
			m[key] = old
		} else {
			delete(m, key)
		}
	})
}

// appendKey appends to the list m[key]. The list is only ever cut back to a
// length it had, so earlier readers keep a valid view.
func appendKey[K comparable, V any](j *journal, m map[K][]V, key K, value V) {
	list, had := m[key]
	n := len(list)
	m[key] = append(list, value)
	j.add(func() {
		if !had {
			delete(m, key)
			return
		}
		m[key] = m[key][:n:n]
	})
}
