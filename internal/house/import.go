package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// imports counts the Go files of each folder, tests included, whose imports are not in order: the standard library, this module and
// others, with an empty line between. gofmt sorts what no empty line divides.
func imports(t *tree) ([]finding, error) {
	byDir := map[string]*finding{}
	err := goFiles(t.root, func(path string) error {
		dir := filepath.ToSlash(filepath.Dir(path))
		if byDir[dir] == nil {
			byDir[dir] = &finding{place: dir}
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(t.root, path), nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		if line := unordered(fset, file, t.module); line > 0 {
			byDir[dir].details = append(byDir[dir].details, fmt.Sprintf("%s:%d", path, line))
		}
		return nil
	})
	var all []finding
	for _, found := range byDir {
		found.count = len(found.details)
		all = append(all, *found)
	}
	return all, err
}

// unordered returns the line of the first import of a file that is out of order; 0 if none is.
func unordered(fset *token.FileSet, file *ast.File, module string) int {
	last, end := -1, 0
	for _, spec := range file.Imports {
		begin := spec.Pos()
		if spec.Doc != nil {
			begin = spec.Doc.Pos()
		}
		line := fset.Position(begin).Line
		switch group := groupOf(spec, module); {
		case last < 0 || group == last && line == end+1 || group > last && line > end+1:
			last, end = group, fset.Position(spec.End()).Line
		default:
			return line
		}
	}
	return 0
}

// groupOf returns 0 for an import of the standard library, 1 for one of this module, and 2 for any other.
func groupOf(spec *ast.ImportSpec, module string) int {
	path, _ := strconv.Unquote(spec.Path.Value)
	first, _, _ := strings.Cut(path, "/")
	switch {
	case first == module:
		return 1
	case strings.Contains(first, "."):
		return 2
	}
	return 0
}
