// Package stories tells tests which of them the everyday suite leaves to make stories.
package stories

import (
	"os"
	"testing"
)

// Played reports whether this run plays the long stories: STORIES=all, as make stories and .ci/run have it.
func Played() bool { return os.Getenv("STORIES") == "all" }

// Long skips a test that the everyday suite leaves out: it plays with whole processes or in real time, or computes for long, and
// tests of the parts try the same steps in a fraction of the time.
func Long(t testing.TB) {
	t.Helper()
	if !Played() {
		t.Skip("make stories plays it, as does STORIES=all: it takes long")
	}
}
