package review

import (
	"encoding/json"
	"strconv"
	"strings"

	"billfold/ledger"
)

// member is one value in an operation, with its place: "owner.key_auths".
type member struct{ path, value string }

// members lists what the operations of a transaction in JSON hold, in their
// order: every text, number and yes, without what is empty or zero and without
// the fee, which the page shows by itself. Of several operations each has its
// number before the place. nil when the text is no transaction.
func members(text string) []member {
	var tx struct{ Operations [][2]json.RawMessage }
	if json.Unmarshal([]byte(text), &tx) != nil || len(tx.Operations) == 0 {
		return nil
	}
	var all []member
	for i, op := range tx.Operations {
		w := walker{d: json.NewDecoder(strings.NewReader(string(op[1])))}
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
	d   *json.Decoder
	out []member
}

// value reads one value; what is broken ends it, as it cannot be: the text was
// written by this program.
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
			token = at.Words()
		}
		w.note(path, token)
	case json.Number:
		if n, err := strconv.ParseUint(token.String(), 10, 64); err == nil && n > 0 && ledger.InSeconds(path) {
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
}

// note keeps a value; those of one list stand together.
func (w *walker) note(path, value string) {
	if value == "" || value == "0" || strings.HasPrefix(path, "fee.") {
		return
	}
	if n := len(w.out); n > 0 && w.out[n-1].path == path {
		w.out[n-1].value += ", " + value
		return
	}
	w.out = append(w.out, member{path, value})
}
