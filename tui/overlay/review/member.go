package review

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
)

// member is one value in an operation, with its path: "owner.key_auths".
type member struct{ path, value string }

// members returns the values in the operations of a transaction in JSON, in their order: texts, numbers, and true as yes. It leaves out
// what is empty, zero (except thresholds and weights) or false, the fee, which the page shows separately, and, if their effects are shown,
// operations that are told in words (ledger.OpCode.Told). If there are several operations, each path starts with the operation's number. It
// returns nil if the text is not a transaction.
func members(text string, effects bool) []member {
	var tx struct{ Operations [][2]json.RawMessage }
	if json.Unmarshal([]byte(text), &tx) != nil || len(tx.Operations) == 0 {
		return nil
	}
	var all []member
	for i, op := range tx.Operations {
		var code ledger.OpCode
		if effects && json.Unmarshal(op[0], &code) == nil && code.Told() {
			continue
		}
		w := walker{d: json.NewDecoder(strings.NewReader(string(op[1]))), numbers: map[string]uint64{}}
		w.d.UseNumber()
		w.value("")
		for _, m := range w.out {
			if len(tx.Operations) > 1 {
				m.path = strconv.Itoa(i+1) + ". " + m.path
			}
			all = append(all, m)
		}
	}
	return all
}

type walker struct {
	d       *json.Decoder
	out     []member
	numbers map[string]uint64 // the latest number at each path; times in seconds
}

// value reads one value. An error ends the reading without a report: this program wrote the text, so there is none.
func (w *walker) value(path string) {
	token, err := w.d.Token()
	if err != nil {
		return
	}
	switch token := token.(type) {
	case json.Delim:
		w.inside(path, token == '{')
	case string:
		if at, err := ledger.ParseTime(token); err == nil {
			w.numbers[path] = uint64(at)
			token = at.Words()
		}
		w.note(path, token)
	case json.Number:
		n, err := strconv.ParseUint(token.String(), 10, 64)
		w.numbers[path] = n
		if err == nil && n > 0 && ledger.InSeconds(path) {
			w.note(path, ledger.DurationWords(n))
			return
		}
		w.note(path, token.String())
	case bool:
		if token {
			w.note(path, "yes")
		}
	}
}

// inside reads the values of an object or list up to its end.
func (w *walker) inside(path string, object bool) {
	for w.d.More() {
		at := path
		if object {
			name, _ := w.d.Token()
			at = strings.TrimPrefix(path+"."+name.(string), ".")
		}
		w.value(at)
	}
	_, _ = w.d.Token()
	if object {
		w.periods(path)
	}
}

// periods adds to an object's count of periods how long they are and when the last one ends.
func (w *walker) periods(path string) {
	in := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	count := w.numbers[in("periods_until_expiration")]
	if count == 0 {
		return
	}
	for i, m := range slices.Backward(w.out) {
		if m.path == in("periods_until_expiration") {
			start := ledger.Time(w.numbers[in("period_start_time")])
			w.out[i].value = ledger.PeriodsWords(w.numbers[in("withdrawal_period_sec")], count, start)
			break
		}
	}
	w.numbers = map[string]uint64{}
}

// inAuthority reports whether a path is that of a threshold or a weight. A zero there matters: with a threshold of zero anybody may act,
// and a signer with a weight of zero never can.
func inAuthority(path string) bool {
	return strings.HasSuffix(path, "weight_threshold") || strings.HasSuffix(path, "_auths")
}

// note records a value; those of one list are joined.
func (w *walker) note(path, value string) {
	zero := value == "0" && !inAuthority(path)
	if value == "" || zero || strings.HasPrefix(path, "fee.") {
		return
	}
	if n := len(w.out); n > 0 && w.out[n-1].path == path {
		w.out[n-1].value += ", " + value
		return
	}
	w.out = append(w.out, member{path, value})
}
