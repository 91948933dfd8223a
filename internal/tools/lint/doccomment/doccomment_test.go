package doccomment_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"billfold/internal/tools/lint/doccomment"

	"golang.org/x/tools/go/analysis"
)

func TestDocCommentsNameWhatAFunctionDoes(t *testing.T) {
	const source = `package p

// a gives one.
func a() int { return 1 }

// b says
// so.
func (t) b() {}

// bee was b before.
func (t) be() {}

// c tells others.
func c() {}

// d returns what it gives, says and tells.
func d() {}

// t gives a type's comment more room.
type t struct{}

// i tells nothing of a function.
type i interface {
	// g says so.
	g()
}

func e() {}

//lint:ignore U1000 gives is no word of a sentence here
func f() {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	report := func(d analysis.Diagnostic) { lines = append(lines, fset.Position(d.Pos).Line) }
	if _, err := doccomment.Analyzer().Run(&analysis.Pass{Fset: fset, Files: []*ast.File{file}, Report: report}); err != nil {
		t.Fatal(err)
	}
	if want := []int{3, 6, 10, 13, 24}; !slices.Equal(lines, want) {
		t.Errorf("comments in lines %v are refused, want %v", lines, want)
	}
}
