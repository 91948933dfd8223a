package rpcserver

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"billfold/rpcserver/auth/certificate"
	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"

	"github.com/gorilla/websocket"
)

// fakeAuthenticator knows two tokens, except for revoked ones.
type fakeAuthenticator struct {
	mu       sync.Mutex
	gone     bool
	blind    chan struct{} // tokens cannot be looked up, and each attempt sends on it; nil = they can
	outcomes []error
	from     netip.Addr
}

func (d *fakeAuthenticator) Authenticate(token string, from netip.Addr) (Principal, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.from = from
	if d.blind != nil {
		return nil, errBlind
	}
	if token != "all" && token != "few" {
		return nil, &Denied{Message: "Nobody knows this token.", Hint: "make one"}
	}
	return &fakePrincipal{d, token}, nil
}

type fakePrincipal struct {
	*fakeAuthenticator
	name string
}

func (c *fakePrincipal) Name() string { return c.name }

func (c *fakePrincipal) Check() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.blind != nil:
		select {
		case c.blind <- struct{}{}:
		default:
		}
		return errBlind
	case c.gone:
		return &Denied{Message: "This token was revoked."}
	}
	return nil
}

var errBlind = &fault.Error{Code: fault.File, Message: "the wallet cannot look up tokens now"}

func (c *fakePrincipal) Authorize(_ context.Context, method string, p Params) (Grant, error) {
	if err := c.Check(); err != nil {
		return Grant{}, err
	}
	if c.name == "few" {
		if method != "echo" {
			return Grant{}, &Denied{Message: "This token may not call this operation."}
		}
		p = Params{Positional: []json.RawMessage{json.RawMessage(`"given"`)}}
	}
	return Grant{Params: p, RecordOutcome: func(err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.outcomes = append(c.outcomes, err)
	}}, nil
}

func TestAuthentication(t *testing.T) {
	h := open(t, func(o *Options) { o.Authenticator = &fakeAuthenticator{} })
	runHTTP(t, h, "testdata/auth.wire")
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	if log := h.log.String(); strings.Contains(log, "wrong") || !strings.Contains(log, "token=few") {
		t.Errorf("the log holds what clients sent:\n%s", log)
	}
}

func TestWebsocketAuthentication(t *testing.T) {
	d := &fakeAuthenticator{}
	h := open(t, func(o *Options) { o.Authenticator = d })
	if _, resp, err := h.dial(nil); err == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %v %v", resp, err)
	}
	conn, _, err := h.dial(http.Header{"Authorization": {"Bearer all"}})
	if err != nil {
		t.Fatal(err)
	}
	send(t, conn, `{"id":1,"method":"is_locked"}`)
	if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":1,"result":false}` {
		t.Error(got)
	}
	d.mu.Lock()
	d.gone = true
	d.mu.Unlock()
	send(t, conn, `{"id":2,"method":"is_locked"}`)
	if got := receive(t, conn); !strings.Contains(got, "This token was revoked.") {
		t.Errorf("a websocket opened before it was revoked is answered %s", got)
	}
	if d.from != netip.MustParseAddr("127.0.0.1") {
		t.Errorf("it came from %v", d.from)
	}
}

// Where a token is optional, nothing in Authorization is no credential; a token that is missing, or no token, is refused.
func TestAnEmptyCredentialIsNone(t *testing.T) {
	h := open(t, func(o *Options) { o.Authenticator, o.AllowAnonymous = &fakeAuthenticator{}, true })
	for _, c := range []struct {
		header []string
		status int
	}{
		{nil, 200}, {[]string{""}, 200}, {[]string{"Basic"}, 200}, {[]string{"basic "}, 200}, {[]string{"Basic Og=="}, 200},
		{[]string{"Basic YW55Ym9keTphbGw="}, 200}, {[]string{"Bearer all"}, 200},
		{[]string{"Basic dXNlcjo="}, 401}, {[]string{"Bearer"}, 401}, {[]string{"Bearer "}, 401}, {[]string{"Basic Og"}, 401}, {[]string{"Digest"}, 401},
		{[]string{"", "Bearer wrong"}, 401}, {[]string{"Basic Og==", "Basic Og=="}, 401}, {[]string{"Bearer wrong"}, 401},
	} {
		header := http.Header{}
		if c.header != nil {
			header["Authorization"] = c.header
		}
		conn, resp, err := h.dial(header)
		if err == nil {
			_ = conn.Close()
		}
		if status := resp.StatusCode; status != c.status && (c.status != 200 || status != http.StatusSwitchingProtocols) {
			t.Errorf("%q: a websocket is answered %d (%v)", c.header, status, err)
		}
		req, err := http.NewRequest("POST", "http://"+h.HTTPAddr()+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"is_locked"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = header
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%q is answered %d", c.header, answer.StatusCode)
		}
	}
}

// Clients for websockets name the address that they call as their origin. With TLS, its scheme is https.
func TestTheListenersOwnOriginIsNotForeign(t *testing.T) {
	id, err := certificate.Own(t.TempDir(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for scheme, h := range map[string]*testServer{"http": open(t, nil), "https": open(t, func(o *Options) { o.TLS = id.Config() })} {
		dialer := websocket.Dialer{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		_, port, err := net.SplitHostPort(h.WSAddr())
		if err != nil {
			t.Fatal(err)
		}
		other := map[string]string{"http": "https", "https": "http"}[scheme]
		for _, c := range []struct {
			host, origin string
			let          bool
		}{
			{"127.0.0.1:" + port, scheme + "://127.0.0.1:" + port, true},
			{"localhost:" + port, strings.ToUpper(scheme) + "://LOCALHOST:" + port, true},
			{"[::1]:" + port, scheme + "://[::1]:" + port, true},
			{"127.0.0.1:" + port, other + "://127.0.0.1:" + port, false},
			{"127.0.0.1:" + port, "ws://127.0.0.1:" + port, false},
			{"127.0.0.1:" + port, scheme + "://127.0.0.1", false},
			{"127.0.0.1:" + port, scheme + "://127.0.0.1:1", false},
			{"127.0.0.1:" + port, scheme + "://localhost:" + port, false},
			{"127.0.0.1:" + port, scheme + "://evil.example:" + port, false},
			{"127.0.0.1:" + port, "null", false},
			{"evil.example:" + port, scheme + "://evil.example:" + port, false}, // rebound to this machine
		} {
			conn, resp, err := dialer.Dial(strings.Replace(scheme, "http", "ws", 1)+"://"+h.WSAddr(), http.Header{"Host": {c.host}, "Origin": {c.origin}})
			if err == nil {
				_ = conn.Close()
			}
			if let := err == nil; let != c.let || resp == nil || !let && resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s called from %s: %v", c.host, c.origin, err)
			}
		}
	}
}

// A port that is the scheme's own is left out by clients, of the address as of the origin.
func TestOwnOriginOnTheSchemesPort(t *testing.T) {
	for _, c := range []struct {
		filter       requestFilter
		host, origin string
	}{
		{requestFilter{port: "80"}, "localhost", "http://localhost"},
		{requestFilter{port: "443", secure: true}, "localhost", "https://localhost:443"},
		{requestFilter{port: "443", secure: true, hosts: []string{"pay.example"}}, "pay.example", "https://pay.example"},
	} {
		r, err := http.NewRequest("POST", "/rpc", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host, r.Header = c.host, http.Header{"Origin": {c.origin}}
		if no := c.filter.check(r); no != nil {
			t.Errorf("%s at %s: %s", c.origin, c.host, no.fault.message)
		}
		r.Header.Set("Origin", strings.Replace(c.origin, "https", "http", 1))
		if no := c.filter.check(r); (no == nil) != (c.filter.port == "80") {
			t.Errorf("the scheme of %s does not count", c.origin)
		}
	}
}

// If the wallet cannot look up a token, the client must not take it for revoked: it is told to try again.
func TestTokenThatCannotBeLookedUp(t *testing.T) {
	d := &fakeAuthenticator{blind: make(chan struct{}, 1)}
	h := open(t, func(o *Options) { o.Authenticator = d })
	_, resp, err := h.dial(http.Header{"Authorization": {"Bearer all"}})
	if err == nil || resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "1" {
		t.Errorf("it is answered %v (%v)", resp, err)
	}
}

// However an admitted call ends, its outcome is recorded.
func TestOutcomeOfEveryAdmittedCallIsRecorded(t *testing.T) {
	d := &fakeAuthenticator{}
	h := open(t, func(o *Options) { o.Authenticator = d })
	conn, _, err := h.dial(http.Header{"Authorization": {"Bearer all"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`"is_locked"`, `"fail","params":["locked"]`, `"panic","params":["boom"]`} {
		send(t, conn, `{"id":1,"method":`+body+`}`)
		receive(t, conn)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.outcomes) != 3 || d.outcomes[0] != nil || fault.CodeOf(d.outcomes[1]) != fault.Locked ||
		!errors.Is(d.outcomes[2], ErrPanicked) {
		t.Errorf("outcomes: %v", d.outcomes)
	}
}

func TestTLSOnBothTransports(t *testing.T) {
	id, err := certificate.Own(t.TempDir(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, func(o *Options) { o.TLS = id.Config() })
	pinned := &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		if got := certificate.FingerprintOf(s.PeerCertificates[0]); got != id.Fingerprint() {
			t.Errorf("the fingerprint is %s, want %s", got, id.Fingerprint())
		}
		return nil
	}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: pinned, DisableKeepAlives: true, ForceAttemptHTTP2: true}}
	resp, err := client.Post("https://"+h.HTTPAddr()+"/rpc", "application/json", strings.NewReader(`{"id":1,"method":"is_locked"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || resp.ProtoMajor != 1 || string(text) != `{"jsonrpc":"2.0","id":1,"result":false}` {
		t.Errorf("%s %s (%v)", resp.Proto, text, err)
	}
	dialer := websocket.Dialer{TLSClientConfig: pinned.Clone()}
	conn, _, err := dialer.Dial("wss://"+h.WSAddr(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send(t, conn, `{"id":1,"method":"is_locked"}`)
	receive(t, conn)
	// A client without TLS gets no answer.
	if status, text := h.post(h.HTTPAddr(), `{"id":1,"method":"is_locked"}`); status != http.StatusBadRequest ||
		strings.Contains(text, "jsonrpc") {
		t.Errorf("without TLS: %d %s", status, text)
	}
}

func TestBeyondLoopbackRequiresTokensAndTLS(t *testing.T) {
	id, err := certificate.Own(t.TempDir(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {Authenticator: &fakeAuthenticator{}}, {TLS: id.Config()}} {
		o.HTTPAddr, o.Caller = "0.0.0.0:0", newFakeWallet()
		if _, err := New(o); !errors.Is(err, ErrBeyondLoopback) {
			t.Errorf("authenticator %v, TLS %v: %v", o.Authenticator != nil, o.TLS != nil, err)
		}
	}
	s, err := New(Options{HTTPAddr: "0.0.0.0:0", Caller: newFakeWallet(), Authenticator: &fakeAuthenticator{}, TLS: id.Config()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func overSocket(path string) *http.Client {
	return &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}},
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(testwallet.SocketFolder(t), "rpc.sock")
	d := &fakeAuthenticator{}
	h := open(t, func(o *Options) { o.Socket, o.Authenticator = path, d })
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket's mode is %v (%v)", info.Mode(), err)
	}
	post := func(header http.Header) (int, string) {
		req, _ := http.NewRequest("POST", "http://any.name/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"is_locked"}`))
		req.Header = header
		resp, err := overSocket(path).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	for _, c := range []struct {
		header http.Header
		status int
	}{
		{http.Header{}, 200},
		{http.Header{"Authorization": {"Bearer all"}}, 200},
		{http.Header{"Authorization": {"Bearer wrong"}}, 401}, // a token that is sent is checked
		{http.Header{"Origin": {"http://evil.example"}}, 403},
	} {
		if status, text := post(c.header); status != c.status {
			t.Errorf("%v: %d %s", c.header, status, text)
		}
	}
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return net.Dial("unix", path) }}
	conn, _, err := dialer.Dial("ws://any.name/", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send(t, conn, `{"id":1,"method":"is_locked"}`)
	receive(t, conn)
	if _, err := New(Options{Socket: path, Caller: newFakeWallet()}); err == nil || !strings.Contains(err.Error(), "another wallet") {
		t.Errorf("a second wallet on the socket: %v", err)
	}
	if err := h.stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket was left behind (%v)", err)
	}
}

// Only processes of the wallet's user are answered, whatever the file's mode.
func TestUnixSocketRefusesOtherUsers(t *testing.T) {
	path := filepath.Join(testwallet.SocketFolder(t), "rpc.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	own := &ownListener{UnixListener: l, uid: os.Getuid() + 1}
	done := make(chan error, 1)
	go func() {
		_, err := own.Accept()
		done <- err
	}()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if n, err := conn.Read(make([]byte, 1)); err == nil {
		t.Errorf("%d bytes came from a socket of another user", n)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

func TestSocketPathInUse(t *testing.T) {
	dir := testwallet.SocketFolder(t)
	file, stale := filepath.Join(dir, "diary"), filepath.Join(dir, "stale.sock")
	if err := os.WriteFile(file, []byte("Dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Socket: file, Caller: newFakeWallet()}); err == nil || !strings.Contains(err.Error(), "not a socket") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "Dear diary" {
		t.Error("the file was touched")
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Socket: stale, Caller: newFakeWallet()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
