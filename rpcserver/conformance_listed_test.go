package rpcserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// judged is a view that rules may change.
type judged view

// difference is one row of docs/differences.md: a rule, and the cases in which it turns
// the reference's answer into ours.
type difference struct {
	rule, why string
	cases     []int
	needed    map[int]bool // cases in which the rule made a difference
}

// differences is the table of docs/differences.md.
type differences struct{ rows []*difference }

// readDifferences reads every table row whose first cell is the name of a rule.
func readDifferences(t testing.TB) *differences {
	t.Helper()
	text, err := os.ReadFile("../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	d := &differences{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 8 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		rule := strings.Trim(strings.TrimSpace(cells[1]), "`")
		if rules[rule] == nil {
			t.Errorf("docs/differences.md names the rule %q, which this test does not know", rule)
			continue
		}
		d.rows = append(d.rows, &difference{rule, strings.TrimSpace(cells[6]), caseNumbers(t, cells[2]), map[int]bool{}})
	}
	return d
}

// caseNumbers reads "1, 5–7, 9".
func caseNumbers(t testing.TB, text string) []int {
	t.Helper()
	var out []int
	for _, part := range strings.Split(text, ",") {
		first, last, _ := strings.Cut(strings.TrimSpace(part), "–")
		if last == "" {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from > to {
			t.Fatalf("docs/differences.md: %q are no case numbers", text)
		}
		for n := from; n <= to; n++ {
			out = append(out, n)
		}
	}
	return out
}

// judge returns "equal", "listed", or what is different. views returns new copies of both
// answers each time.
func (d *differences) judge(number int, views func() (reference, ours judged)) string {
	reference, ours := views()
	if encoded(reference) == encoded(ours) {
		return "equal"
	}
	var applied []*difference
	for _, row := range d.rows {
		for _, n := range row.cases {
			if n == number {
				applied = append(applied, row)
			}
		}
	}
	changed, _ := views()
	for _, row := range applied {
		before := encoded(changed)
		rules[row.rule](changed, ours)
		if encoded(changed) != before {
			row.needed[number] = true
		}
	}
	if encoded(changed) == encoded(ours) {
		return "listed"
	}
	return fmt.Sprintf("DIFFERENT\n  expected %s\n       got %s", short(encoded(changed)), short(encoded(ours)))
}

// failUnused fails the test for every listed difference that did not occur.
func (d *differences) failUnused(t *testing.T) {
	for _, row := range d.rows {
		for _, n := range row.cases {
			if !row.needed[n] {
				t.Errorf("docs/differences.md lists case %d under %s, but there the answers do not differ so any more", n, row.rule)
			}
		}
	}
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// rules turn the reference's answer into the one that differs on purpose. They may look
// at ours only if its wording is free.
var rules = map[string]func(reference, ours judged){
	"unlock-null":       unlockNull,
	"transfer-code":     transferCode,
	"strict-amount":     strictAmount,
	"standard-numbers":  standardNumbers,
	"http-status":       func(reference, _ judged) { replace(reference, "status", 500, 200) },
	"daemon-code":       func(reference, _ judged) { replace(reference, "error", number(0), number(10)) },
	"no-such-recipient": func(reference, _ judged) { replace(reference, "error", number(7), number(10)) },
	"text-id":           textID,
	"no-id-no-answer":   noIDNoAnswer,
	"empty-batch":       emptyBatch,
	"own-help":          ownHelp,
	"own-file":          ownFile,
	"each-row-once":     eachRowOnce,
	"own-handle":        ownHandle,
	"exact-objects":     func(reference, _ judged) { replace(reference, "error", number(517), number(-32602)) },
}

func replace(v judged, member string, from, to any) {
	if v[member] == from {
		v[member] = to
	}
}

func unlockNull(reference, _ judged) {
	if _, ok := reference["result"].(bool); ok {
		reference["result"] = nil
	}
}

// transferCode replaces every transfer (39) by the obsolete one (0).
func transferCode(reference, _ judged) {
	result, _ := reference["result"].(map[string]any)
	operations, _ := result["operations"].([]any)
	for _, op := range operations {
		if pair, ok := op.([]any); ok && pair[0] == number(39) {
			pair[0] = number(0)
		}
	}
}

func strictAmount(reference, _ judged) {
	delete(reference, "result")
	reference["error"] = number(0)
}

func standardNumbers(reference, _ judged) {
	for _, reserved := range []int{50, 54} {
		replace(reference, "error", number(reserved), number(-32602))
	}
}

func textID(reference, _ judged) {
	delete(reference, "body")
	reference["status"], reference["id"], reference["result"] = 200, "abc", false
}

func noIDNoAnswer(reference, _ judged) {
	delete(reference, "id")
	delete(reference, "result")
	reference["body"] = "empty"
}

func emptyBatch(reference, _ judged) {
	delete(reference, "body")
	reference["id"], reference["error"] = nil, number(-32600)
}

// ownHelp replaces the reference's text by ours, if there is one.
func ownHelp(reference, ours judged) {
	if text, ok := ours["result"].(string); ok && strings.Count(text, "\n") >= 3 {
		reference["result"] = text
	}
}

// ownHandle replaces the reference's handle by ours, if that is a number that cannot be guessed and that a double holds.
func ownHandle(reference, ours judged) {
	handle, isNumber := ours["result"].(json.Number)
	if n, err := handle.Int64(); isNumber && err == nil && n >= 1<<52 && n < 1<<53 {
		reference["result"] = handle
	}
}

// ownFile replaces the path of the reference's file by that of our key file, if it is one.
func ownFile(reference, ours judged) {
	if path, ok := ours["result"].(string); ok && filepath.IsAbs(path) {
		reference["result"] = path
	}
}

// eachRowOnce drops repeated rows of a history.
func eachRowOnce(reference, _ judged) {
	rows, _ := reference["result"].([]any)
	seen := map[string]bool{}
	var once []any
	for _, row := range rows {
		if text := encoded(row); !seen[text] {
			seen[text] = true
			once = append(once, row)
		}
	}
	reference["result"] = once
}
