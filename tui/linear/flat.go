package linear

import (
	"encoding/json"
	"fmt"
	"strings"
)

// flat returns a JSON value as lines: each value after its path, such as owner.key_auths.1. Text that is not JSON is
// returned as its own lines.
func flat(text string) []string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	f := flattener{d: d}
	if f.value(""); f.err != nil || d.More() {
		return strings.Split(strings.TrimRight(text, "\n"), "\n")
	}
	return f.out
}

// flattener collects the lines of a JSON value in document order.
type flattener struct {
	d   *json.Decoder
	out []string
	err error
}

func (f *flattener) value(path string) {
	token, err := f.d.Token()
	if err != nil {
		f.err = err
		return
	}
	switch token := token.(type) {
	case json.Delim:
		f.inside(path, token == '{')
	case nil:
		f.note(path, "none")
	case bool:
		f.note(path, map[bool]string{true: "yes", false: "no"}[token])
	default:
		f.note(path, fmt.Sprint(token))
	}
}

// inside walks an object or a list up to its end.
func (f *flattener) inside(path string, object bool) {
	n := 0
	for ; f.err == nil && f.d.More(); n++ {
		at := fmt.Sprint(n + 1)
		if object {
			name, err := f.d.Token()
			if err != nil {
				f.err = err
				return
			}
			at = fmt.Sprint(name)
		}
		f.value(strings.TrimPrefix(path+"."+at, "."))
	}
	if _, err := f.d.Token(); err != nil && f.err == nil {
		f.err = err
	}
	if n == 0 {
		f.note(path, "empty")
	}
}

func (f *flattener) note(path, value string) {
	if path != "" {
		value = path + ": " + value
	}
	f.out = append(f.out, strings.Split(value, "\n")...)
}
