package walk

type leg struct{}

func (leg) bend() string { return knee() }
