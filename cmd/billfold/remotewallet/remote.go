// Package remotewallet calls the operations of a wallet in another process, over the socket or
// port that its server listens on. Before it sends anything over a socket, it checks whose process
// serves it.
package remotewallet

import (
	"bytes"
	"context"
	"crypto/tls"
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
	"strings"
	"time"

	"billfold/rpcserver/peercred"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// Wallet calls a wallet server.
type Wallet struct {
	http  *http.Client
	url   string
	name  string // of the server, for people
	token string // "" = none
}

// othersMode are the permission bits of other users.
const othersMode = 0o077

// dialWait is how long connecting may take, maxAnswer the size limit of an answer in bytes.
const (
	dialWait  = 2 * time.Second
	maxAnswer = 64 << 20
)

// ErrNobody means that nobody serves the socket.
var ErrNobody = errors.New("no wallet server answers")

// ErrNoSocket means that something else is at the path.
var ErrNoSocket = errors.New("not a socket")

// OpenSocket connects to the server at a unix socket, which must belong to this user and be
// served by a process of this user. It may fail with ErrNobody or ErrNoSocket.
func OpenSocket(path, token string) (*Wallet, error) {
	dial := func(ctx context.Context) (net.Conn, error) { return dialOwn(ctx, path) }
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

// dialOwn connects to a socket of this user.
func dialOwn(ctx context.Context, path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w at %s: there is no such socket; start one with --rpc-socket, or use the files with --to files",
			ErrNobody, path)
	case err != nil:
		return nil, fmt.Errorf("the socket %s cannot be used: %w", path, err)
	case info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s is %w; name that of a running wallet", path, ErrNoSocket)
	case info.Mode().Perm()&othersMode != 0:
		return nil, fmt.Errorf("other users may reach the socket %s (mode %04o); nothing was sent to it", path, info.Mode().Perm())
	}
	conn, err := (&net.Dialer{Timeout: dialWait}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("%w at %s; start one with --rpc-socket, or use the files with --to files: %w", ErrNobody, path, err)
	}
	if uid, err := peercred.UID(conn.(*net.UnixConn)); err != nil || uid != os.Getuid() {
		return nil, errors.Join(fmt.Errorf("the process that answers at %s is not yours; nothing was sent to it", path), conn.Close())
	}
	return conn, nil
}

// OpenURL returns the server at an http:// address of this machine, or at an https:// address
// whose certificate the system trusts.
func OpenURL(address, token string) (*Wallet, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%q is not the address of a wallet server; write it like http://127.0.0.1:8093/rpc", address)
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && !ip.IsLoopback() {
		return nil, fmt.Errorf("anybody between here and %s could read the call and its token; use https", u.Host)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/rpc"
	}
	transport := &http.Transport{DialContext: (&net.Dialer{Timeout: dialWait}).DialContext}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // sends the token to no other server
	return &Wallet{&http.Client{Transport: transport, CheckRedirect: stay}, u.String(), u.Redacted(), token}, nil
}

// OpenOwn returns the server at a port of this machine, which must have the certificate of a file; "" = it serves without TLS.
func OpenOwn(address, certFile, token string) (*Wallet, error) {
	if certFile == "" {
		return OpenURL("http://"+address, token)
	}
	pemText, err := os.ReadFile(certFile)
	if err != nil {
		return nil, fmt.Errorf("the server's certificate cannot be read: %w", err)
	}
	block, _ := pem.Decode(pemText)
	if block == nil {
		return nil, fmt.Errorf("%s is not a certificate", certFile)
	}
	w, err := OpenURL("https://"+address, token)
	if err != nil {
		return nil, err
	}
	w.http.Transport.(*http.Transport).TLSClientConfig = &tls.Config{
		InsecureSkipVerify: true, // its very bytes are compared instead
		VerifyConnection: func(state tls.ConnectionState) error {
			if !bytes.Equal(state.PeerCertificates[0].Raw, block.Bytes) {
				return fmt.Errorf("what answers at %s has another certificate than %s; it is another program, or was not told of a new one (SIGHUP)",
					address, certFile)
			}
			return nil
		}}
	return w, nil
}

// readyWait is how long a server may take to say whether it is ready, maxReady the size limit of that answer in bytes.
const (
	readyWait = 5 * time.Second
	maxReady  = 64 << 10
)

// Ready asks whether the server is ready, and returns why it is not, a sentence each; none if it is. It needs no token.
func (w *Wallet) Ready(ctx context.Context) (why []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(w.url, "/rpc")+"/readyz", nil)
	if err != nil {
		return nil, err
	}
	response, err := w.http.Do(request)
	if err != nil {
		return nil, &fault.Error{Code: fault.Canceled, Op: "status", Message: "no wallet server answers at " + w.name,
			Hint: "start it, or name its socket or address with --to", Err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxReady))
	if err != nil {
		return nil, w.lostError("status", err, false)
	}
	const no = "not ready: "
	for line := range strings.Lines(string(text)) {
		if reason, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), no); found {
			why = append(why, reason)
		}
	}
	if ready := response.StatusCode == http.StatusOK && string(text) == "ok\n"; ready != (len(why) == 0) {
		return nil, &fault.Error{Code: fault.Canceled, Op: "status", Message: "what answers at " + w.name + " is not a wallet server"}
	}
	return why, nil
}

// Name returns the name of the server for people.
func (w *Wallet) Name() string { return w.name }

// Call executes one operation on the server. Before a spend with params.Approve it makes a dry
// run and has its review approved. Every error is a *fault.Error.
func (w *Wallet) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	spends, named := false, map[string]json.RawMessage(nil)
	for _, m := range walletapi.Methods() {
		if m.Name == method {
			spends, named = m.Does(walletapi.Spends), byName(m, params)
		}
	}
	if params.Approve != nil && spends && named != nil {
		tried := map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
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
	}
	if named != nil && len(params.Named) > 0 {
		return w.send(ctx, method, named, spends && string(params.Named["dry_run"]) != "true" && params.Named["export"] == nil)
	}
	return w.send(ctx, method, params.Positional, spends)
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

// send makes one call. If a spend gets no answer, its outcome is unknown.
func (w *Wallet) send(ctx context.Context, method string, params any, spends bool) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
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
			return resultOf(method, response, answer)
		}
	}
	return nil, w.lostError(method, err, spends)
}

// lostError returns the error of a call without an answer.
func (w *Wallet) lostError(method string, err error, spends bool) error {
	e := &fault.Error{Code: fault.Canceled, Op: method, Err: err,
		Message: "the wallet server at " + w.name + " went away before it answered"}
	switch {
	case errors.Is(err, context.Canceled):
		e.Message = "interrupted before the wallet server at " + w.name + " answered"
	case errors.Is(err, context.DeadlineExceeded):
		e.Message = "the wallet server at " + w.name + " did not answer in time"
	}
	op, _ := errors.AsType[*net.OpError](err)
	switch {
	case op != nil && op.Op == "dial" || errors.Is(err, ErrNobody):
		e.Message = "the wallet server at " + w.name + " cannot be reached"
		e.Hint = "nothing was done; start it, or use the files with --to files"
	case spends:
		e.Code, e.Hint = fault.OutcomeUnknown, "the payment may have been made: look it up with list_payments before you repeat it"
	}
	return e
}
