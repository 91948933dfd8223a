package state

import (
	"slices"
	"strings"
)

// index finds a row by a unique key.
type index[K comparable, V any] struct {
	j *journal
	m map[K]V
}

func newIndex[K comparable, V any](j *journal) index[K, V] { return index[K, V]{j, map[K]V{}} }

func (x *index[K, V]) find(key K) (V, bool) {
	value, ok := x.m[key]
	return value, ok
}

func (x *index[K, V]) set(key K, value V) {
	old, had := x.m[key]
	x.m[key] = value
	x.j.add(func() {
		if had {
			x.m[key] = old
		} else {
			delete(x.m, key)
		}
	})
}

// lists finds the rows of a key, in the order in which they were added.
type lists[K comparable, V comparable] struct{ index[K, []V] }

func newLists[K comparable, V comparable](j *journal) lists[K, V] {
	return lists[K, V]{newIndex[K, []V](j)}
}

func (x *lists[K, V]) of(key K) []V { return x.m[key] }

// add appends to the list of the key. Undoing only shortens the list, so earlier
// readers keep a valid view.
func (x *lists[K, V]) add(key K, value V) {
	list, had := x.m[key]
	n := len(list)
	x.m[key] = append(list, value)
	x.j.add(func() {
		if !had {
			delete(x.m, key)
			return
		}
		x.m[key] = x.m[key][:n:n]
	})
}

// remove removes the value from the list of the key.
func (x *lists[K, V]) remove(key K, value V) {
	if at := slices.Index(x.m[key], value); at >= 0 {
		x.set(key, slices.Delete(slices.Clone(x.m[key]), at, at+1))
	}
}

// names is a sorted list of texts. It is changed in place: copying it for each insertion would take memory that grows
// with the square of their number.
type names struct {
	j     *journal
	value []string
}

func (n *names) insert(text string) {
	at, _ := slices.BinarySearch(n.value, text)
	n.value = slices.Insert(n.value, at, text)
	n.j.add(func() { n.value = slices.Delete(n.value, at, at+1) }) // later insertions have been undone by then
}

// from returns at most limit names, starting at lower. The caller owns the list.
func (n *names) from(lower string, limit int) []string {
	at, _ := slices.BinarySearchFunc(n.value, lower, strings.Compare)
	rest := n.value[at:]
	return slices.Clone(rest[:min(limit, len(rest))])
}
