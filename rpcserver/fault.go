package rpcserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

// Numbers is the form of one kind of error on the wire. Standard is the number for
// a request that says "jsonrpc":"2.0", Reference the one for a request that does
// not; they differ only for faults of the envelope. Name goes to error.data.name;
// it is the reference's name where the number is the reference's.
type Numbers struct {
	Standard  int
	Reference int
	Name      string
}

// The numbers of requests that the server itself refuses before they reach an operation (JSON-RPC 2.0 section 5.1 and
// the reference's). The numbers of the core's errors are in the table of package fault.
const (
	numParse          = -32700
	numInvalidRequest = -32600
	numInvalidParams  = -32602
	numRetryLater     = -32005
	numForbidden      = -32010
	numUnauthorized   = -32011
	refAssert         = 10
	refUnknownSet     = 52
	refInvalidParam   = 54
	refUnknownSetName = 55
)

// NumbersOf returns the numbers of a code of the core (fault.Rows), and reports whether the code exists.
func NumbersOf(code fault.Code) (Numbers, bool) {
	row, known := fault.RowOf(code)
	return Numbers{row.Standard, row.Reference, row.Name}, known
}

func numbers(code fault.Code) Numbers {
	n, _ := NumbersOf(code)
	return n
}

func same(number int, name string) Numbers { return Numbers{number, number, name} }

func forbiddenNumbers() Numbers { return same(numForbidden, "forbidden") }

// wireError is an error as it is answered.
type wireError struct {
	Numbers
	code       fault.Code // "" = the server itself refused
	message    string
	hint       string
	daemon     json.RawMessage // the daemon's own error
	unsettled  bool            // of a payment: it may still happen
	requestKey fault.KeyUse    // of a payment under a request key: which key it may be requested under next
	retryAfter time.Duration   // 0 = retrying does not help
	status     int             // HTTP status for a request of the reference's dialect
}

// kind returns the name of the error in our own words: Name may be a daemon's.
func (f *wireError) kind() string { return cmp.Or(string(f.code), f.Name) }

func invalidRequest(message string) *wireError {
	return &wireError{
		Numbers: same(numInvalidRequest, "invalid_request"),
		message: message,
		status:  http.StatusInternalServerError,
	}
}

func invalidParams(reference int, name, message string) *wireError {
	return &wireError{
		Numbers: Numbers{numInvalidParams, reference, name},
		message: message,
		status:  http.StatusInternalServerError,
	}
}

func busy(what string, retryAfter time.Duration) *wireError {
	return &wireError{
		Numbers:    same(numRetryLater, "limit_exceeded"),
		message:    busyText(what, retryAfter),
		retryAfter: retryAfter,
		status:     http.StatusServiceUnavailable,
	}
}

// faultOf returns the fault for an error of a Caller. The text of an error that is
// not the core's own is never shown.
func faultOf(err error) *wireError {
	var e *fault.Error
	var no *Denied
	var full *Busy
	switch {
	case errors.As(err, &full):
		return busy(full.What, full.After)
	case errors.As(err, &no):
		return deniedFault(no)
	case errors.As(err, &e):
		return coreFault(e)
	case errors.Is(err, errClientLeft):
		return cancelled(errClientLeft.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return cancelled("it took too long")
	case errors.Is(err, context.Canceled):
		return cancelled("this server is closing")
	default:
		return coreFault(&fault.Error{
			Code:    fault.Internal,
			Message: "The wallet could not finish this call because of an internal error; its log says more.",
		})
	}
}

// cancelled returns the fault of a call that was broken off.
func cancelled(why string) *wireError {
	return coreFault(&fault.Error{Code: fault.Canceled, Message: "The call was cancelled, since " + why, Hint: "look up a payment before repeating it"})
}

func deniedFault(no *Denied) *wireError {
	e := &fault.Error{Message: no.Message, Hint: no.Hint}
	return &wireError{Numbers: forbiddenNumbers(), message: sentence(e), hint: no.Hint, status: http.StatusForbidden}
}

func coreFault(e *fault.Error) *wireError {
	n, known := NumbersOf(e.Code)
	code := e.Code
	if !known {
		code, n = fault.Internal, numbers(fault.Internal)
	}
	if e.Code == fault.DaemonRefused {
		n = daemonNumbers(e.Data, n)
	}
	f := &wireError{Numbers: n, code: code, message: sentence(e), hint: e.Hint, unsettled: e.Unsettled, requestKey: e.RequestKey,
		retryAfter: fault.RetryIn(e), status: http.StatusInternalServerError}
	if json.Valid(e.Data) {
		f.daemon = e.Data
	}
	return f
}

// sentence returns the message and the hint of e as one sentence, with a full stop and
// a capital letter, unless it begins with the operation's name.
func sentence(e *fault.Error) string {
	text := strings.TrimSuffix(e.Message, ".")
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	text = inWords().Replace(text)
	if text = strings.TrimSuffix(text, "."); !strings.HasSuffix(text, "?") {
		text += "."
	}
	if e.Op != "" && strings.HasPrefix(text, e.Op+" ") {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// inWords replaces what Go calls the end of a context, of which a disk or a daemon may have complained.
var inWords = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(context.Canceled.Error(), "the call was cancelled", context.DeadlineExceeded.Error(), "it took too long")
})

// daemonNumbers returns the daemon's own number and name from its error, {"code","message",
// "data":{"name",…}} (docs/protocol/daemon-api.md 1.2), or otherwise if it has no code.
func daemonNumbers(data json.RawMessage, otherwise Numbers) Numbers {
	var own struct {
		Code *int `json:"code"`
		Data struct {
			Name string `json:"name"`
		} `json:"data"`
	}
	if json.Unmarshal(data, &own) != nil || own.Code == nil {
		return otherwise
	}
	if own.Data.Name == "" {
		own.Data.Name = otherwise.Name
	}
	return same(*own.Code, own.Data.Name)
}

// faultData is error.data. It never holds a stack trace.
type faultData struct {
	Name         string          `json:"name"`
	Hint         string          `json:"hint,omitempty"`
	RetryAfterMS int64           `json:"retry_after_ms,omitempty"`
	Unsettled    bool            `json:"unsettled,omitempty"`
	RequestKey   fault.KeyUse    `json:"request_key,omitempty"`
	Daemon       json.RawMessage `json:"daemon,omitempty"`
}

// appendFault appends one answer with an error; a nil id is written as null. Characters
// that are not safe to show are escaped, since people read errors where curl prints them.
func appendFault(dst, id []byte, modern bool, f *wireError) []byte {
	number := f.Reference
	if modern {
		number = f.Standard
	}
	dst = append(appendHead(dst, id), `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	dst = append(append(dst, `,"message":`...), printable.JSON(encode(f.message))...)
	dst = append(dst, `,"data":`...)
	dst = append(dst, printable.JSON(encode(faultData{f.Name, f.hint, f.retryAfter.Milliseconds(), f.unsettled, f.requestKey, f.daemon}))...)
	return append(dst, "}}"...)
}

// appendResult appends one answer with a result; a nil result is written as null.
func appendResult(dst, id []byte, result json.RawMessage) []byte {
	dst = append(appendHead(dst, id), `,"result":`...)
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	return append(append(dst, result...), '}')
}

func appendHead(dst, id []byte) []byte {
	if id == nil {
		id = []byte("null")
	}
	return append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
}

// encode returns the JSON of v without HTML escapes, which make logs and terminals hard
// to read and protect nobody here. It is used only for values that can be encoded.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
