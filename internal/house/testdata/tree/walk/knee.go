package walk

func knee() string { return Bare{}.String() }
