package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocsNameWhatExists fails for a path of this tree, or a link to another page, that README.md or docs names and that does not exist.
func TestDocsNameWhatExists(t *testing.T) {
	files, directories := tree(t)
	pages, _ := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	top, _ := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	pages = append(append(pages, top...), filepath.Join(root, "README.md"))
	checked := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range named(string(text), directories) {
			checked++
			if found, _ := filepath.Glob(filepath.Join(root, path)); len(found) == 0 && !files[path] {
				t.Errorf("%s names %s, which is not in the tree", page, path)
			}
		}
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			checked++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not in the tree", page, link[1])
			}
		}
	}
	if checked < 50 {
		t.Errorf("found %d paths and links in %d pages; there are more", checked, len(pages))
	}
}

// TestCommentsCiteWhatExists fails for a page below docs that a comment names and that is not there, and for a section that it has not.
func TestCommentsCiteWhatExists(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, c := range cited.FindAllStringSubmatch(string(text), -1) {
			checked++
			page, err := os.ReadFile(filepath.Join(root, c[1]))
			if err != nil {
				t.Errorf("%s cites %s, which is not in the tree", path, c[1])
				continue
			}
			if heading := regexp.MustCompile(`(?m)^#{2,3} ` + regexp.QuoteMeta(c[2]) + `[. ]`); c[2] != "" && !heading.Match(page) {
				t.Errorf("%s cites section %s of %s, which has none", path, c[2], c[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 50 {
		t.Errorf("%d citations were found; there are more", checked)
	}
}

var cited = regexp.MustCompile(`//.*?(docs/(?:protocol|design)/[a-z0-9-]+\.md)(?: ([0-9]+(?:\.[0-9]+)?))?`)

var (
	quoted = regexp.MustCompile("`([^`\n]+)`")
	links  = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// named returns the paths in text's code spans: words below a top-level directory, arguments such as ./ledger, and the names of
// Go files.
func named(text string, directories map[string]bool) []string {
	var paths []string
	for _, span := range quoted.FindAllStringSubmatch(text, -1) {
		for _, word := range strings.Fields(span[1]) {
			head, rest, below := strings.Cut(word, "/")
			switch {
			case word == "./...", strings.HasSuffix(word, ".deb"), strings.HasSuffix(word, ".rpm"): // a package is made by make release
			case head == "." && below:
				paths = append(paths, rest)
			case below && directories[head], strings.HasSuffix(word, ".go"):
				paths = append(paths, word)
			}
		}
	}
	return paths
}

// tree returns the names of the tree's Go files, and its top-level directories.
func tree(t *testing.T) (files, directories map[string]bool) {
	files, directories = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir() && filepath.Dir(path) == root:
			directories[d.Name()] = true
		case strings.HasSuffix(path, ".go"):
			files[d.Name()] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, directories
}
