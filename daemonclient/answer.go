package daemonclient

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"billfold/ledger"
)

// question holds what was asked, as JSON parameters; the answer is checked against it.
type question struct{ params []json.RawMessage }

func newQuestion(params []byte) question { return question{elements(params)} }

// param returns a parameter, null if it was left out.
func (q question) param(i int) json.RawMessage {
	if i < len(q.params) {
		return q.params[i]
	}
	return json.RawMessage("null")
}

// list returns the elements of a parameter.
func (q question) list(i int) []json.RawMessage { return elements(q.param(i)) }

// text returns a parameter as text.
func (q question) text(i int) string {
	text, _ := plainText(q.param(i)) // no error: this program wrote it
	return text
}

// number returns a parameter as a number.
func (q question) number(i int) uint64 {
	n, _ := parseNumber(q.param(i)) // likewise
	return n
}

// object returns a parameter as an object's id.
func (q question) object(i int) ledger.ObjectID {
	id, _ := objectID(q.param(i)) // likewise
	return id
}

// objectID reads an object id.
func objectID(raw json.RawMessage) (ledger.ObjectID, error) {
	text, err := plainText(raw)
	if err != nil {
		return 0, err
	}
	return ledger.ParseObjectID(text)
}

// readID reads an id of one kind of object.
func readID[K ledger.Kind](raw json.RawMessage, into *ledger.ID[K]) error {
	text, err := plainText(raw)
	if err != nil {
		return err
	}
	*into, err = ledger.ParseID[K](text)
	return err
}

// plainText reads a JSON string.
func plainText(raw json.RawMessage) (string, error) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", fmt.Errorf("%s is not text", quoted(raw))
	}
	if !slices.Contains(raw, '\\') {
		return string(raw[1 : len(raw)-1]), nil
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return text, err
}

// quoted returns a part of an answer as it may appear in a message.
func quoted(raw json.RawMessage) string {
	const most = 60
	if len(raw) == 0 {
		return "nothing"
	}
	text := cleanText(string(raw[:min(len(raw), most)]))
	if len(raw) > most {
		text += "…"
	}
	return text
}

// rows returns the elements of a list of at most so many.
func rows(result json.RawMessage, most uint64) ([]json.RawMessage, error) {
	if len(result) == 0 || result[0] != '[' {
		return nil, fmt.Errorf("%s is not a list", quoted(result))
	}
	if n := countElements(result); n > most {
		return nil, fmt.Errorf("got %d rows, at most %d were expected", n, most)
	}
	return elements(result), nil
}

// exactRows returns the elements of a list that must have want of them.
func exactRows(result json.RawMessage, want int) ([]json.RawMessage, error) {
	list, err := rows(result, uint64(want))
	if err == nil && len(list) != want {
		err = fmt.Errorf("got %d rows, not %d", len(list), want)
	}
	return list, err
}

// fields returns the named members of an object, nil for those it does not have.
func fields(object json.RawMessage, names ...string) ([]json.RawMessage, error) {
	if len(object) == 0 || object[0] != '{' {
		return nil, fmt.Errorf("%s is not an object", quoted(object))
	}
	found := make([]json.RawMessage, len(names))
	eachMember(object, func(name, value []byte) {
		if i := slices.Index(names, string(name[1:len(name)-1])); i >= 0 {
			found[i] = value
		}
	})
	return found, nil
}

// Limits of an answer. Honest ones stay far below: the deepest one recorded has 11 levels, and long lists take more
// than 6 bytes per value.
const (
	maxDepth   = 64
	freeValues = 1000
	perValue   = 4 // bytes
	maxMembers = 256
)

// inspect bounds what a valid JSON text becomes when it is decoded, and refuses what parsers understand differently:
// member names that occur twice or contain escapes.
func inspect(text []byte) error {
	in := inspection{text: text, left: freeValues + len(text)/perValue}
	_, err := in.value(0, 0)
	return err
}

type inspection struct {
	text  []byte
	left  int      // values that may still follow
	names [][]byte // member names of the objects around the current position
}

// value reads the value at i and returns where it ends.
func (in *inspection) value(i, depth int) (end int, err error) {
	if in.left--; in.left < 0 {
		return i, fmt.Errorf("it has more values than its %d bytes may hold", len(in.text))
	}
	i = skipSpace(in.text, i)
	switch in.text[i] {
	case '{', '[':
		if depth == maxDepth {
			return i, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
		}
		return in.members(i, depth+1)
	}
	return skipValue(in.text, i), nil
}

// members reads an object or a list.
func (in *inspection) members(i, depth int) (end int, err error) {
	mark := len(in.names)
	named := in.text[i] == '{'
	for i = skipSpace(in.text, i+1); in.text[i] != '}' && in.text[i] != ']'; {
		if named {
			if i, err = in.name(i, mark); err != nil {
				return i, err
			}
		}
		if i, err = in.value(i, depth); err != nil {
			return i, err
		}
		if i = skipSpace(in.text, i); in.text[i] == ',' {
			i = skipSpace(in.text, i+1)
		}
	}
	in.names = in.names[:mark]
	return i + 1, nil
}

// name reads a member's name and the colon; mark is the start of its object's names in in.names.
func (in *inspection) name(i, mark int) (end int, err error) {
	end = skipString(in.text, i)
	name := in.text[i:end]
	switch {
	case slices.Contains(name, '\\'):
		return i, fmt.Errorf("the member %s is written with escapes", quoted(name))
	case len(in.names)-mark == maxMembers:
		return i, fmt.Errorf("an object has more than %d members", maxMembers)
	}
	for _, other := range in.names[mark:] {
		if string(other) == string(name) {
			return i, fmt.Errorf("the member %s occurs twice", quoted(name))
		}
	}
	in.names = append(in.names, name)
	return skipSpace(in.text, end) + 1, nil
}

// number reads an unsigned number of at most so many bits, with or without quotes.
func number(raw json.RawMessage, bits int) (uint64, error) {
	text := string(raw)
	if len(text) > 2 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := strconv.ParseUint(text, 10, bits)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number of %d bits", quoted(raw), bits)
	}
	return n, nil
}
