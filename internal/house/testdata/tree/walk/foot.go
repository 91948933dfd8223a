package walk

// Foot refers to others, and none refers to it.
func Foot() string { return knee() }
