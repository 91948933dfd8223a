package main_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// messageForm is that of a log's messages: what the line is about, then what happened, always in the same words.
var messageForm = regexp.MustCompile(`^[a-z][a-z ]*: [a-z].*[^.:]$`)

// A line of the log begins with a noun and says what happened; what differs from time to time is in attributes, where programs find it.
func TestLogMessagesHaveOneForm(t *testing.T) {
	found := 0
	parseProgram(t, func(files *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			at := messageOf(call)
			if at == nil {
				return true
			}
			found++
			switch m := at.(type) {
			case *ast.BasicLit:
				if text, _ := strconv.Unquote(m.Value); !messageForm.MatchString(text) {
					t.Errorf("%s: the message %q is not of the form %q", files.Position(m.Pos()), text, "noun: what happened")
				}
			case *ast.BinaryExpr:
				t.Errorf("%s: a message is put together; give what differs as an attribute", files.Position(m.Pos()))
			}
			return true
		})
	})
	if found < 50 {
		t.Errorf("%d messages were looked at", found)
	}
}

// messageOf returns the message of a call that writes to a log, nil for another call.
func messageOf(call *ast.CallExpr) ast.Expr {
	method, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return nil
	}
	place := 0
	switch method.Sel.Name {
	case "Debug", "Info", "Warn", "Error":
	case "Log", "LogAttrs":
		place = 2
	default:
		return nil
	}
	var on string
	switch x := method.X.(type) {
	case *ast.Ident:
		on = x.Name
	case *ast.SelectorExpr:
		on = x.Sel.Name
	}
	if !slices.Contains([]string{"log", "Logger"}, on) || len(call.Args) <= place {
		return nil
	}
	return call.Args[place]
}
