package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// unordered returns the line of the first import of a file that is out of order, if one is.
func unordered(fset *token.FileSet, file *ast.File, module string) []int {
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
			return []int{line}
		}
	}
	return nil
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
