package ipfs

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"billfold/content/archive"
)

// Errors that a caller can branch on, with errors.Is. What is returned is an *Error around one of them, one of content/archive, or the
// context's error.
var (
	ErrAddress     = errors.New("the address of the IPFS daemon is no address")
	ErrURI         = errors.New("the address of the content is not one of IPFS")
	ErrUnavailable = errors.New("the IPFS daemon does not answer")
	ErrVersion     = errors.New("the IPFS daemon is too old")
	ErrRefused     = errors.New("the IPFS daemon refuses")
	ErrAnswer      = errors.New("the IPFS daemon answers what it should not")
	ErrStalled     = errors.New("the IPFS daemon has stopped sending")
	ErrContent     = errors.New("what is in IPFS is not the content")
)

// Error is the error of the functions of this package: a kind to branch on, a sentence, and what to do next.
type Error struct {
	Kind    error  // one of the Err… values
	Message string // what happened, to what
	Hint    string // what to do next
	Err     error  // the cause; may be nil
}

// Error returns the sentence with its hint.
func (e *Error) Error() string { return e.Message + " (" + e.Hint + ")" }

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

func answerError(command, what string) error {
	return &Error{Kind: ErrAnswer, Message: fmt.Sprintf("The IPFS daemon's answer to %s %s", command, what),
		Hint: "use another daemon, or another version of it"}
}

func contentError(what string) error {
	return &Error{Kind: ErrContent, Message: "What is in IPFS is not this content: " + what,
		Hint: "nothing was kept of it; try again with another IPFS daemon, or ask the publisher"}
}

// wrap puts an error of the transport into words. It keeps errors of this package, of content/archive and of the context.
func (c *Client) wrap(command string, err error) error {
	var own *Error
	var packed *archive.Error
	if err == nil || errors.As(err, &own) || errors.As(err, &packed) {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var called *url.Error
	if errors.As(err, &called) {
		err = called.Err // its URL may hold a password
	}
	what := "does not answer to " + command
	if op, is := errors.AsType[*net.OpError](err); is && op.Op == "dial" {
		what = "is not available"
	}
	return &Error{Kind: ErrUnavailable, Message: fmt.Sprintf("The IPFS daemon at %s %s: %s", c.base.Host, what, reason(err)),
		Hint: "start it, or name another with --ipfs-api", Err: err}
}

// reason returns why a daemon was not reached or went away. The network's own errors repeat addresses, and name calls of the system.
func reason(err error) string {
	if lookup, is := errors.AsType[*net.DNSError](err); is {
		if lookup.IsNotFound {
			return "no machine has that name"
		}
		return "its name could not be looked up"
	}
	if distrusted, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return "its certificate is not trusted: " + distrusted.Err.Error()
	}
	_, plain := errors.AsType[tls.RecordHeaderError](err)
	network, is := errors.AsType[net.Error](err)
	op, dialed := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no program listens at that address: connection refused"
	case plain || errors.Is(err, http.ErrSchemeMismatch):
		return "it does not use TLS; check the port, or write http:// if it is not encrypted"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return "it closed the connection"
	case is && network.Timeout():
		return "it did not answer in time"
	case dialed:
		return op.Err.Error()
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "the program at that address does not speak HTTP"
	}
	return err.Error()
}
