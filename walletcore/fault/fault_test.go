package fault

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// Every constant of code.go has one row, and the row is whole.
func TestEveryCodeHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[Code]int{}
	for _, r := range Rows() {
		rows[r.Code]++
		if r.Name == "" || r.Advice == "" || r.Standard == 0 && r.Reference != 0 {
			t.Errorf("%s has an incomplete row: %+v", r.Code, r)
		}
	}
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if text, ok := v.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, _ := strconv.Unquote(text.Value)
				if count++; rows[Code(value)] != 1 {
					t.Errorf("%s has %d rows", v.Names[0].Name, rows[Code(value)])
				}
			}
		}
		return true
	})
	if count != len(rows) || count < 40 {
		t.Errorf("%d constants, %d rows", count, len(rows))
	}
}
