package main_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMapMatchesTheTree compares the map of packages in docs/develop.md with the tree. A name that ends in "*/" stands for
// every package below.
func TestMapMatchesTheTree(t *testing.T) {
	named := mapped(t)
	for _, name := range named {
		if files, _ := filepath.Glob(filepath.Join(root, name, "*")); len(files) == 0 {
			t.Errorf("the map in docs/develop.md has %s, which is not in the tree", name)
		}
	}
	for _, directory := range packages(t) {
		below := slices.Contains(named, path.Dir(directory)+"/*") || slices.Contains(named, directory+"/*")
		if !below && !slices.Contains(named, directory) {
			t.Errorf("the map in docs/develop.md lacks %s", directory)
		}
	}
}

// mapped returns the directories in the map, which has one on each line, indented by two blanks more than its parent.
func mapped(t *testing.T) (named []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "develop.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## The house\n\n")
	part, _, _ = strings.Cut(part, "\n\n")
	var above []string
	for line := range strings.Lines(part + "\n") {
		inner := strings.TrimLeft(line, " ")
		depth := (len(line)-len(inner))/2 - 2
		words := strings.Fields(inner)
		if depth < 0 || depth > len(above) || len(words) < 2 || !strings.HasSuffix(words[0], "/") {
			t.Fatalf("the map in docs/develop.md has the line %q; it is a directory with a slash, and what it is for", line)
		}
		above = append(above[:depth], strings.TrimSuffix(words[0], "/"))
		named = append(named, path.Join(above...))
	}
	if len(named) < 50 {
		t.Fatalf("the map in docs/develop.md has %d directories; there are more", len(named))
	}
	return named
}

// packages returns the directories that hold Go files.
func packages(t *testing.T) (directories []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			relative, err := filepath.Rel(root, filepath.Dir(path))
			directories = append(directories, filepath.ToSlash(relative))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(directories)
	return slices.Compact(directories)
}

// TestDocsNameTheToolchain compares the least Go version to build with, in README, SECURITY.md and billfold doctor, with the toolchain in
// go.mod.
func TestDocsNameTheToolchain(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, named, found := strings.Cut(string(mod), "\ntoolchain go")
	if !found {
		t.Fatal("go.mod names no toolchain")
	}
	named, _, _ = strings.Cut(named, "\n")
	for name, words := range map[string]string{"README.md": "Go " + named + " or newer", "SECURITY.md": "Go " + named + " or newer",
		"cmd/billfold/checkup.go": `leastGo = "go` + named + `"`} {
		if text, err := os.ReadFile(filepath.Join(root, name)); err != nil || !strings.Contains(string(text), words) {
			t.Errorf("%s lacks %s, which go.mod has (%v)", name, words, err)
		}
	}
}
