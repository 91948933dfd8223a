package rpcserver

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// requestFilter decides from the headers of a request alone whether it is let in. The
// reasoning is in the package comment.
type requestFilter struct {
	local   bool     // a unix socket, which no web page reaches under any name
	secure  bool     // the listener has TLS
	host    string   // the host of the configured address
	port    string   // the port listened on
	hosts   []string // further names, "host" (our port) or "host:port"
	origins []string // allowed origins, such as "https://pay.example"
}

// refusal is the HTTP answer to a request that is not executed.
type refusal struct {
	status int
	fault  *wireError
}

func refuse(status int, message string) *refusal {
	return &refusal{status, invalidRequest(message)}
}

func forbid(message string) *refusal {
	return &refusal{http.StatusForbidden, &wireError{Numbers: forbiddenNumbers(), message: message}}
}

// check returns the reason to refuse r, nil if its headers allow it in.
// front.authenticate decides whom the request comes from.
func (f *requestFilter) check(r *http.Request) *refusal {
	switch {
	case !f.local && r.Host == "": // HTTP/1.0 leaves it out
		return forbid("This request has no Host; send one with the address that the wallet listens on, or use HTTP/1.1.")
	case !f.local && !f.allowsHost(r) && f.lacksPort(r):
		return forbid("The Host of this request has no port; send Host: " + net.JoinHostPort(hostOnly(r.Host), f.port) + ", with the port that was called.")
	case !f.local && !f.allowsHost(r):
		return forbid(
			"The Host of this request is not an address of this wallet; call it by the address it listens on, or " +
				"allow the name with --rpc-allow-host.")
	case !f.allowsOrigin(r):
		if websocket.IsWebSocketUpgrade(r) {
			return forbid("Web pages may not call this wallet; allow the origin with --rpc-allow-origin if this one must.")
		}
		return forbid("Web pages may not call this wallet over HTTP, which --rpc-allow-origin does not change in a browser; " +
			"it lets the pages of an origin open a websocket (--rpc-ws).")
	default:
		return nil
	}
}

func (f *requestFilter) allowsHost(r *http.Request) bool {
	host, port := f.splitHost(r.Host)
	return f.isOwn(host, port, r)
}

// lacksPort reports whether nothing but the port is missing in the Host of r.
func (f *requestFilter) lacksPort(r *http.Request) bool {
	_, _, err := net.SplitHostPort(r.Host)
	host, _ := f.splitHost(r.Host)
	return err != nil && f.isOwn(host, f.port, r)
}

// hostOnly returns a Host without a port, and without the brackets of an address.
func hostOnly(host string) string { return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]") }

// isOwn reports whether a host and a port name this listener to r.
func (f *requestFilter) isOwn(host, port string, r *http.Request) bool {
	if host == "" {
		return false
	}
	for _, allowed := range f.hosts {
		allowedHost, allowedPort := f.splitHost(allowed)
		if host == allowedHost && (port == allowedPort || (allowedPort == "80" || allowedPort == f.defaultPort()) && port == f.port) {
			return true
		}
	}
	return port == f.port && (host == "localhost" || host == f.host || isOwnAddress(host, r))
}

// splitHost splits "host:port", "host" or "[::1]:port" in any letter case; the port defaults to that of the scheme.
func (f *requestFilter) splitHost(text string) (host, port string) {
	text = strings.ToLower(text)
	if host, port, err := net.SplitHostPort(text); err == nil {
		return host, port
	}
	return hostOnly(text), f.defaultPort()
}

func (f *requestFilter) defaultPort() string {
	if f.secure {
		return "443"
	}
	return "80"
}

// isOwnAddress reports whether host is a loopback address, or the address that
// the connection of r came in on. An address, unlike a name, cannot be rebound.
func isOwnAddress(host string, r *http.Request) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	if addr.IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && local.AddrPort().Addr().Unmap() == addr.Unmap()
}

// allowsOrigin reports whether r comes from an allowed origin, or from this listener's own,
// or carries no mark of a web page. Sec-Fetch-Site is ignored for an allowed origin, which
// is always another site.
func (f *requestFilter) allowsOrigin(r *http.Request) bool {
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		return len(origins) == 1 && (f.isOwnOrigin(origins[0], r) && sameSite(r) || slices.ContainsFunc(f.origins, func(o string) bool {
			return strings.EqualFold(o, origins[0])
		}))
	}
	return sameSite(r)
}

// isOwnOrigin reports whether an origin has exactly the scheme, host and port that r, which allowsHost let pass, was sent to.
// This server has no pages, so no page has this origin; clients for websockets name it by themselves. Behind a proxy the port
// is another one, and what the proxy serves beside the wallet has the same origin: that must be listed.
func (f *requestFilter) isOwnOrigin(origin string, r *http.Request) bool {
	scheme, address, _ := strings.Cut(origin, "://")
	if !strings.EqualFold(scheme, map[bool]string{false: "http", true: "https"}[f.secure]) {
		return false
	}
	host, port := f.splitHost(address)
	ownHost, ownPort := f.splitHost(r.Host)
	return host == ownHost && port == ownPort && (f.local || port == f.port)
}

// sameSite reports whether a browser, if r comes from one, says that it comes from no other site.
func sameSite(r *http.Request) bool {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "none" && site != "same-origin" {
			return false
		}
	}
	return true
}

// checkBody returns the reason to refuse the body of a POST, before it is read.
func (f *requestFilter) checkBody(r *http.Request, limit int64) *refusal {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refuse(http.StatusUnsupportedMediaType, "A compressed request is not accepted; send it without Content-Encoding.")
	}
	if r.ContentLength > limit {
		return tooLarge(limit)
	}
	switch mediaType(r) {
	case "application/json", "application/json-rpc", "application/jsonrequest":
		return nil
	}
	if f.isOfPage(r) {
		return forbid("A web page must send Content-Type: application/json; a form or plain text is not accepted from one.")
	}
	return nil // as the reference, which does not look at the type
}

// isOfPage reports whether r names an origin or a page that is not this listener's own, as only browsers do.
func (f *requestFilter) isOfPage(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && !f.isOwnOrigin(origin, r) {
		return true
	}
	referer := r.Header.Get("Referer")
	if referer == "" {
		return false
	}
	page, err := url.Parse(referer)
	return err != nil || !f.isOwnOrigin(page.Scheme+"://"+page.Host, r)
}

func tooLarge(limit int64) *refusal {
	return refuse(http.StatusRequestEntityTooLarge, "The request is larger than "+
		strconv.FormatInt(limit, 10)+" bytes, the most this wallet reads; send it in smaller parts.")
}

// mediaType returns the media type in lower case, "" for none or an invalid one.
func mediaType(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// authRetry is the time after which a client may try again if the wallet could not check its credential.
const authRetry = time.Second

// unauthorized returns the refusal for an error of authentication: 401 if the client was denied. Any other error keeps the
// wallet from checking the credential, and the client must not take its token for revoked, so that is answered with 503.
func unauthorized(err error) *refusal {
	no := faultOf(err)
	if no.Numbers != forbiddenNumbers() {
		no.retryAfter = max(no.retryAfter, authRetry)
		return &refusal{http.StatusServiceUnavailable, no}
	}
	no.Numbers = same(numUnauthorized, "unauthorized")
	return &refusal{http.StatusUnauthorized, no}
}
