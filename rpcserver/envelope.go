package rpcserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"billfold/ledger/codec"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// maxID is the longest id that is echoed, in bytes.
const maxID = 256

// maxParams is the maximum number of parameters of a call kept in memory, which is more than any operation takes.
const maxParams = 64

// initialParams is the number of parameters that are allocated at first.
const initialParams = 8

// request is one call as read from the wire.
type request struct {
	id     []byte // as sent; nil when there was none
	modern bool   // it said "jsonrpc":"2.0"
	method string
	params Params
	fault  *wireError // why it cannot be executed
}

// mustAnswer reports whether the outcome of this request, with fault f or nil, is sent to
// the client: a request without an id is not answered, unless it was no request at all.
func (r *request) mustAnswer(f *wireError) bool {
	return r.id != nil || f != nil && f.Standard == numInvalidRequest
}

// message is one parsed HTTP body or websocket message: one request, a batch of them,
// or neither (fault).
type message struct {
	requests []request
	batch    bool
	fault    *wireError
}

// readMessage parses text within limits. It never fails: an error is kept as the fault
// of the message or of the request in which it is to be answered.
func readMessage(text []byte, limits Limits) message {
	text, err := usertext.DecodeJSON(text)
	if err != nil {
		f := notJSON(nil)
		f.message = "The request cannot be read: " + err.Error() + "."
		return message{fault: f}
	}
	text = bytes.TrimSpace(text)
	switch {
	case tooDeep(text, limits.Depth):
		return message{fault: invalidRequest(fmt.Sprintf(
			"The request nests deeper than %d levels; send a flatter one.", limits.Depth))}
	case !utf8.Valid(text):
		return message{fault: invalidRequest(fmt.Sprintf("Byte %d of the request is not UTF-8 text; send it as UTF-8. Nothing was done.", notUTF8(text)+1))}
	case !json.Valid(text):
		return message{fault: notJSON(text)}
	case text[0] == '[':
		return readBatch(text, limits)
	default:
		return message{requests: []request{readRequest(text)}}
	}
}

// notUTF8 returns the index of the first byte of a text that is not UTF-8.
func notUTF8(text []byte) (at int) {
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// notJSON returns the answer to what is not JSON, with the place but nothing of the text, which may be secret.
func notJSON(text []byte) *wireError {
	const instead = `send an object such as {"jsonrpc":"2.0","id":1,"method":"help","params":[]}.`
	f := &wireError{Numbers: same(numParse, "parse_error_exception"), message: "The request is empty; " + instead, status: http.StatusInternalServerError}
	if at, is := errors.AsType[*json.SyntaxError](json.Unmarshal(text, new(json.RawMessage))); is && len(text) > 0 {
		f.message = fmt.Sprintf("The request is not JSON, as byte %d shows; %s", at.Offset, instead)
		if i := int(at.Offset) - 1; i >= 0 && i < len(text) && text[i] < ' ' {
			f.message = fmt.Sprintf("Byte %d of the request is %s", at.Offset, controlAt(text, i))
		}
	}
	return f
}

// controlAt returns in words which control character is at i of a text that is JSON up to it, and what to do.
func controlAt(text []byte, i int) string {
	name := "a line end or another control character"
	if text[i] == 0 {
		name = "a NUL"
	}
	switch {
	case json.Valid(text[:i]) && text[i] == 0:
		return name + " that follows the request; send the request without it, as with strlen in place of sizeof."
	case json.Valid(text[:i]):
		return name + " that follows the request; send the request without it."
	case inString(text[:i]):
		return name + ` within a text; write it as \n, \t or \u0000.`
	}
	return name + ", which JSON has in no place; send the request without it."
}

// inString reports whether the beginning of a JSON text ends within a string.
func inString(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := stringEnd(text, i)
		if end == len(text) && (i+1 == end || text[end-1] != '"' || !json.Valid(text[i:])) {
			return true
		}
		i = end - 1
	}
	return false
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

// readRequest reads one request object out of valid JSON. It ignores unknown members
// unless they were meant as parameters, and refuses a known member that is given twice,
// since two readers could disagree on which one counts.
func readRequest(text []byte) request {
	if text[0] != '{' {
		return request{fault: invalidRequest("A request must be a JSON object with id, method and params.")}
	}
	raw, twice, stray := readMembers(text)
	r := request{modern: string(raw.jsonrpc) == `"2.0"`}
	switch known := strings.ToLower(stray); {
	case codec.HasHalfCharacter(text):
		r.fail(invalidRequest(`A text in the request holds half a character, an escape such as \ud83d without its other half; ` +
			"send the whole character. Nothing was done."))
	case len(twice) > 0:
		r.fail(invalidRequest(fmt.Sprintf("The request has %q twice; send it once. Nothing was done.", twice[len(twice)-1])))
	case stray != "" && new(requestMembers).slot(known) != nil:
		r.fail(invalidRequest(fmt.Sprintf("The request has %q; write it %q. Nothing was done.", stray, known)))
	case stray != "":
		r.fail(invalidRequest(fmt.Sprintf("%q has no meaning beside params; put parameters into params, by name. Nothing was done.", stray)))
	}
	if !slices.Contains(twice, "id") && !codec.HasHalfCharacter(raw.id) {
		r.readID(raw.id)
	}
	if r.fault != nil {
		r.readRefused(raw, twice)
		return r
	}
	r.readMethod(raw.method)
	r.readParams(raw.params)
	return r
}

// readRefused reads method and parameters of a request that is refused, as far as they are unmistakable: what is answered depends on them.
func (r *request) readRefused(raw requestMembers, twice []string) {
	if slices.Contains(twice, "method") || slices.Contains(twice, "params") {
		return
	}
	var understood request
	understood.readMethod(raw.method)
	understood.readParams(raw.params)
	if understood.fault == nil {
		r.method, r.params = understood.method, understood.params
	}
}

// requestMembers are the known members of a request object, as sent. A member that is
// absent is nil.
type requestMembers struct{ jsonrpc, id, method, params json.RawMessage }

// meantForParams reports whether an unknown member looks like a misplaced or misspelled part of the request that would
// change what the call does: a parameter of every spend, a known member in different case, or another word for params. An
// operation without its parameters would run with their defaults. What clients add for themselves, such as meta or requestId,
// is none of these.
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

// readMembers returns the known members of a request object. It also returns the names of known members that occur twice,
// and that of an unknown one that was meant as a parameter, "" if there is none.
func readMembers(text []byte) (m requestMembers, twice []string, stray string) {
	for name, value := range members(text) {
		slot := m.slot(name)
		if slot == nil {
			if meantForParams(name) {
				stray = name
			}
			continue
		}
		if *slot != nil {
			twice = append(twice, name)
		}
		*slot = value
	}
	return m, twice, stray
}

// slot returns where the member of that name is kept, nil for an unknown one.
func (m *requestMembers) slot(name string) *json.RawMessage {
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
func (r *request) fail(f *wireError) {
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
				r.params.Positional = make([]json.RawMessage, 0, initialParams)
			}
			if r.params.Positional = append(r.params.Positional, part); len(r.params.Positional) == maxParams {
				break // no operation takes this many, so they are surplus already
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
		if len(r.params.Named) == maxParams {
			r.fail(
				invalidParams(refInvalidParam, "invalid_parameter_exception", "There are more named parameters than any operation takes."))
			return
		}
		if _, twice := r.params.Named[name]; twice {
			r.fail(invalidParams(refInvalidParam, "invalid_parameter_exception",
				"The parameter "+fault.Quote(name)+" is given twice; send it once."))
			value = nil // neither of them
		}
		r.params.Named[name] = value
	}
}

// unwrapCall turns {"method":"call","params":[0,"transfer",[…]]} into a call of
// transfer (docs/protocol/wallet-api.md 1.1).
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

// walletSet checks the first parameter of call, which names the API set: the wallet has only one.
func walletSet(set json.RawMessage) *wireError {
	const help = `this wallet has one API set: 0, or "wallet_api".`
	number, err := codec.WholeNumber(string(set))
	switch text := string(set); {
	case err == nil && number == "0" || text == `"0"` || text == `"wallet_api"`:
		return nil
	case set[0] == '"':
		return invalidParams(refUnknownSetName, "api_name_is_not_registered_exception", "No API set of that name; "+help)
	default:
		return invalidParams(refUnknownSet, "api_id_is_not_registered_exception", "No API set of that number; "+help)
	}
}
