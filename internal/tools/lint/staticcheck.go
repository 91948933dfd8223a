package main

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

// commentChecks are the checks of comments that staticcheck does not make by default.
var commentChecks = []string{"ST1000", "ST1020", "ST1021", "ST1022"}

// staticChecks returns the analyzers of the staticcheck command, which itself would load the whole program every time.
func staticChecks() []*analysis.Analyzer {
	list := []*analysis.Analyzer{unusedChecks()}
	for _, a := range slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers) {
		if !a.Doc.NonDefault || slices.Contains(commentChecks, a.Analyzer.Name) {
			list = append(list, wrapped(a.Analyzer, a.Doc.MergeIf == lint.MergeIfAll))
		}
	}
	return list
}

// wrapped makes an analyzer add its name to its findings and obey comments "//lint:ignore NAME reason". With whole, it reports only
// on the variant of a package with its tests, because its findings must hold in every variant.
func wrapped(a *analysis.Analyzer, whole bool) *analysis.Analyzer {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			if !(whole && lacksTests(pass)) && !ignored(pass, d.Pos, a.Name) {
				d.Message += " (" + a.Name + ")"
				report(d)
			}
		}
		return run(pass)
	}
	return a
}

// unusedChecks returns an analyzer that reports the unused declarations that staticcheck's own analyzer only returns.
func unusedChecks() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "unused", Doc: "reports declarations that nothing in their package uses",
		Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			if lacksTests(pass) {
				return nil, nil
			}
			for _, o := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
				if at := positionOf(pass, o.Position); at.IsValid() && !ignored(pass, at, "U1000") {
					pass.Reportf(at, "%s %s is unused (U1000)", o.Kind, o.Name)
				}
			}
			return nil, nil
		},
	}
}

// positionOf returns the line of p in the files of pass.
func positionOf(pass *analysis.Pass, p token.Position) token.Pos {
	for _, f := range pass.Files {
		if file := pass.Fset.File(f.Pos()); file.Name() == p.Filename && p.Line <= file.LineCount() {
			return file.LineStart(p.Line)
		}
	}
	return token.NoPos
}

// lacksTests reports whether pass is about the variant of a package without its tests, although it has tests.
func lacksTests(pass *analysis.Pass) bool {
	if len(pass.Files) == 0 {
		return false
	}
	isTest := func(f *ast.File) bool { return strings.HasSuffix(pass.Fset.File(f.Pos()).Name(), "_test.go") }
	if slices.ContainsFunc(pass.Files, isTest) {
		return false
	}
	tests, _ := filepath.Glob(filepath.Join(filepath.Dir(pass.Fset.File(pass.Files[0].Pos()).Name()), "*_test.go"))
	return slices.ContainsFunc(tests, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && strings.Contains("\n"+string(text), "\npackage "+pass.Pkg.Name()+"\n")
	})
}

// ignored reports whether a comment on the line of pos, or on the line above, disables the check.
func ignored(pass *analysis.Pass, pos token.Pos, check string) bool {
	at := pass.Fset.Position(pos)
	for _, f := range pass.Files {
		if pass.Fset.File(f.Pos()).Name() != at.Filename {
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				line := pass.Fset.Position(c.Pos()).Line
				if strings.HasPrefix(c.Text, "//lint:ignore "+check+" ") && (line == at.Line || line == at.Line-1) {
					return true
				}
			}
		}
	}
	return false
}
