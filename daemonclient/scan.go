package daemonclient

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// parseNumber parses an unsigned integer; above 4294967295 the daemon writes it as a string.
func parseNumber(value []byte) (uint64, bool) {
	n, err := strconv.ParseUint(string(bytes.Trim(value, `"`)), 10, 64)
	return n, err == nil
}

// eachMember visits the members of a valid JSON object in their order; names include their quotes.
func eachMember(object []byte, visit func(name, value []byte)) {
	for i := skipSpace(object, 1); object[i] != '}'; {
		end := skipString(object, i)
		name := object[i:end]
		i = skipSpace(object, skipSpace(object, end)+1)
		end = skipValue(object, i)
		visit(name, object[i:end])
		if i = skipSpace(object, end); object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
}

// elements returns the elements of a valid JSON array, nil if it is not an array.
func elements(array []byte) []json.RawMessage {
	if len(array) == 0 || array[0] != '[' {
		return nil
	}
	list := []json.RawMessage{}
	for i := skipSpace(array, 1); array[i] != ']'; {
		end := skipValue(array, i)
		list = append(list, array[i:end:end])
		if i = skipSpace(array, end); array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
	return list
}

// The skip functions rely on valid JSON, so they need no bounds or syntax checks.

func skipSpace(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r' {
		i++
	}
	return i
}

func skipString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func skipValue(text []byte, i int) int {
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipNested(text, i)
	}
	for i < len(text) && bytes.IndexByte([]byte(",]} \t\r\n"), text[i]) < 0 {
		i++
	}
	return i
}

func skipNested(text []byte, i int) int {
	for depth := 0; ; i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// countElements counts the elements of a valid JSON array without keeping them.
func countElements(array []byte) (n uint64) {
	for i := skipSpace(array, 1); array[i] != ']'; n++ {
		if i = skipSpace(array, skipValue(array, i)); array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
	return n
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }
