// Package doccomment is an analyzer that refuses doc comments that begin with another name or leave open what the function does.
package doccomment

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// spoken are verbs that leave open whether a function returns, reports, prints or sends something.
var spoken = []string{"gives", "says", "tells"}

// Analyzer refuses doc comments of functions and interface methods that use one of these verbs for what the function does, and doc
// comments of functions outside tests that do not begin with the function's name, as after a rename.
func Analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "doccomment", Doc: "refuses doc comments that begin with another name, or whose second word is gives, says or tells",
		Run: func(pass *analysis.Pass) (any, error) {
			check := func(name *ast.Ident, doc *ast.CommentGroup) {
				if words := strings.Fields(doc.Text()); len(words) > 1 && slices.Contains(spoken, words[1]) {
					pass.Reportf(doc.Pos(), `%s: instead of "%s" write "returns", "reports" or what it does`, name, words[1])
				}
			}
			for _, file := range pass.Files {
				tests := strings.HasSuffix(pass.Fset.File(file.FileStart).Name(), "_test.go")
				ast.Inspect(file, func(node ast.Node) bool {
					switch n := node.(type) {
					case *ast.FuncDecl:
						check(n.Name, n.Doc)
						words := strings.Fields(n.Doc.Text())
						if !tests && len(words) > 0 && strings.Trim(words[0], ",.:;") != n.Name.Name {
							pass.Reportf(n.Doc.Pos(), "%s: begin the comment with the name of the function", n.Name)
						}
					case *ast.InterfaceType:
						for _, method := range n.Methods.List {
							if len(method.Names) > 0 {
								check(method.Names[0], method.Doc)
							}
						}
					}
					return true
				})
			}
			return nil, nil
		},
	}
}
