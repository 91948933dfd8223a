package strength

import "testing"

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}

func BenchmarkGuesses(b *testing.B) {
	e := New()
	for b.Loop() {
		e.Guesses("correct horse battery staple, and more of that until it is 64 letters long")
	}
}
