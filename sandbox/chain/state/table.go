package state

import "iter"

// table holds the objects of one type by instance. A row is never changed in
// place, so that readers may keep it.
type table[K ~uint64, T any] struct {
	j    *journal
	rows []*T
}

// Next returns the instance of the next row.
func (t *table[K, T]) Next() K { return K(len(t.rows)) }

// Count returns the number of rows, removed ones included.
func (t *table[K, T]) Count() uint64 { return uint64(len(t.rows)) }

// Get returns the row, or nil if there is none.
func (t *table[K, T]) Get(id K) *T {
	if uint64(id) >= uint64(len(t.rows)) {
		return nil
	}
	return t.rows[id]
}

// All yields the rows in order of instances.
func (t *table[K, T]) All() iter.Seq2[K, *T] {
	return func(yield func(K, *T) bool) {
		for n, row := range t.rows {
			if row != nil && !yield(K(n), row) {
				return
			}
		}
	}
}

// Change replaces the row by a copy that edit changes.
func (t *table[K, T]) Change(id K, edit func(*T)) {
	old := t.rows[id]
	row := *old
	edit(&row)
	t.rows[id] = &row
	t.j.add(func() { t.rows[id] = old })
}

func (t *table[K, T]) insert(row *T) {
	t.rows = append(t.rows, row)
	t.j.add(func() { t.rows = t.rows[:len(t.rows)-1] })
}

// remove leaves a hole where the row was; its instance is not reused.
func (t *table[K, T]) remove(id K) {
	old := t.rows[id]
	t.rows[id] = nil
	t.j.add(func() { t.rows[id] = old })
}

// pick returns the rows with the ids.
func (t *table[K, T]) pick(ids []K) []*T {
	list := make([]*T, len(ids))
	for i, id := range ids {
		list[i] = t.rows[id]
	}
	return list
}

// cell is one value. It is replaced, never changed in place.
type cell[T any] struct {
	j     *journal
	value T
}

func (c *cell[T]) set(value T) {
	old := c.value
	c.value = value
	c.j.add(func() { c.value = old })
}

// changeCell replaces the object of a cell by a copy that edit changes.
func changeCell[T any](c *cell[*T], edit func(*T)) {
	next := *c.value
	edit(&next)
	c.set(&next)
}
