package rpcserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// maxID bounds what is echoed back, in bytes.
const maxID = 256

// mostParams bounds what the parameters of a call become in memory.
const mostParams = 64

// usualParams is how many parameters most calls have room for.
const usualParams = 8

// request is one call as read from the wire.
type request struct {
	id     []byte // as sent; nil when there was none
	modern bool   // it said "jsonrpc":"2.0"
	method string
	params Params
	fault  *wireFault // why it cannot be executed
}

// answered reports whether a fault f of this request is sent to the client: a
// request without id is not answered, unless it was no request at all.
func (r *request) answered(f *wireFault) bool {
	return r.id != nil || f != nil && f.Standard == numInvalidRequest
}

// message is what one HTTP body or websocket message holds: one request, or a
// batch of them, or something that is neither (fault).
type message struct {
	requests []request
	batch    bool
	fault    *wireFault
}

// readMessage parses text within limits. It never fails: what is wrong is kept
// as a fault, at the level where it is to be answered.
func readMessage(text []byte, limits Limits) message {
	text = bytes.TrimSpace(text)
	switch {
	case tooDeep(text, limits.Depth):
		return message{fault: invalidRequest(fmt.Sprintf(
			"The request nests deeper than %d levels; send a flatter one.", limits.Depth))}
	case !utf8.Valid(text) || !json.Valid(text):
		return message{fault: notJSON(len(text) == 0)}
	case text[0] == '[':
		return readBatch(text, limits)
	default:
		return message{requests: []request{readRequest(text)}}
	}
}

func notJSON(empty bool) *wireFault {
	f := &wireFault{
		Numbers: same(numParse, "parse_error_exception"),
		message: `The request is not JSON; send an object such as {"jsonrpc":"2.0","id":1,"method":"help","params":[]}.`,
		status:  http.StatusInternalServerError,
	}
	if empty {
		f.message = `The request is empty; send an object such as {"jsonrpc":"2.0","id":1,"method":"help","params":[]}.`
	}
	return f
}

func readBatch(text []byte, limits Limits) message {
	m := message{batch: true}
	for part := range elements(text) {
		if len(m.requests) == limits.Batch {
			return message{fault: invalidRequest(fmt.Sprintf(
				"The batch holds more than %d requests; send them in smaller batches.", limits.Batch))}
		}
		m.requests = append(m.requests, readRequest(part))
	}
	if len(m.requests) == 0 {
		return message{fault: invalidRequest("The batch is empty; put at least one request into it.")}
	}
	return m
}

// readRequest reads one request object out of valid JSON. Members it does not
// know are ignored, but for those that were meant as parameters; a known one given twice is
// refused, since two readers could disagree on which counts.
func readRequest(text []byte) request {
	if text[0] != '{' {
		return request{fault: invalidRequest("A request must be a JSON object with id, method and params.")}
	}
	raw, twice, stray := readMembers(text)
	r := request{modern: string(raw.jsonrpc) == `"2.0"`}
	if twice != "" {
		r.fault = invalidRequest(fmt.Sprintf("The request has %q twice; send it once.", twice))
		return r
	}
	if stray != "" {
		r.fail(invalidRequest(fmt.Sprintf("%q has no meaning beside params; write parameters into params, by their names. "+
			"Nothing was done.",
			stray)))
	}
	r.readID(raw.id)
	r.readMethod(raw.method)
	r.readParams(raw.params)
	return r
}

// requestMembers are the known members of a request object as sent; nil means
// absent.
type requestMembers struct{ jsonrpc, id, method, params json.RawMessage }

// meantForParams reports whether a member that is not known would change what the call does, had it been where its sender
// believes it to be: a parameter of every spend, a known member in other letters, or another word for params. An operation
// without its parameters would run with their defaults. What clients add for themselves, such as meta or requestId, is none of these.
func meantForParams(name string) bool {
	switch folded := strings.ToLower(name); folded {
	case "jsonrpc", "id", "method", "params":
		return name != folded
	case "param", "parameter", "parameters", "arg", "args", "argument", "arguments":
		return true
	}
	isParameter := func(word string) bool { return spelling.Within(name, word, 1) }
	return spelling.Within(name, "params", 2) ||
		slices.ContainsFunc([]string{"dry_run", "request_key", "export", "broadcast"}, isParameter)
}

// readMembers also names a known member that is there twice, and one that was meant as a parameter.
func readMembers(text []byte) (m requestMembers, twice, stray string) {
	for name, value := range members(text) {
		slot := m.named(name)
		if slot == nil {
			if meantForParams(name) {
				stray = name
			}
			continue
		}
		if *slot != nil {
			twice = name
		}
		*slot = value
	}
	return m, twice, stray
}

func (m *requestMembers) named(name string) *json.RawMessage {
	switch name {
	case "jsonrpc":
		return &m.jsonrpc
	case "id":
		return &m.id
	case "method":
		return &m.method
	case "params":
		return &m.params
	default:
		return nil
	}
}

// fail keeps the first fault.
func (r *request) fail(f *wireFault) {
	if r.fault == nil {
		r.fault = f
	}
}

func (r *request) readID(id json.RawMessage) {
	switch {
	case id == nil:
	case len(id) > maxID:
		r.fail(invalidRequest(fmt.Sprintf("The id is longer than %d bytes; send a shorter one.", maxID)))
	case bytes.IndexByte([]byte(`{[tf`), id[0]) >= 0:
		r.fail(invalidRequest("The id must be a number, a string or null."))
	default:
		r.id = id
	}
}

func (r *request) readMethod(method json.RawMessage) {
	if method == nil {
		f := invalidRequest("The request has no method; name the wallet operation to run, such as help.")
		f.status = http.StatusBadRequest
		r.fail(f)
		return
	}
	if method[0] == '"' {
		r.method = unquote(method)
	}
	if r.method == "" {
		r.fail(invalidRequest("The method must be the name of a wallet operation, as a string."))
	}
}

func (r *request) readParams(params json.RawMessage) {
	switch {
	case params == nil || params[0] == 'n':
	case params[0] == '[':
		for part := range elements(params) {
			if r.params.Positional == nil {
				r.params.Positional = make([]json.RawMessage, 0, usualParams)
			}
			if r.params.Positional = append(r.params.Positional, part); len(r.params.Positional) == mostParams {
				break // no operation takes as many: these are surplus already
			}
		}
	case params[0] == '{':
		r.readNamed(params)
	default:
		r.fail(invalidParams(refInvalidParam, "invalid_parameter_exception",
			"The params must be an array, or an object of named parameters."))
	}
	if r.method == "call" && r.fault == nil {
		r.unwrapCall()
	}
}

func (r *request) readNamed(params json.RawMessage) {
	r.params.Named = make(map[string]json.RawMessage)
	for name, value := range members(params) {
		if len(r.params.Named) == mostParams {
			r.fail(
				invalidParams(refInvalidParam, "invalid_parameter_exception", "There are more named parameters than any operation takes."))
			return
		}
		if _, twice := r.params.Named[name]; twice {
			r.fail(invalidParams(refInvalidParam, "invalid_parameter_exception",
				"The parameter "+fault.Quote(name)+" is given twice; send it once."))
		}
		r.params.Named[name] = value
	}
}

// unwrapCall turns {"method":"call","params":[0,"transfer",[…]]} into a call of
// transfer (protocol notes wallet-api.md 1.1).
func (r *request) unwrapCall() {
	outer := r.params.Positional
	r.params = Params{}
	if len(outer) != 3 {
		r.fail(invalidParams(refAssert, "assert_exception",
			`The method call takes three params: 0 or "wallet_api", the operation's name, and its parameters.`))
		return
	}
	if f := walletSet(outer[0]); f != nil {
		r.fail(f)
		return
	}
	r.method = ""
	r.readMethod(outer[1])
	if r.method == "call" {
		r.fail(invalidRequest("The method call cannot call itself; name a wallet operation."))
		return
	}
	r.readParams(outer[2])
}

// walletSet checks the first parameter of call: the wallet has one API set.
func walletSet(set json.RawMessage) *wireFault {
	const help = `this wallet has one API set: 0, or "wallet_api".`
	switch text := string(set); {
	case text == "0" || text == `"0"` || text == `"wallet_api"`:
		return nil
	case set[0] == '"':
		return invalidParams(refUnknownSetName, "api_name_is_not_registered_exception", "No API set of that name; "+help)
	default:
		return invalidParams(refUnknownSet, "api_id_is_not_registered_exception", "No API set of that number; "+help)
	}
}
