// Package walk breaks every rule once.
package walk

type Bare struct{}

// String is one of the standard library's.
func (b Bare) String() string { return "" }
