// Package stories lets tests be skipped in the everyday suite and run by make stories.
package stories

import (
	"os"
	"testing"
)

// Played reports whether this run includes the long stories, because of STORIES=all, as make stories has it, and .ci/run while it has time.
func Played() bool { return os.Getenv("STORIES") == "all" }

// Long skips the test in the everyday suite. It is for tests that run whole processes, run in real time or compute for long, if tests
// of the parts try the same steps in a fraction of the time.
func Long(t testing.TB) {
	t.Helper()
	if !Played() {
		t.Skip("it takes long; make stories runs it, as does STORIES=all")
	}
}
