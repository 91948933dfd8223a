package ledger

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"
)

// An operation that lacks a part is not finished.
func TestEveryOperationIsDeclaredWhole(t *testing.T) {
	for code, d := range operations {
		if d == nil {
			t.Errorf("the table has no operation %d", code)
			continue
		}
		v := reflect.ValueOf(*d)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name != "virtual" && name != "pays" && name != "told" && name != "gives" && name != "code" && v.Field(i).IsZero() {
				t.Errorf("%s declares no %s", d.name, name)
			}
		}
		if d.fee.base == nil {
			t.Errorf("%s declares no fee", d.name)
		}
		if d.code != OpCode(code) || d.new().declared() != d || NewOperation(d.new()).Code != d.code {
			t.Errorf("%s stands at %d and is declared with %d", d.name, code, d.code)
		}
		if d.virtual != (code >= 46) {
			t.Errorf("%s: virtual is %v", d.name, d.virtual)
		}
		body := reflect.TypeOf(d.new()).Elem()
		if name := d.name; !strings.HasPrefix(body.Field(0).Tag.Get("json"), "fee") {
			t.Errorf("the first member of %s is not its fee", name)
		}
		_, carries := d.new().(memoCarrier)
		if _, has := body.FieldByName("Memo"); has != carries {
			t.Errorf("%s has a memo: %v, shows it: %v", d.name, has, carries)
		}
	}
}

// The table holds every operation of the package.
func TestEveryOperationIsInTheTable(t *testing.T) {
	listed := map[string]bool{}
	for _, d := range operations {
		if d != nil {
			listed[reflect.TypeOf(d.new()).Elem().Name()] = true
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && strings.HasSuffix(s.Name.Name, "Op") && !listed[s.Name.Name] {
				t.Errorf("%s of %s is not in the table of operations", s.Name.Name, f.Name())
			}
			return true
		})
	}
}

func TestTouchedAndMoved(t *testing.T) {
	from, to := AccountID(16), AccountID(17)
	amount := AssetAmount{Amount: 5}
	transfer := NewOperation(&TransferOp{From: from, To: to.Object(), Amount: amount})
	create := NewOperation(&AccountCreateOp{Registrar: from, Active: Authority{AccountAuths: []AccountWeight{{Account: 40, Weight: 1}}}})
	made := AccountID(50).Object()
	for _, c := range []struct {
		op      Operation
		result  OperationResult
		touched []AccountID
		moved   []Movement
	}{
		{transfer, OperationResult{}, []AccountID{from, to}, []Movement{{from.Object(), to.Object(), amount}}},
		{create, OperationResult{Object: &made}, []AccountID{from, 40, 50}, nil},
		{NewOperation(&ProposalCreateOp{FeePayingAccount: 20, ProposedOps: []ProposedOperation{{transfer}}}), OperationResult{}, []AccountID{from, 20}, nil},
		{NewOperation(&AssetIssueOp{Issuer: from, IssueToAccount: to, AssetToIssue: amount}), OperationResult{},
			[]AccountID{from, to}, []Movement{{0, to.Object(), amount}}},
		{Operation{Code: 99}, OperationResult{}, nil, nil},
	} {
		if got := c.op.Touched(c.result); !reflect.DeepEqual(got, c.touched) {
			t.Errorf("%s touches %v, want %v", OpName(c.op.Code), got, c.touched)
		}
		if got := c.op.Moves(); !reflect.DeepEqual(got, c.moved) {
			t.Errorf("%s moves %v, want %v", OpName(c.op.Code), got, c.moved)
		}
	}
}
