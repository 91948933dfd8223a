package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 140 // columns of a line
	tabColumns = 4
	dataText   = 60 // a text this long in a test is data
)

// columns counts the lines that are too long in each folder's Go files, tests included. Rows of tables, lines with a web
// address, and lines of tests with a long text are exempt.
func columns(t *tree) ([]finding, error) { return inFolders(t, longLines) }

// inFolders returns for each folder the lines that find returns for its Go files, tests included.
func inFolders(t *tree, find func(file string) (lines []int, err error)) ([]finding, error) {
	byDir := map[string]*finding{}
	err := goFiles(t.root, func(path string) error {
		dir := filepath.ToSlash(filepath.Dir(path))
		if byDir[dir] == nil {
			byDir[dir] = &finding{place: dir}
		}
		lines, err := find(filepath.Join(t.root, path))
		for _, line := range lines {
			byDir[dir].details = append(byDir[dir].details, fmt.Sprintf("%s:%d", path, line))
		}
		return err
	})
	var all []finding
	for _, found := range byDir {
		found.count = len(found.details)
		all = append(all, *found)
	}
	return all, err
}

// lines counts the lines of each Go file. Tests are exempt, since their length depends on what they test.
func lines(t *tree) ([]finding, error) {
	var all []finding
	err := goFiles(t.root, func(path string) error {
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(filepath.Join(t.root, path))
		all = append(all, finding{place: path, count: bytes.Count(source, []byte("\n"))})
		return err
	})
	return all, err
}

// goFiles calls do with the path below root of every Go file, whichever system it is for.
func goFiles(root string, do func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(rel))
	})
}

// longLines returns the numbers of the lines of a file that are too long and not exempt.
func longLines(path string) ([]int, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var long []int
	for i, line := range strings.Split(string(source), "\n") {
		if width(line) > maxColumns && !strings.Contains(line, "://") {
			long = append(long, i+1)
		}
	}
	if len(long) == 0 {
		return nil, nil
	}
	exempt, err := dataLines(path, source)
	if err != nil {
		return nil, err
	}
	kept := long[:0]
	for _, line := range long {
		if !exempt[line] {
			kept = append(kept, line)
		}
	}
	return kept, nil
}

func width(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
}

// dataLines returns the lines of a file that hold data: whole rows of tables and, in tests, long texts.
func dataLines(path string, source []byte) (map[int]bool, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lines := map[int]bool{}
	mark := func(node ast.Node) {
		for line := fset.Position(node.Pos()).Line; line <= fset.Position(node.End()).Line; line++ {
			lines[line] = true
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CompositeLit:
			for _, row := range rows(fset, n) {
				mark(row)
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && len(n.Value) > dataText && strings.HasSuffix(path, "_test.go") {
				mark(n)
			}
		}
		return true
	})
	return lines, nil
}

// rows returns the elements of a slice, array or map that take one line each.
func rows(fset *token.FileSet, table *ast.CompositeLit) []ast.Node {
	switch table.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
	default:
		return nil
	}
	var rows []ast.Node
	first := fset.Position(table.Pos()).Line
	for _, element := range table.Elts {
		from, to := fset.Position(element.Pos()).Line, fset.Position(element.End()).Line
		if from == to && from != first {
			rows = append(rows, element)
		}
	}
	return rows
}
