package walletcore_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Every constant of fault/code.go has one row, and the row is complete.
func TestEveryCodeHasARow(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fault/code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[fault.Code]int{}
	for _, r := range fault.Rows() {
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
				if count++; rows[fault.Code(value)] != 1 {
					t.Errorf("%s has %d rows", v.Names[0].Name, rows[fault.Code(value)])
				}
			}
		}
		return true
	})
	if count != len(rows) || count < 40 {
		t.Errorf("%d constants, %d rows", count, len(rows))
	}
}

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		61 * time.Second: "61 seconds", 119 * time.Second: "119 seconds", 2 * time.Minute: "2 minutes", 119 * time.Minute: "119 minutes",
		2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days", 3000 * time.Hour: "125 days",
	} {
		if got := fault.Roughly(d); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}

// A head in the future is reported as such, not as one that is behind.
func TestDaemonInTheFutureIsReportedAsSuch(t *testing.T) {
	stale := &daemonclient.StaleError{URL: "ws://node:1", Age: -3 * time.Hour}
	e := fault.Daemon("transfer", &daemonclient.UnavailableError{URL: stale.URL, Err: stale})
	if e.Code != fault.DaemonStale || !strings.Contains(e.Message, "ws://node:1 says that its newest block #0 is 3 hours in the future") ||
		!strings.Contains(e.Hint, "nothing was sent; check this machine's clock") {
		t.Errorf("it is told as %q (%q)", e.Message, e.Hint)
	}
}

// A character that no name has is named wherever a word names no account.
func TestForeignCharactersOfNamesAreNamed(t *testing.T) {
	for word, want := range map[string]string{"b\u043ebby": "character 2 of it is U+043E", "bobby\u200b": "character 6 of it is U+200B", "bob\tby": "character 4 of it is U+0009",
		"bobbi": "check the spelling", "Bobby": "names are lower case"} {
		if err := fault.AccountUnknown(word); !strings.Contains(err.Hint, want) {
			t.Errorf("%+q: %s, want %s", word, err.Hint, want)
		}
	}
}

// A private key in the place of a name is not repeated.
func TestAPrivateKeyIsNotQuoted(t *testing.T) {
	wif := ledger.DeriveKey("quoted", 0).WIF()
	if err := fault.AccountUnknown(wif); strings.Contains(err.Error(), wif) || !strings.Contains(err.Error(), "(a private key, not shown)") {
		t.Error(err)
	}
}
