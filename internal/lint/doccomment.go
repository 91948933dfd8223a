package main

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// spoken are verbs that leave open whether a function returns, reports, prints or sends something.
var spoken = []string{"gives", "says", "tells"}

// docComments refuses doc comments of functions that use one of these verbs for what the function does.
func docComments() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "doccomment", Doc: "refuses doc comments of functions whose second word is gives, says or tells",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				for _, declaration := range file.Decls {
					f, is := declaration.(*ast.FuncDecl)
					if !is {
						continue
					}
					if words := strings.Fields(f.Doc.Text()); len(words) > 1 && slices.Contains(spoken, words[1]) {
						pass.Reportf(f.Doc.Pos(), `%s: instead of "%s" write "returns", "reports" or what it does`, f.Name, words[1])
					}
				}
			}
			return nil, nil
		},
	}
}
