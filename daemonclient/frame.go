package daemonclient

import (
	"bytes"
	"encoding/json"
	"strconv"

	"billfold/ledger/codec"
)

// frame is one message of the daemon: an answer (hasID) with result or failure,
// or a notice with the number of the callback and its arguments
// (daemon-api 1.2 and 1.4). Its slices lie in the message that was read.
type frame struct {
	hasID    bool
	id       uint64
	result   json.RawMessage
	failure  json.RawMessage
	callback uint64
	args     json.RawMessage
}

// parseFrame reads one message. Every part it returns is valid JSON. Errors are
// ErrGarbage and never repeat the message.
func parseFrame(message []byte) (frame, error) {
	text := bytes.TrimSpace(codec.FromFC(message))
	if !json.Valid(text) {
		return frame{}, garbage("a message of %d bytes is not JSON", len(message))
	}
	if text[0] != '{' {
		return frame{}, garbage("a message is not a JSON object")
	}
	var id, method, params, result, failure []byte
	eachMember(text, func(name, value []byte) {
		switch string(name) {
		case `"id"`:
			id = value
		case `"result"`:
			result = value
		case `"error"`:
			failure = value
		case `"method"`:
			method = value
		case `"params"`:
			params = value
		}
	})
	if id == nil && string(method) == `"notice"` {
		return parseNotice(params)
	}
	return parseAnswer(id, result, failure)
}

func parseAnswer(id, result, failure []byte) (frame, error) {
	number, ok := parseNumber(id)
	if !ok {
		return frame{}, garbage("a message is neither an answer nor a notice")
	}
	if string(failure) == "null" {
		failure = nil
	}
	if result == nil && failure == nil {
		return frame{}, garbage("an answer has neither a result nor an error")
	}
	return frame{hasID: true, id: number, result: result, failure: failure}, nil
}

func parseNotice(params []byte) (frame, error) {
	parts := elements(params)
	if len(parts) != 2 {
		return frame{}, garbage("a notice does not have two parameters")
	}
	callback, ok := parseNumber(parts[0])
	if !ok {
		return frame{}, garbage("a notice names no callback")
	}
	return frame{callback: callback, args: parts[1]}, nil
}

// parseNumber reads an unsigned integer; above 4294967295 the daemon writes it
// as a string.
func parseNumber(value []byte) (uint64, bool) {
	n, err := strconv.ParseUint(string(bytes.Trim(value, `"`)), 10, 64)
	return n, err == nil
}

// eachMember gives the members of a valid JSON object in their order, names
// with their quotes.
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

// elements cuts a valid JSON array into its elements; nil when it is not an array.
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
