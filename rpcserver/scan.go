package rpcserver

import (
	"encoding/json"
	"iter"
)

// The functions below split a JSON text into its values without copying it. Except
// for tooDeep they require a text that has passed json.Valid.

// tooDeep reports whether the arrays and objects of text nest deeper than limit. Any
// text will do.
func tooDeep(text []byte, limit int) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i) - 1
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// stringEnd returns the index after the string that starts at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// valueEnd returns the index after the value that starts at i.
func valueEnd(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++
			continue
		default:
			i = wordEnd(text, i)
		}
		if depth == 0 {
			return i
		}
	}
	return len(text)
}

// wordEnd returns the index after the number or literal that starts at i.
func wordEnd(text []byte, i int) int {
	for i < len(text) && text[i] != ',' && text[i] != '}' && text[i] != ']' && !blank(text[i]) {
		i++
	}
	return i
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// nextValue returns the index of the next value at or after i, past blanks and
// separators, or len(text) if the array or object ends first.
func nextValue(text []byte, i int) int {
	for i < len(text) && (blank(text[i]) || text[i] == ',' || text[i] == ':') {
		i++
	}
	if i < len(text) && (text[i] == ']' || text[i] == '}') {
		return len(text)
	}
	return i
}

// elements iterates over the values of an array, or over the names and values of an
// object in turn.
func elements(text []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for i := nextValue(text, 1); i < len(text); {
			end := valueEnd(text, i)
			if !yield(json.RawMessage(text[i:end:end])) {
				return
			}
			i = nextValue(text, end)
		}
	}
}

// members iterates over the names and values of an object, repeated names included.
func members(text []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		name, named := "", false
		for part := range elements(text) {
			if !named {
				name, named = unquote(part), true
				continue
			}
			if named = false; !yield(name, part) {
				return
			}
		}
	}
}

// unquote returns the text of a JSON string.
func unquote(quoted []byte) string {
	for _, c := range quoted {
		if c == '\\' {
			var s string
			if json.Unmarshal(quoted, &s) != nil {
				return ""
			}
			return s
		}
	}
	return string(quoted[1 : len(quoted)-1])
}
