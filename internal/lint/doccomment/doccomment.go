// Package doccomment is an analyzer of doc comments that leave open what a function does.
package doccomment

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// spoken are verbs that leave open whether a function returns, reports, prints or sends something.
var spoken = []string{"gives", "says", "tells"}

// Analyzer refuses doc comments of functions and of methods of interfaces that use one of these verbs for what the function does.
func Analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "doccomment", Doc: "refuses doc comments of functions and methods whose second word is gives, says or tells",
		Run: func(pass *analysis.Pass) (any, error) {
			check := func(name *ast.Ident, doc *ast.CommentGroup) {
				if words := strings.Fields(doc.Text()); len(words) > 1 && slices.Contains(spoken, words[1]) {
					pass.Reportf(doc.Pos(), `%s: instead of "%s" write "returns", "reports" or what it does`, name, words[1])
				}
			}
			for _, file := range pass.Files {
				ast.Inspect(file, func(node ast.Node) bool {
					switch n := node.(type) {
					case *ast.FuncDecl:
						check(n.Name, n.Doc)
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
