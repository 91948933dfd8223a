package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// judged is an answer in a form that can be compared: a result as it is, or of
// an error what clients go by.
type judged map[string]any

type outcome string

const (
	equal     outcome = "equal"
	listed    outcome = "listed"
	different outcome = "DIFFERENT"
)

// judgedAnswer keeps of an error its code, its name, its sentence and the text
// of its first frame, which is how faults of one code are distinguished.
func judgedAnswer(t *testing.T, a answer) judged {
	t.Helper()
	if a.Error == nil {
		return judged{"result": decode(t, a.Result)}
	}
	e := a.Error
	v := judged{"code": e.Code, "data.code": e.Data.Code, "name": e.Data.Name}
	if len(e.Data.Stack) > 0 {
		v["format"] = e.Data.Stack[0].Format
	}
	return v
}

// judgedText is the same of a whole reply.
func judgedText(t *testing.T, text string) judged {
	t.Helper()
	var a answer
	if json.Unmarshal([]byte(text), &a) != nil {
		first, _, _ := strings.Cut(text, " ")
		return judged{"text": first}
	}
	return judgedAnswer(t, a)
}

func readError(t *testing.T, text json.RawMessage) *answerError {
	t.Helper()
	if text == nil {
		return nil
	}
	e := &answerError{}
	if err := json.Unmarshal(text, e); err != nil {
		t.Fatal(err)
	}
	return e
}

func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func short(text string) string {
	const most = 700
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// difference is one row of the second table of docs/differences.md: a rule, the
// methods it concerns wherever they were recorded, and the cases of daemon.jsonl.
type difference struct {
	rule, why string
	methods   []string
	cases     []int
	needed    map[int]bool // cases in which the rule made a difference
	met       int          // answers in which it did
}

type differences struct{ rows []*difference }

// readDifferences reads every table row of nine cells whose first is a rule.
func readDifferences(t *testing.T) *differences {
	t.Helper()
	text, err := os.ReadFile("../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	d := &differences{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 9 || !strings.HasPrefix(cells[1], "`") {
			continue
		}
		rule := strings.Trim(cells[1], "`")
		if rules[rule] == nil {
			t.Errorf("docs/differences.md names the rule %q, which this test does not know", rule)
			continue
		}
		row := &difference{rule: rule, why: cells[7], needed: map[int]bool{}}
		for _, method := range strings.Split(cells[2], ",") {
			row.methods = append(row.methods, strings.TrimSpace(method))
		}
		for _, part := range strings.Split(cells[4], ",") {
			if part = strings.TrimSpace(part); part == "–" {
				continue
			}
			n, err := strconv.Atoi(part)
			if err != nil {
				t.Fatalf("docs/differences.md: %q is no case number", part)
			}
			row.cases = append(row.cases, n)
		}
		d.rows = append(d.rows, row)
	}
	return d
}

// judge compares two answers; number is the case of daemon.jsonl, or 0.
func (d *differences) judge(number int, method string, want, got judged) outcome {
	if encoded(want) == encoded(got) {
		return equal
	}
	w, g := copied(want), copied(got)
	for _, row := range d.rows {
		if number > 0 && !slices.Contains(row.cases, number) || number == 0 && !slices.Contains(row.methods, method) {
			continue
		}
		before := encoded(w) + encoded(g)
		rules[row.rule](w, g)
		if encoded(w)+encoded(g) != before {
			row.needed[number] = true
			row.met++
		}
	}
	if encoded(w) == encoded(g) {
		return listed
	}
	return different
}

func copied(v judged) judged {
	d := json.NewDecoder(strings.NewReader(encoded(v)))
	d.UseNumber()
	out := judged{}
	if err := d.Decode(&out); err != nil {
		return v
	}
	return out
}

// complain fails for every listed difference that did not occur.
func (d *differences) complain(t *testing.T) {
	t.Helper()
	for _, row := range d.rows {
		for _, n := range row.cases {
			if !row.needed[n] {
				t.Errorf("docs/differences.md lists case %d under %s, but there the answers do not differ so any more", n, row.rule)
			}
		}
		if row.met == 0 {
			t.Errorf("docs/differences.md lists %s, which no answer shows", row.rule)
		}
	}
}

// String lists the rules.
func (d *differences) String() string {
	var b strings.Builder
	b.WriteString("listed differences (docs/differences.md):\n")
	for _, row := range d.rows {
		fmt.Fprintf(&b, "  %-22s %3d answers  %s\n", row.rule, row.met, row.why)
	}
	return b.String()
}

// rules change what the node answered, and what is answered here, so that they
// are equal if they differ only as intended.
var rules = map[string]func(want, got judged){
	"irreversible-lag": irreversibleByRule,
	"text-balances":    textBalances,
	"set-numbers":      func(want, got judged) { sameKind(want, got, "result") },
	"own-versions":     ownTexts,
	"own-node":         ownTexts,
	"start-times":      startTimes,
	"database-alone":   databaseAlone,
	"made-up-memo":     madeUpMemo,
}

// irreversibleByRule takes our last irreversible block if seven of the eleven
// miners can have signed later ones.
func irreversibleByRule(want, got judged) {
	var ours any
	each(got, func(object map[string]any) {
		if last, ok := object["last_irreversible_block_num"]; ok {
			ours = last
		}
	})
	last, err := strconv.Atoi(fmt.Sprint(ours))
	each(want, func(object map[string]any) {
		head, ok := object["head_block_number"].(json.Number)
		if n, _ := strconv.Atoi(head.String()); ok && err == nil && last <= max(n-7, 0) {
			object["last_irreversible_block_num"] = ours
		}
	})
}

// textBalances writes every amount as text.
func textBalances(want, _ judged) {
	each(want, func(object map[string]any) {
		if n, ok := object["amount"].(json.Number); ok {
			object["amount"] = n.String()
		}
	})
}

// sameKind takes our value in place of theirs if both are numbers.
func sameKind(want, got judged, member string) {
	_, theirs := want[member].(json.Number)
	_, ours := got[member].(json.Number)
	if theirs && ours {
		want[member] = got[member]
	}
}

// firstMadeUp is the first block whose id is not the recorded one.
const firstMadeUp = 50

// madeUpMemo takes ids out, unless the answer tells of a block before.
func madeUpMemo(want, got judged) {
	if object, ok := want["result"].(map[string]any); ok {
		head, known := object["head_block_number"].(json.Number)
		if n, err := head.Int64(); known && err == nil && n < firstMadeUp {
			return
		}
	}
	blankIDs(want)
	blankIDs(got)
}

// ownTexts compares only the names of members that are text.
func ownTexts(want, got judged) {
	for _, v := range []judged{want, got} {
		each(v, func(object map[string]any) {
			delete(object, "own_clock")
			for name, value := range object {
				if _, text := value.(string); text {
					object[name] = "any"
				}
			}
		})
	}
}

// blankIDs takes out what follows from the bytes of a block or transaction.
func blankIDs(v judged) {
	each(v, func(object map[string]any) {
		if _, ok := object["ref_block_prefix"]; ok {
			object["ref_block_prefix"], object["signatures"] = "any", "any"
		}
		for name, value := range object {
			object[name] = blankID(value)
		}
	})
}

// blankID takes out a block or transaction id, also one in a list of its own.
func blankID(value any) any {
	switch value := value.(type) {
	case string:
		if len(value) == 40 && strings.Trim(value, "0123456789abcdef") == "" {
			return "an id"
		}
	case []any:
		for i := range value {
			value[i] = blankID(value[i])
		}
	}
	return value
}

// startTimes takes out since when counters count, and how often the port was used.
func startTimes(want, got judged) {
	for _, v := range []judged{want, got} {
		each(v, func(object map[string]any) {
			object["last_reset"] = "any"
			if name, _ := object["name"].(string); strings.HasPrefix(name, "connections_rpc") ||
				strings.HasPrefix(name, "connections_http") {
				object["value"] = "any"
			}
		})
	}
}

// databaseAlone is the answer of a port that serves no other set over HTTP.
func databaseAlone(want, got judged) {
	if want["result"] != nil && got["code"] == json.Number("52") {
		delete(want, "result")
		for name, value := range got {
			want[name] = value
		}
	}
}

// each calls edit for every object in v, the outermost excepted.
func each(v judged, edit func(map[string]any)) {
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			edit(v)
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	for _, inner := range v {
		walk(inner)
	}
}
