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

// documented are the checks of comments that staticcheck does not make by default.
var documented = []string{"ST1000", "ST1020", "ST1021", "ST1022"}

// staticChecks are the analyzers of the staticcheck command, which would load the whole program anew each time.
func staticChecks() []*analysis.Analyzer {
	list := []*analysis.Analyzer{unusedChecks()}
	for _, a := range slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers) {
		if !a.Doc.NonDefault || slices.Contains(documented, a.Analyzer.Name) {
			list = append(list, quieted(a.Analyzer, a.Doc.MergeIf == lint.MergeIfAll))
		}
	}
	return list
}

// quieted makes an analyzer name itself, obey comments "//lint:ignore NAME reason" and, where what it finds must be so in every
// variant of a package, report only on the variant with the package's tests.
func quieted(a *analysis.Analyzer, whole bool) *analysis.Analyzer {
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

// unusedChecks reports what the analyzer of unused declarations only returns.
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

// positionOf finds a position in the files of pass again.
func positionOf(pass *analysis.Pass, p token.Position) token.Pos {
	for _, f := range pass.Files {
		if file := pass.Fset.File(f.Pos()); file.Name() == p.Filename && p.Line <= file.LineCount() {
			return file.LineStart(p.Line)
		}
	}
	return token.NoPos
}

// lacksTests reports whether pass is of a package without the tests that belong to it, which are another variant.
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

// ignored reports whether a comment at pos, or in the line above, has the check ignored.
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
