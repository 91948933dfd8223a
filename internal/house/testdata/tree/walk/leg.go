package walk

type leg struct{}

func (leg) bend() string { return knee() }

// narrow has four methods, and wide five of its own.
type narrow interface {
	a()
	b()
	c()
	d()
}

type wide interface {
	narrow
	e()
	f()
	g()
	h()
	i()
}

var _ wide
