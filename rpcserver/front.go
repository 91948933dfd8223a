package rpcserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// front answers HTTP on one listener. The websocket listener has one as well:
// the reference accepts POST there too.
type front struct {
	filter        requestFilter
	dispatch      *dispatcher
	limits        Limits
	notReady      func() string
	wallet        func() string
	conns         *connLimit
	authenticator Authenticator                                       // nil = everybody may call everything
	anonymous     bool                                                // callers without a credential may call everything too
	upgrade       func(http.ResponseWriter, *http.Request, Principal) // nil = no websockets
	wsPort        bool                                                // the websocket port, with the reference's conventions there
	local         bool                                                // the unix socket
	metrics       http.Handler                                        // it has these alone; nil = it has calls
	owner         http.Handler                                        // see Options.Owner
}

// ServeHTTP routes: health first, then websockets, then calls.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setSecurityHeaders(w.Header())
	defer requestBox(r).reads.forget()
	if no := f.filter.check(r); no != nil {
		f.reject(w, r, no)
		return
	}
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		f.health(w, r)
		return
	}
	who, no := f.authenticate(r)
	if no != nil {
		if no.status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="billfold"`) // not Basic, which a browser would prompt for and remember
		}
		f.reject(w, r, no)
		return
	}
	switch {
	case f.metrics != nil:
		f.serveMetrics(w, r)
	case f.owner != nil && who == nil && strings.HasPrefix(r.RemoteAddr, ownPeer) && strings.HasPrefix(r.URL.Path, ownerPath):
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a profile takes longer than a request may take to come
		f.owner.ServeHTTP(w, r)
	case f.upgrade != nil && r.Method == http.MethodGet && (f.wsPort || websocket.IsWebSocketUpgrade(r)):
		defer f.conns.remove(r.RemoteAddr)
		f.conns.markBusy(r.RemoteAddr)
		f.upgrade(w, r, who)
	case r.URL.Path != "/rpc" && r.URL.Path != "/" && !f.wsPort:
		f.reject(w, r, refuse(http.StatusNotFound, "There is nothing at this path; POST JSON-RPC requests to /rpc."))
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		f.reject(w, r, refuse(http.StatusMethodNotAllowed,
			`This is a JSON-RPC port; POST a request such as {"jsonrpc":"2.0","id":1,"method":"help","params":[]} to /rpc.`))
	default:
		f.post(w, r, who)
	}
}

// ownerPath is the path below which the wallet's own user looks into the program.
const ownerPath = "/debug/"

func (f *front) serveMetrics(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/metrics":
		f.reject(w, r, refuse(http.StatusNotFound, "There is nothing at this path; GET /metrics."))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		f.reject(w, r, refuse(http.StatusMethodNotAllowed, "Nothing is called at this port; GET /metrics."))
	default:
		f.setDeadline(w)
		f.metrics.ServeHTTP(w, r)
	}
}

// setSecurityHeaders sets the headers of every answer, which may hold keys and is for the
// calling program alone. There is no CORS header among them.
func setSecurityHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// post executes the message in the body of r.
func (f *front) post(w http.ResponseWriter, r *http.Request, who Principal) {
	if no := f.filter.checkBody(r, f.limits.Body); no != nil {
		f.reject(w, r, no)
		return
	}
	text, no := f.readBody(w, r, who)
	if no != nil {
		f.reject(w, r, no)
		return
	}
	defer text.release()
	m := readMessage(text.bytes, f.limits)
	if f.dispatch.holdsSecret(m) {
		size := len(text.bytes)
		defer func() { requestBox(r).reads.clear(size) }()
	}
	if excess := f.conns.inExcess(r.RemoteAddr); excess {
		w.Header().Set("Connection", "close")
		if !alwaysAnswered(f.dispatch.paceOf(m)) {
			f.reject(w, r, tooManyConnections(f.limits))
			return
		}
	}
	f.conns.markBusy(r.RemoteAddr)
	// net/http keeps reading, to notice the end of what the client sends; the deadline for
	// slow bodies would end a slow call here.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	by := client{principal: who, requester: requesterOf(r, who, "HTTP"), box: requestBox(r)}
	by.send = func(piece []byte) error {
		w.Header().Set("Content-Type", "application/json") // of no effect after the first piece
		return f.write(w, piece)
	}
	ctx, server, stop := whileConnected(r)
	by.server = server
	a := f.dispatch.run(ctx, by, m)
	stop()
	if f.wsPort {
		a.status = http.StatusOK
	}
	f.send(w, a)
	if a.secret { // sending it closed the connection
		f.conns.remove(r.RemoteAddr)
	}
}

func tooManyConnections(l Limits) *refusal {
	return &refusal{http.StatusServiceUnavailable, busy("The wallet's connection limit is reached", l.SlotWait)}
}

func (f *front) readBody(w http.ResponseWriter, r *http.Request, who Principal) (*text, *refusal) {
	body := http.MaxBytesReader(w, r.Body, f.limits.Body) // it also closes the connection of a client that sends more
	t, err := f.dispatch.textBudget.read(body, budgetKey(who), f.limits.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large), errors.Is(err, errTooLong):
		return nil, tooLarge(f.limits.Body)
	case errors.Is(err, errFull):
		return nil, &refusal{http.StatusServiceUnavailable, busy("The wallet is receiving too many large requests", f.limits.SlotWait)}
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "The request's body ended early or came too slowly; send it again.")
	}
	return t, nil
}

// reject answers with a refusal, as a JSON-RPC error whose id is null.
func (f *front) reject(w http.ResponseWriter, r *http.Request, no *refusal) {
	f.dispatch.refusals.record(slog.LevelWarn, "request "+no.fault.message, "rpc: request refused", "code", no.fault.kind(), "status", no.status,
		"remote", r.RemoteAddr, "why", no.fault.message)
	if f.dispatch.observe != nil {
		f.dispatch.observe.Refused(no.fault.kind())
	}
	if no.fault.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(max(1, no.fault.retryAfter/time.Second))))
	}
	// A client that announced its body with Expect waits for this answer first.
	if no.status == http.StatusRequestEntityTooLarge && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, drainFactor*f.limits.Body)
	}
	f.dispatch.traffic.requestRefused(requesterOf(r, nil, "HTTP"), no)
	f.send(w, answer{body: appendFault(nil, nil, true, no.fault), status: no.status})
}

func (f *front) send(w http.ResponseWriter, a answer) {
	defer a.done()
	f.setDeadline(w)
	switch {
	case a.begun:
	case a.secret && sendUnbuffered(w, a, f.limits.WriteTime):
		return
	default:
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
		if len(a.body) > 0 {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(a.status)
	}
	_ = f.write(w, a.body) // a client that left needs no answer
}

// write writes a part of an answer. Reading and executing took time, so each part gets a deadline of its own.
func (f *front) write(w http.ResponseWriter, part []byte) error {
	if len(part) == 0 {
		return nil
	}
	f.setDeadline(w)
	_, err := w.Write(part)
	return err
}

func (f *front) setDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(f.limits.WriteTime))
}

// boxKey is the key under which a request's context has its connection.
type boxKey struct{}

func requestBox(r *http.Request) *outbox {
	if box, known := r.Context().Value(boxKey{}).(*outbox); known {
		return box
	}
	return new(outbox)
}

// sendUnbuffered writes an answer directly to the connection and closes it: the
// buffers of net/http would keep a copy of the keys in the answer. It reports false
// if the connection cannot be taken over.
func sendUnbuffered(w http.ResponseWriter, a answer, wait time.Duration) bool {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetWriteDeadline(time.Now().Add(wait)) // taking the connection over has removed the deadline
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\nConnection: close\r\n")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	_ = w.Header().Write(head) // a bytes.Buffer never fails
	head.WriteString("\r\n")
	parts := net.Buffers{head.Bytes(), a.body}
	_, _ = parts.WriteTo(conn) // a client that left needs no answer
	return true
}

// WalletHeader is the header of /readyz by which a wallet's own commands know its server from another wallet's on the same machine.
const WalletHeader = "Billfold-Wallet"

// health answers whether the program runs (/healthz) and whether calls can
// succeed (/readyz), with a line of text.
func (f *front) health(w http.ResponseWriter, r *http.Request) {
	text, status := "ok\n", http.StatusOK
	if r.URL.Path == "/readyz" {
		if why := f.whyNotReady(); why != "" {
			text, status = "not ready: "+why+"\n", http.StatusServiceUnavailable
		}
		if f.wallet != nil && f.wallet() != "" {
			w.Header().Set(WalletHeader, f.wallet())
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		text, status = "use GET\n", http.StatusMethodNotAllowed
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// whyNotReady returns why a call would not succeed now; "" if it would.
func (f *front) whyNotReady() string {
	switch {
	case f.dispatch.entrance.isShut():
		return endingReason
	case f.notReady != nil:
		return f.notReady()
	}
	return ""
}

// configure sets what all listeners of o have in common and returns the HTTP server for f.
func (f *front) configure(o Options) *http.Server {
	f.limits, f.notReady, f.wallet, f.authenticator = f.dispatch.limits, o.NotReady, o.Wallet, o.Authenticator
	f.anonymous = o.AllowAnonymous
	f.conns = newConnLimit(f.limits.Connections)
	return f.server(o.logger())
}

func (f *front) server(log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           f,
		ReadHeaderTimeout: f.limits.HeaderTime,
		ReadTimeout:       f.limits.ReadTime,
		IdleTimeout:       f.limits.IdleTime,
		MaxHeaderBytes:    16 << 10,
		ConnState:         f.conns.watch,
		ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
			box := outboxOf(conn)
			box.calls = ctx
			_, box.encrypted = conn.(*tls.Conn)
			return context.WithValue(ctx, boxKey{}, box)
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// authenticate returns the principal of r, or refuses the request. The principal is nil, for
// a client that may do everything, if there is no authenticator, or if the request has no
// credential and needs none: where anonymous calls are allowed, and on the unix socket,
// where the system vouches for the user. A credential that is sent is always checked, so
// that a token keeps its limits and a wrong one is refused.
func (f *front) authenticate(r *http.Request) (Principal, *refusal) {
	shown := credential(r)
	nothing := showsNothing(r)
	switch {
	case f.authenticator == nil, nothing && (f.anonymous || f.local && strings.HasPrefix(r.RemoteAddr, ownPeer)):
		return nil, nil
	case shown == "" && !nothing:
		return nil, unauthorized(&Denied{Message: "The Authorization of this request is not a single token.",
			Hint: "send one token as Authorization: Bearer …, or as the password of basic authentication; billfold token new makes one"})
	case shown == "":
		return nil, unauthorized(&Denied{Message: "This wallet requires a token.",
			Hint: "send a token as Authorization: Bearer …, or as the password of basic authentication; billfold token new makes one"})
	}
	v, err := f.authenticator.Authenticate(shown, remoteAddr(r))
	if err != nil {
		return nil, unauthorized(err)
	}
	return v, nil
}
