package main_test

import (
	"crypto/sha256"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const root = "../.."

// change is the change of one example to one file: a block ```diff, which begins with
// "--- path", or "+++ path" for a new file. Each hunk after a line "@@" must fit in
// exactly one place.
type change struct {
	path  string
	fresh bool
	hunks []hunk
}

type hunk struct{ old, new string }

// readExamples reads the blocks of the worked example of docs/develop.md and the commands that try them.
func readExamples(t *testing.T) (changes []change, commands [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "develop.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(text), "\n## A worked example\n")
	if !found {
		t.Fatal("docs/develop.md has no worked example")
	}
	part, _, _ = strings.Cut(part, "\n## ")
	for _, block := range strings.Split(part, "\n```")[1:] {
		switch kind, body, _ := strings.Cut(block, "\n"); kind {
		case "diff":
			changes = append(changes, readChanges(t, body)...)
		case "sh":
			for line := range strings.Lines(body + "\n") {
				if words := shellWords(t, line); len(words) > 0 {
					commands = append(commands, words)
				}
			}
		}
	}
	return changes, commands
}

// shellWords splits a line as a shell does, as far as the examples need it: into words between blanks, with text in single quotes
// unchanged. Any other character with a meaning for a shell is an error.
func shellWords(t *testing.T, line string) (words []string) {
	t.Helper()
	var word strings.Builder
	quoted, begun := false, false
	for _, c := range line {
		switch {
		case c == '\'':
			quoted, begun = !quoted, true
		case quoted:
			word.WriteRune(c)
		case unicode.IsSpace(c):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		case strings.ContainsRune("|&;<>()$`\\\"*?[#~!{}", c):
			t.Fatalf("docs/develop.md: a shell does not take %q in %q as it is: put it between single quotes", c, line)
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	if quoted {
		t.Fatalf("docs/develop.md: a quote in %q is not closed", line)
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

func readChanges(t *testing.T, body string) (list []change) {
	t.Helper()
	for line := range strings.Lines(body + "\n") {
		if path, fresh := strings.CutPrefix(line, "+++ "); fresh || strings.HasPrefix(line, "--- ") {
			list = append(list, change{path: strings.TrimSpace(strings.TrimPrefix(path, "--- ")), fresh: fresh, hunks: make([]hunk, 1)})
			continue
		}
		c := &list[len(list)-1]
		h := &c.hunks[len(c.hunks)-1]
		switch {
		case strings.HasPrefix(line, "@@"):
			if h.old+h.new != "" {
				c.hunks = append(c.hunks, hunk{})
			}
		case line == "\n":
			h.old, h.new = h.old+line, h.new+line
		case line[0] == '+':
			h.new += line[1:]
		case line[0] == '-':
			h.old += line[1:]
		case line[0] == ' ':
			h.old, h.new = h.old+line[1:], h.new+line[1:]
		default:
			t.Fatalf("docs/develop.md, %s: the line %q has no sign in front", c.path, line)
		}
	}
	return list
}

// apply applies the changes to the files below folder.
func apply(t *testing.T, folder string, changes []change) {
	t.Helper()
	for _, c := range changes {
		path := filepath.Join(folder, filepath.FromSlash(c.path))
		text, err := os.ReadFile(path)
		if c.fresh != os.IsNotExist(err) {
			t.Fatalf("docs/develop.md says that %s is new: %v; %v", c.path, c.fresh, err)
		}
		out := string(text)
		for _, h := range c.hunks {
			if n := strings.Count(out, h.old); !c.fresh && n != 1 {
				t.Fatalf("docs/develop.md: these lines are %d times in %s, so the example does not fit any more:\n%s", n, c.path, h.old)
			}
			out = strings.Replace(out, h.old, h.new, 1)
		}
		if filepath.Ext(path) == ".go" {
			if neat, err := format.Source([]byte(out)); err != nil || string(neat) != out {
				t.Errorf("%s after the example is not Go as gofmt writes it: %v", c.path, err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The lines that the example quotes exist, and the changed files are valid Go.
func TestExampleFits(t *testing.T) {
	changes, commands := readExamples(t)
	if len(changes) < 5 || len(commands) < 3 {
		t.Errorf("there are %d changes and %d commands", len(changes), len(commands))
	}
	folder := t.TempDir()
	for _, c := range changes {
		if !c.fresh {
			copyFile(t, filepath.Join(root, c.path), filepath.Join(folder, c.path))
		}
	}
	apply(t, folder, changes)
}

// The whole example builds and passes the commands it names, in a copy of the tree.
// make check runs it. The copy is always in the same place, so that unchanged packages
// are built only once.
func TestExampleWorks(t *testing.T) {
	if os.Getenv("EXAMPLE") == "" {
		t.Skip("make check tries it")
	}
	folder := copyFolder(t)
	changes, commands := readExamples(t)
	copyTree(t, folder)
	apply(t, folder, changes)
	runIn(t, folder, "go", "run", "./internal/house")
	tests, packages := together(t, commands)
	out := runIn(t, folder, "go", slices.Concat([]string{"test", "-vet=off", "-v", "-run", strings.Join(tests, "|")}, packages)...)
	for _, pattern := range tests {
		if !regexp.MustCompile(`(?m)^--- PASS: \S*(` + pattern + `)`).MatchString(out) {
			t.Errorf("docs/develop.md: no test that passed matches %q", pattern)
		}
	}
	for _, skipped := range regexp.MustCompile(`(?m)^--- SKIP: \S+`).FindAllString(out, -1) {
		t.Errorf("docs/develop.md names a test that is skipped: %s", skipped)
	}
}

// runIn runs a command in a folder, and returns what it prints.
func runIn(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// together returns the patterns of the tests and the packages of all commands "go test -run TESTS PACKAGE", so that a single
// command builds and links each package once.
func together(t *testing.T, commands [][]string) (patterns, packages []string) {
	t.Helper()
	for _, words := range commands {
		if words[0] != "go" {
			continue
		}
		if len(words) != 5 || words[1] != "test" || words[2] != "-run" {
			t.Fatalf("docs/develop.md has the command %q; this test knows go test -run TESTS PACKAGE", strings.Join(words, " "))
		}
		patterns = append(patterns, strings.Split(words[3], "|")...)
		if !slices.Contains(packages, words[4]) {
			packages = append(packages, words[4])
		}
	}
	return patterns, packages
}

// copyFolder returns an empty folder that is always the same for this tree.
func copyFolder(t *testing.T) string {
	t.Helper()
	tree, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("billfold-example-%x", sha256.Sum256([]byte(tree)))[:32])
	empty := func() { _ = os.RemoveAll(folder) }
	empty()
	t.Cleanup(empty)
	return folder
}

// copyTree copies the project's files, without what git and other tools keep in hidden folders.
func copyTree(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.Type().IsRegular():
			to, err := filepath.Rel(root, path)
			if err == nil {
				copyFile(t, path, filepath.Join(folder, to))
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o644)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("the worked example of docs/develop.md: %w", err))
	}
}
