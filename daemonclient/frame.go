package daemonclient

import (
	"bytes"
	"encoding/json"

	"billfold/ledger/codec"
)

// frame is one message of the daemon: an answer (hasID) with result or failure, or a notice with the number of the
// callback and its arguments (daemon-api 1.2 and 1.4). Its slices point into the message that was read.
type frame struct {
	hasID    bool
	id       uint64
	result   json.RawMessage
	failure  json.RawMessage
	callback uint64
	args     json.RawMessage
}

// parseFrame parses one message. Every part it returns is valid JSON. Errors are ErrGarbage and never repeat the message.
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
