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
	if f.walkValue(""); f.err != nil || d.More() {
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

func (f *flattener) walkValue(path string) {
	token, err := f.d.Token()
	if err != nil {
		f.err = err
		return
	}
	switch token := token.(type) {
	case json.Delim:
		f.walkContainer(path, token == '{')
	case nil:
		f.add(path, "none")
	case bool:
		f.add(path, map[bool]string{true: "yes", false: "no"}[token])
	default:
		f.add(path, fmt.Sprint(token))
	}
}

// walkContainer walks an object or a list up to its end.
func (f *flattener) walkContainer(path string, object bool) {
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
		f.walkValue(strings.TrimPrefix(path+"."+at, "."))
	}
	if _, err := f.d.Token(); err != nil && f.err == nil {
		f.err = err
	}
	if n == 0 {
		f.add(path, "empty")
	}
}

func (f *flattener) add(path, value string) {
	if path != "" {
		value = path + ": " + value
	}
	f.out = append(f.out, strings.Split(value, "\n")...)
}
