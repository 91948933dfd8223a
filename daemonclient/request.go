package daemonclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"billfold/ledger/codec"
)

// request is a call before it is put on a connection.
type request struct {
	set    Set
	method string
	args   []byte // a JSON array in the daemon's dialect
	plain  []byte // the same array as JSON
	// accept decodes the result after it has been checked against the question; nil: nothing is decoded. It may be
	// called again with another daemon's result.
	accept func(json.RawMessage) error
	timed  bool // its answer is used to measure the round trip
}

// newBareRequest returns a request without parameters.
func newBareRequest(set Set, method string) request {
	return request{set: set, method: method, args: []byte("[]"), plain: []byte("[]")}
}

// newDecodedRequest returns a request without parameters whose result is decoded into out.
func newDecodedRequest(set Set, method string, out any) request {
	r := newBareRequest(set, method)
	r.accept = func(result json.RawMessage) error { return decode(result, out) }
	return r
}

// newRequest encodes the parameters. A json.RawMessage is passed as it is.
func newRequest(set Set, method string, params []any) (request, error) {
	args := []byte{'['}
	for i, param := range params {
		if i > 0 {
			args = append(args, ',')
		}
		var err error
		if args, err = appendParam(args, param); err != nil {
			return request{}, fmt.Errorf("%s: parameter %d cannot be written as JSON: %w", method, i+1, err)
		}
	}
	args = append(args, ']')
	return request{set: set, method: method, args: codec.ToFC(args), plain: args}, nil
}

func appendParam(args []byte, param any) ([]byte, error) {
	if p, raw := param.(json.RawMessage); raw {
		if !json.Valid(p) {
			return nil, fmt.Errorf("the text is not JSON")
		}
		return append(args, p...), nil
	}
	return codec.AppendJSON(args, param)
}

// frame returns the call envelope (docs/protocol/interface.md, "Daemon call envelope").
func (r request) frame(id, set uint64) []byte {
	f := make([]byte, 0, len(r.args)+len(r.method)+64)
	f = append(f, `{"id":`...)
	f = strconv.AppendUint(f, id, 10)
	f = append(f, `,"method":"call","params":[`...)
	f = strconv.AppendUint(f, set, 10)
	f = append(f, `,"`...)
	f = append(f, r.method...)
	f = append(f, `",`...)
	f = append(f, r.args...)
	return append(f, `]}`...)
}

// decode decodes a result into out; null leaves out unchanged.
func decode(result json.RawMessage, out any) error {
	if target, raw := out.(*json.RawMessage); raw {
		*target = result
		return nil
	}
	if isNull(result) {
		return nil
	}
	return codec.Unmarshal(result, out)
}

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
