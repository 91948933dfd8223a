package daemonclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"billfold/ledger/printable"
)

// RemoteError is the daemon's own refusal of a call (protocol notes, daemon-api 1.2 and 7).
type RemoteError struct {
	Method  string
	Code    int             // the exception code, such as 10 or 405
	Name    string          // the exception's name, such as "assert_exception"
	Message string          // the first line, without code, name, data and control characters
	Data    json.RawMessage // the whole "data" member, stack included; valid JSON or nil

	what  string // the fixed text of the exception's kind
	stack []stackEntry
}

// stackEntry is one line of the daemon's log of the failure. Format holds the
// condition that failed, ": ", and a text with ${name} placeholders for Data.
type stackEntry struct {
	Format string                     `json:"format"`
	Data   map[string]json.RawMessage `json:"data"`
}

func (e *RemoteError) Error() string {
	return fmt.Sprintf("%s: the daemon refused: %s (code %d)", e.Method, e.Said(), e.Code)
}

// IsDuplicate reports whether the daemon already knows the same transaction: for a repeated broadcast that is success.
func (e *RemoteError) IsDuplicate() bool { return e.mentions("trx_idx.find(trx_id)") }

// IsExpired reports whether the transaction's expiration lies before the head block's time.
func (e *RemoteError) IsExpired() bool { return e.mentions("now <= trx.expiration") }

// IsExpirationTooFar reports whether the expiration lies further ahead than the chain allows.
func (e *RemoteError) IsExpirationTooFar() bool { return e.mentions("maximum_time_until_expiration") }

// IsTaPoS reports whether the reference block is not on the daemon's chain.
func (e *RemoteError) IsTaPoS() bool { return e.mentions("ref_block_prefix") }

// IsInsufficientBalance reports whether an account has too little of an asset.
func (e *RemoteError) IsInsufficientBalance() bool { return e.mentions("Insufficient Balance") }

// IsMissingAuthority reports whether the signatures do not satisfy an account's active, owner or other authority.
func (e *RemoteError) IsMissingAuthority() bool { return e.Code >= 405 && e.Code <= 407 }

// IsNoSuchObject reports whether an id in the call names nothing on the chain.
func (e *RemoteError) IsNoSuchObject() bool { return e.Code == 103 || e.Code == 209 }

// mentions looks for a mark in the stack's formats: the code alone does not distinguish asserts (daemon-api 6).
func (e *RemoteError) mentions(mark string) bool {
	for _, entry := range e.stack {
		if strings.Contains(entry.Format, mark) {
			return true
		}
	}
	return false
}

// Reason returns the daemon's explanation in words, without the condition that it checked, such as "Insufficient
// Balance: 0 DCT, unable to transfer …".
func (e *RemoteError) Reason() string {
	for _, entry := range e.stack {
		if text := cleanText(entry.text()); text != "" {
			return text
		}
	}
	if e.what != "" {
		return e.what
	}
	return e.Message
}

// Said returns the reason in quotes, because the words are the daemon's and not this program's.
func (e *RemoteError) Said() string {
	return printable.Quote(strings.TrimSuffix(e.Reason(), "."), maxText)
}

// text fills the placeholders and drops the condition in front.
func (s stackEntry) text() string {
	format := s.Format
	if condition, rest, found := strings.Cut(format, ": "); found && looksLikeCode(condition) {
		format = rest
	}
	return placeholder.ReplaceAllStringFunc(format, func(mark string) string {
		raw, ok := s.Data[mark[2:len(mark)-1]]
		if !ok {
			return mark
		}
		var plain string
		if json.Unmarshal(raw, &plain) == nil {
			return plain
		}
		return string(raw)
	})
}

var placeholder = regexp.MustCompile(`\$\{[^{}]*\}`)

func looksLikeCode(condition string) bool { return strings.ContainsAny(condition, "()<>=!_&|:") }

// newRemoteError reads the "error" member of an answer; it must be valid JSON. If it does not have the documented
// shape, the error has code 0.
func newRemoteError(method string, member json.RawMessage) *RemoteError {
	var wire struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	var detail struct {
		Name    string       `json:"name"`
		Message string       `json:"message"`
		Stack   []stackEntry `json:"stack"`
	}
	e := &RemoteError{Method: method}
	// Both may fail in part on an unknown shape; what was understood is kept.
	_ = json.Unmarshal(member, &wire)
	if len(wire.Data) > 0 {
		_ = json.Unmarshal(wire.Data, &detail)
	}
	e.Code, e.Data = wire.Code, wire.Data
	e.Name, e.what, e.stack = cleanText(detail.Name), cleanText(detail.Message), detail.Stack
	e.Message = firstLine(wire.Message)
	return e
}

// firstLine cuts "405 name: text    {data}\n   more" down to "text".
func firstLine(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	line, _, _ = strings.Cut(line, "    {")
	line = codePrefix.ReplaceAllString(line, "")
	if line = cleanText(line); line == "" {
		return "no reason given"
	}
	return line
}

var codePrefix = regexp.MustCompile(`^\d+ [a-z_]+: `)

const maxText = 400

// cleanText makes text from the daemon fit for a message: one safe line of limited length.
func cleanText(text string) string { return printable.Short(text, maxText) }

func isRemote(err error) bool {
	var remote *RemoteError
	return errors.As(err, &remote)
}
