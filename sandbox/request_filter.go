package sandbox

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// LocalPages in Options.Origins stands for all pages from servers on this machine.
const LocalPages = "localhost"

// requestFilter keeps foreign web pages away from the port. A page can reach it with
// cross-site requests, which name its origin, and by pointing its own host name at this
// machine, which the request's Host shows.
type requestFilter struct {
	hosts   []string // additional names, without port
	origins []string // such as "https://app.example", or LocalPages
}

// refusal returns why a request is refused, or "" if it is not.
func (f *requestFilter) refusal(r *http.Request) string {
	host := hostOnly(r.Host)
	switch {
	case host != "localhost" && net.ParseIP(host) == nil && !slices.ContainsFunc(f.hosts, equalFold(host)):
		return "the sandbox answers to an address or to localhost, not to another host name; --allow-host adds one"
	case !f.allowsPage(r.Header):
		return "web pages from elsewhere may not call the sandbox; --allow-origin of billfold sandbox adds an origin"
	}
	return ""
}

// allowsPage reports whether a request comes from a listed origin or, by its headers, not
// from another site's page.
func (f *requestFilter) allowsPage(h http.Header) bool {
	if origins := h.Values("Origin"); len(origins) > 0 {
		return len(origins) == 1 && slices.ContainsFunc(f.origins, func(o string) bool {
			return strings.EqualFold(o, origins[0]) || o == LocalPages && isLocalPage(origins[0])
		})
	}
	for _, site := range h.Values("Sec-Fetch-Site") {
		if site != "none" && site != "same-origin" {
			return false
		}
	}
	return true
}

// isLocalPage reports whether an origin is a server on this machine.
func isLocalPage(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
}

// allowReading sets the headers that let an allowed page read the answer. done is true if the
// request only asked for permission and has been answered.
func allowReading(w http.ResponseWriter, r *http.Request) (done bool) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Vary", "Origin")
	if r.Method != http.MethodOptions {
		return false
	}
	w.Header().Set("Access-Control-Allow-Methods", "POST")
	w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
	w.WriteHeader(http.StatusNoContent)
	return true
}

func hostOnly(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func equalFold(host string) func(string) bool {
	return func(allowed string) bool { return strings.EqualFold(hostOnly(allowed), host) }
}
