package main

import (
	"slices"
	"testing"
)

// TestRules applies every rule to a tree that breaks each.
func TestRules(t *testing.T) {
	got, err := faults("testdata/tree")
	want := []string{
		"walk/walk.go:4: Bare is exported without a comment: say what it returns or holds, or do not export it",
		"walk/walk_test.go:6: the standard library is imported first, then this module, then others, with an empty line between",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
	if err := judge("testdata/tree"); err == nil {
		t.Error("the tree passes")
	}
}

func TestYardsticks(t *testing.T) {
	files, err := product("testdata/tree")
	if want := []productFile{{"walk/walk.go", 7, 1}}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%+v %v, want %+v", files, err, want)
	}
	if got := preambleLines("package a\n\nimport \"b\"\n\nimport (\n\t\"c\"\n)\n\nvar d = 1\n"); got != 5 {
		t.Errorf("package and imports are %d lines, want 5", got)
	}
}
