// Package remotewallet calls the operations of a wallet in another process, over the socket or
// port that its server listens on. Before it sends anything over a socket, it checks whose process
// serves it.
package remotewallet

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"billfold/cmd/billfold/access"
	"billfold/ledger/printable"
	"billfold/ledger/usertext"
	"billfold/rpcserver"
	"billfold/rpcserver/peercred"
	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/walletapi"
)

// Wallet calls a wallet server.
type Wallet struct {
	http  *http.Client
	url   string
	name  string // of the server, for people
	token string // "" = none
}

// othersMode are the permission bits of other users, anybodyMode those of users who are in no group of the file either.
const (
	othersMode  = 0o077
	anybodyMode = 0o007
)

// dialWait is the time limit of connecting, maxAnswer the size limit of an answer in bytes,
// maxVersion the maximum number of characters shown of a server's version.
const (
	dialWait   = 2 * time.Second
	maxAnswer  = 64 << 20
	maxVersion = 40
)

// ErrNobody means that nobody serves the socket.
var ErrNobody = errors.New("no wallet server answers")

// ErrNoSocket means that something else is at the path.
var ErrNoSocket = errors.New("not a socket")

// OpenSocket connects to the server at a unix socket, which must belong to this user and be
// served by a process of this user or root. It may fail with ErrNobody or ErrNoSocket.
func OpenSocket(path, token string) (*Wallet, error) { return openSocket(path, token, false) }

// OpenShared is OpenSocket for a path that a person named, where the socket may be another user's who opened it to a group of this one.
func OpenShared(path, token string) (*Wallet, error) { return openSocket(path, token, true) }

func openSocket(path, token string, shared bool) (*Wallet, error) {
	dial := func(ctx context.Context) (net.Conn, error) { return dialOwn(ctx, path, shared) }
	ctx, cancel := context.WithTimeout(context.Background(), dialWait)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return nil, err
	}
	_ = conn.Close()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }}
	return &Wallet{&http.Client{Transport: transport}, "http://localhost/rpc", "socket " + path, token}, nil
}

// dialOwn connects to a socket of this user or, if it may be shared, to one that its owner opened to a group, in a folder that nobody
// else can write.
func dialOwn(ctx context.Context, path string, shared bool) (net.Conn, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w at %s: there is no such socket; start one with --rpc-socket, or use the files with --to files",
			ErrNobody, path)
	case err != nil:
		return nil, fmt.Errorf("the socket %s cannot be used: %w", path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s is %w; name that of a running wallet", path, ErrNoSocket)
	case info.Mode().Perm()&anybodyMode != 0 || info.Mode().Perm()&othersMode != 0 && !shared:
		return nil, fmt.Errorf("other users may reach the socket %s (mode %04o); nothing was sent to it", path, info.Mode().Perm())
	}
	owner := os.Getuid()
	if shared {
		if owner, err = access.SocketOwner(path); err != nil {
			return nil, err
		}
	}
	conn, err := (&net.Dialer{Timeout: dialWait}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("%w at %s; start one with --rpc-socket, or use the files with --to files: %w", ErrNobody, path, err)
	}
	// It is root's process where systemd passes the socket on.
	if uid, err := peercred.UID(conn.(*net.UnixConn)); err != nil || uid != os.Getuid() && uid != 0 && uid != owner {
		return nil, errors.Join(fmt.Errorf("the process that answers at %s is not yours; nothing was sent to it", path), conn.Close())
	}
	return conn, nil
}

// OpenURL returns the server at an http:// address of this machine, or at an https:// address whose certificate the system trusts or that is
// the very one in certFile; "" = none is.
func OpenURL(address, certFile, token string) (*Wallet, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%q is not the address of a wallet server; write it like http://127.0.0.1:8093/rpc", address)
	}
	if u.RawQuery != "" || u.Fragment != "" || u.ForceQuery {
		return nil, fmt.Errorf("%q has a ? or # in it, and a wallet server is at a path alone; write it like http://127.0.0.1:8093/rpc", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && !ip.IsLoopback() {
		return nil, fmt.Errorf("anybody between here and %s could read the call and its token; use https", u.Host)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/rpc"
	}
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: dialWait}).DialContext}
	if certFile != "" && u.Scheme == "https" {
		if transport.TLSClientConfig, err = expect(certFile, u.Hostname()); err != nil {
			return nil, err
		}
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // sends the token to no other server
	return &Wallet{&http.Client{Transport: transport, CheckRedirect: stay}, u.String(), u.Redacted(), token}, nil
}

// expect returns a configuration that accepts the certificate in a file, whatever names are in it, and those that the system trusts for host.
func expect(certFile, host string) (*tls.Config, error) {
	pemText, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("the server's certificate cannot be read: %w", err)
	}
	if pemText, err = usertext.DecodeCertificates(pemText); err != nil {
		return nil, fmt.Errorf("%s is not the server's certificate: %w: the one that the server has for its --rpc-tls-cert, or its rpc-cert.pem", certFile, err)
	}
	block, rest := pem.Decode(pemText)
	for block.Type != "CERTIFICATE" {
		block, rest = pem.Decode(rest)
	}
	return &tls.Config{
		InsecureSkipVerify: true, // VerifyConnection does more
		VerifyConnection: func(state tls.ConnectionState) error {
			shown := state.PeerCertificates
			if bytes.Equal(shown[0].Raw, block.Bytes) {
				return nil
			}
			between := x509.NewCertPool()
			for _, c := range shown[1:] {
				between.AddCert(c)
			}
			if _, err := shown[0].Verify(x509.VerifyOptions{DNSName: host, Intermediates: between}); err != nil {
				return &otherCertificateError{certFile, err}
			}
			return nil
		}}, nil
}

// otherCertificateError means that a server has another certificate than was expected.
type otherCertificateError struct {
	file string
	err  error // why the system does not trust it either
}

func (e *otherCertificateError) Error() string {
	return "it has another certificate than " + e.file + ", and the system does not trust it: " + e.err.Error()
}

func (e *otherCertificateError) Unwrap() error { return e.err }

// unreachable returns what is wrong with the connection to a server, and what to do, in a sentence each.
func (w *Wallet) unreachable(err error) (message, hint string) {
	message, hint = "no wallet server answers at "+w.name, "start it, or name its socket or address with --to"
	if other, is := errors.AsType[*otherCertificateError](err); is {
		return "what answers at " + w.name + " has another certificate than " + other.file,
			"it is another program, or was not told of a new certificate (SIGHUP)"
	}
	if _, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return "the system does not trust the certificate of the server at " + w.name + ": " + certificateFault(err),
			"name the server's certificate with --server-cert FILE: a copy of its rpc-cert.pem, or what it has for --rpc-tls-cert"
	}
	if speaksPlain(err) {
		return "what answers at " + w.name + " speaks no TLS", "write its address with http://"
	}
	if _, timeout := errors.AsType[net.Error](err); timeout && os.IsTimeout(err) {
		return "the wallet server at " + w.name + " did not answer in time", hint
	}
	return message, hint
}

// speaksPlain reports whether a server answered without TLS.
func speaksPlain(err error) bool {
	_, is := errors.AsType[tls.RecordHeaderError](err)
	return is || errors.Is(err, http.ErrSchemeMismatch)
}

// certificateFault returns why a certificate is not trusted, without what surrounds it.
func certificateFault(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// readyWait is the time that a server has to say whether it is ready, maxReady the size limit of that answer in bytes.
const (
	readyWait = 5 * time.Second
	maxReady  = 64 << 10
)

// Ready asks whether the server is ready, and returns why it is not, a sentence each; none if it is. It needs no token.
// wallet is the mark of the server's wallet, "" if it has none.
func (w *Wallet) Ready(ctx context.Context) (why []string, wallet string, err error) {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(w.url, "/rpc")+"/readyz", nil)
	if err != nil {
		return nil, "", err
	}
	response, err := w.http.Do(request)
	if err != nil {
		message, hint := w.unreachable(err)
		return nil, "", &fault.Error{Code: fault.Canceled, Op: "status", Message: message, Hint: hint, Err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxReady))
	if err != nil {
		return nil, "", w.lostError("status", nil, err, false)
	}
	const no = "not ready: "
	for line := range strings.Lines(string(text)) {
		if reason, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), no); found {
			why = append(why, reason)
		}
	}
	if ready := response.StatusCode == http.StatusOK && string(text) == "ok\n"; ready != (len(why) == 0) {
		return nil, "", &fault.Error{Code: fault.Canceled, Op: "status", Message: "what answers at " + w.name + " is not a wallet server",
			Hint: "name the server's socket or address with --to; where it encrypts (--rpc-tls), the address begins with https://"}
	}
	return why, response.Header.Get(rpcserver.WalletHeader), nil
}

// Name returns the name of the server for people.
func (w *Wallet) Name() string { return w.name }

// Call executes one operation on the server. Before a spend with params.Approve it makes a dry
// run and has its review approved; an operation that takes what was approved gets it, so that the server does nothing else.
// Every error is a *fault.Error.
func (w *Wallet) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	spends, mayPay, named, approved := false, true, map[string]json.RawMessage(nil), "" // a newer server's operation may pay
	if m := methodOf(method); m != nil {
		spends, named = m.Does(walletapi.Spends), byName(m, params)
		mayPay = spends || m.Nests
		for _, p := range m.Params {
			if p.Role == walletapi.RoleApproved {
				approved = p.Name
			}
		}
	}
	withNames := len(params.Named) > 0
	if params.Approve != nil && spends && named != nil {
		tried := map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
		if approved != "" { // a server that does not know it refuses before anybody is asked
			tried[approved] = json.RawMessage("null")
		}
		for name, value := range named {
			tried[name] = value
		}
		result, err := w.send(ctx, method, tried, false)
		if err != nil {
			return nil, err
		}
		review, err := reviewOf(result)
		if err != nil {
			return nil, invalidAnswer(method, err)
		}
		if err := params.Approve(ctx, review); err != nil {
			return nil, err
		}
		if approved != "" {
			if named[approved], err = approvalOf(result); err != nil {
				return nil, invalidAnswer(method, err)
			}
			withNames = true
		}
	}
	if named != nil && withNames {
		return w.send(ctx, method, named, mayPay && string(params.Named["dry_run"]) != "true" && params.Named["export"] == nil)
	}
	return w.send(ctx, method, params.Positional, mayPay)
}

// byName returns all parameters by name, nil if there are too many.
func byName(m *walletapi.Method, params walletapi.Params) map[string]json.RawMessage {
	named := map[string]json.RawMessage{}
	for i, value := range params.Positional {
		if i >= len(m.Params) || m.Params[i].ByNameOnly {
			return nil
		}
		named[m.Params[i].Name] = value
	}
	for name, value := range params.Named {
		named[name] = value
	}
	return named
}

// send makes one call. If one that may pay was sent and gets no answer, its outcome is unknown.
func (w *Wallet) send(ctx context.Context, method string, params any, mayPay bool) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(callID), "method": method, "params": params})
	if err != nil {
		return nil, &fault.Error{Code: fault.Internal, Op: method, Message: "the call cannot be written as JSON", Err: err}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return nil, &fault.Error{Code: fault.BadParameter, Op: method, Message: "the server's address cannot be used", Err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	if w.token != "" {
		request.Header.Set("Authorization", "Bearer "+w.token)
	}
	response, err := w.http.Do(request)
	if err == nil {
		var answer []byte
		answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
		_ = response.Body.Close()
		if err == nil {
			result, err := resultOf(method, response, answer)
			if err == nil && string(result) == "null" && neverNull(method) {
				err = invalidAnswer(method, fmt.Errorf("%w: it has no result", errNoAnswer))
			}
			if mayPay && errors.Is(err, errNoAnswer) { // a proxy may have passed the call on
				return nil, outcomeUnknown(method, "what came back from "+w.name+" is no answer of a wallet server of this version", params, err)
			}
			if lost, is := errors.AsType[*fault.Error](err); is && errors.Is(err, errNoAnswer) && changes(method) {
				lost.Hint = mayBeDone
			}
			return result, w.versionError(ctx, method, params, err)
		}
	}
	return nil, w.lostError(method, params, err, mayPay)
}

// mayBeDone is the hint of a call that pays nothing and changes something, and whose answer was lost.
const mayBeDone = "it may have been done, or not: do it again at the server itself"

// changes reports whether an operation changes something; one that only a newer server knows may.
func changes(method string) bool {
	m := methodOf(method)
	return m == nil || m.Changes()
}

// neverNull reports whether an operation spends, and always returns what it made.
func neverNull(method string) bool {
	m := methodOf(method)
	return m != nil && m.Does(walletapi.Spends) && !strings.Contains(m.Result, "null")
}

// outcomeUnknown returns the error of a call that may spend and was sent, and of which nobody said what came of it.
func outcomeUnknown(method, message string, params any, err error) *fault.Error {
	look := "list_payments"
	if key := requestKey(method, params); key != "" {
		look = commandline.Write([]string{"get_payment", key})
	}
	return &fault.Error{Code: fault.OutcomeUnknown, Op: method, Err: err, Unsettled: true, Message: message + "; the outcome is not known",
		Hint: "the payment may have been made: look it up with " + look + " before you repeat it"}
}

// requestKey returns the request key among the parameters of a call, "" if there is none.
func requestKey(method string, params any) (key string) {
	m := methodOf(method)
	if m == nil {
		return ""
	}
	at := slices.IndexFunc(m.Params, func(p walletapi.Param) bool { return p.Role == walletapi.RoleRequestKey })
	if at < 0 {
		return ""
	}
	var value json.RawMessage
	switch given := params.(type) {
	case map[string]json.RawMessage:
		value = given[m.Params[at].Name]
	case []json.RawMessage:
		if at < len(given) {
			value = given[at]
		}
	}
	if json.Unmarshal(value, &key) != nil {
		return ""
	}
	return key
}

// versionError returns err, unless it means that the server lacks what this program knows of an operation: then what version it is.
func (w *Wallet) versionError(ctx context.Context, method string, params any, err error) error {
	refused, is := errors.AsType[*fault.Error](err)
	m := methodOf(method)
	if !is || m == nil {
		return err
	}
	named, _ := params.(map[string]json.RawMessage)
	for name := range named {
		if !slices.ContainsFunc(m.Params, func(p walletapi.Param) bool { return p.Name == name }) {
			return err
		}
	}
	if refused.Code != fault.UnknownMethod && !walletapi.LacksParameter(method, refused.Message) {
		return err
	}
	version := ""
	if text, err := w.send(ctx, "about", []json.RawMessage{}, false); err == nil {
		var server ledgerview.About
		if json.Unmarshal(text, &server) == nil && server.WalletInfo.Version != "" {
			version = " (" + printable.Short(server.WalletInfo.Version, maxVersion) + ")"
		}
	}
	return &fault.Error{Code: fault.Denied, Op: method, Err: err, Message: "the wallet server at " + w.name + " runs another version of billfold" + version + ": " + refused.Message,
		Hint: "nothing was done; start the server with this version"}
}

// methodOf returns an operation that this program knows, or nil.
func methodOf(name string) *walletapi.Method {
	all := walletapi.Methods()
	if i := slices.IndexFunc(all, func(m *walletapi.Method) bool { return m.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// lostError returns the error of a call without an answer. Of one that may pay and may have been sent, the outcome is unknown.
func (w *Wallet) lostError(method string, params any, err error, mayPay bool) error {
	e := &fault.Error{Code: fault.Canceled, Op: method, Err: err,
		Message: "the wallet server at " + w.name + " went away before it answered"}
	switch {
	case errors.Is(err, context.Canceled):
		e.Message = "interrupted before the wallet server at " + w.name + " answered"
	case errors.Is(err, context.DeadlineExceeded):
		e.Message = "the wallet server at " + w.name + " did not answer in time"
	}
	op, _ := errors.AsType[*net.OpError](err)
	_, distrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, other := errors.AsType[*otherCertificateError](err)
	switch {
	case distrusted || other || speaksPlain(err):
		message, hint := w.unreachable(err)
		e.Message, e.Hint = message, "nothing was done; "+hint
	case op != nil && op.Op == "dial" || errors.Is(err, ErrNobody):
		e.Message = "the wallet server at " + w.name + " cannot be reached"
		e.Hint = "nothing was done; start it, or use the files with --to files"
	case mayPay:
		return outcomeUnknown(method, e.Message, params, err)
	}
	return e
}
