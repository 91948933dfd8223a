package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The messages of errors are shown as sentences, with a capital: none begins with an account's name, which is another one then.
func TestMessagesBeginWithNoName(t *testing.T) {
	found := 0
	parseProgram(t, func(files *token.FileSet, file *ast.File) {
		check := func(message ast.Expr) {
			found++
			if first := firstOf(message); isAccountName(first) {
				t.Errorf("%s: the message begins with a name; begin it with \"the account \"", files.Position(first.Pos()))
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, is := n.Key.(*ast.Ident); is && key.Name == "Message" {
					check(n.Value)
				}
			case *ast.AssignStmt:
				if to, is := n.Lhs[0].(*ast.SelectorExpr); is && to.Sel.Name == "Message" && len(n.Rhs) == len(n.Lhs) {
					check(n.Rhs[0])
				}
			}
			return true
		})
	})
	if found < 400 {
		t.Errorf("%d messages were looked at", found)
	}
}

// firstOf returns what a text begins with: the first of what is put together, the first value of a format that begins with it, or what the
// variable was set to.
func firstOf(text ast.Expr) ast.Expr {
	switch e := text.(type) {
	case *ast.BinaryExpr:
		return firstOf(e.X)
	case *ast.CallExpr:
		if f, is := e.Fun.(*ast.SelectorExpr); is && f.Sel.Name == "Sprintf" && len(e.Args) > 1 {
			if format, is := e.Args[0].(*ast.BasicLit); is && strings.HasPrefix(format.Value, `"%s`) {
				return firstOf(e.Args[1])
			}
			return e.Args[0]
		}
	case *ast.Ident:
		if e.Obj == nil {
			return e
		}
		if set, is := e.Obj.Decl.(*ast.AssignStmt); is && len(set.Lhs) == 1 && len(set.Rhs) == 1 {
			return firstOf(set.Rhs[0])
		}
	}
	return text
}

// accountNames are the members and functions that are names of accounts.
var accountNames = regexp.MustCompile(`(?i)^(accountname|nameof)$`)

// isAccountName reports whether an expression is the name of an account: a member Name of what is no file, server or method.
func isAccountName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		if f, is := e.Fun.(*ast.SelectorExpr); is {
			return accountNames.MatchString(f.Sel.Name)
		}
	case *ast.SelectorExpr:
		of, plain := e.X.(*ast.Ident)
		return e.Sel.Name == "Name" && !(plain && (of.Name == "m" || of.Name == "f"))
	}
	return false
}

// parseProgram calls look with each file of the program that is no test.
func parseProgram(t *testing.T, look func(*token.FileSet, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (strings.HasPrefix(name, ".") && name != ".." || name == "testdata") {
			return fs.SkipDir
		} else if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0) //nolint:staticcheck // what a name was set to is wanted
		if err == nil {
			look(files, file)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
