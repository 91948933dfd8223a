package main

import (
	"os"
	"testing"
)

// withStories says whether this run plays long stories.
func withStories() bool { return os.Getenv("STORIES") == "all" }

// story skips a test that plays a long story with whole processes and in real time: tests of the parts try the same steps in a
// fraction of the time.
func story(t *testing.T) {
	t.Helper()
	if !withStories() {
		t.Skip("it is a long story with whole processes: make stories plays it, as does STORIES=all")
	}
}
