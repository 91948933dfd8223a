package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// No page of another site calls, under whatever name it knows this machine.
func TestGuard(t *testing.T) {
	type header map[string]string
	closed, open := start(t,
		Options{}), start(t, Options{Origins: []string{LocalPages, "https://app.example"}, Hosts: []string{"node.example:8090"}})
	for name, test := range map[string]struct {
		header     header
		embedded   bool // let in without any option
		standalone bool // let in with those above
	}{
		"a program":               {header{}, true, true},
		"typed by a person":       {header{"Sec-Fetch-Site": "none"}, true, true},
		"another site":            {header{"Origin": "https://evil.example"}, false, false},
		"another site, no origin": {header{"Sec-Fetch-Site": "cross-site"}, false, false},
		"a file":                  {header{"Origin": "null"}, false, false},
		"the listed site":         {header{"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, false, true},
		"the listed site, http":   {header{"Origin": "http://app.example"}, false, false},
		"a page of this machine":  {header{"Origin": "http://localhost:3000"}, false, true},
		"the same by address":     {header{"Origin": "http://127.0.0.1:3000"}, false, true},
		"the same by IPv6":        {header{"Origin": "http://[::1]:3000"}, false, true},
		"looks like this machine": {header{"Origin": "http://localhost.evil.example"}, false, false},
		"user of this machine":    {header{"Origin": "http://localhost@evil.example"}, false, false},
		"localhost":               {header{"Host": "localhost:8090"}, true, true},
		"a rebound name":          {header{"Host": "evil.example:8090"}, false, false},
		"the listed name":         {header{"Host": "NODE.example"}, false, true},
	} {
		for kind, s := range map[string]*Sandbox{"embedded": closed, "standalone": open} {
			want := kind == "embedded" && test.embedded || kind == "standalone" && test.standalone
			if got := posted(t, s, test.header); got != want {
				t.Errorf("%s, POST to %s: %v", name, kind, got)
			}
			if got := upgraded(t, s, test.header); got != want {
				t.Errorf("%s, websocket to %s: %v", name, kind, got)
			}
		}
	}
}

func posted(t *testing.T, s *Sandbox, header map[string]string) bool {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTPURL(),
		strings.NewReader(`{"id":1,"method":"info","params":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		req.Header.Set(k, v)
		if k == "Host" {
			req.Host = v
		}
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if origin := header["Origin"]; resp.StatusCode == http.StatusOK && resp.Header.Get("Access-Control-Allow-Origin") != origin {
		t.Errorf("the page of %q may not read the answer", origin)
	}
	return resp.StatusCode == http.StatusOK
}

func upgraded(t *testing.T, s *Sandbox, header map[string]string) bool {
	t.Helper()
	all := http.Header{}
	for k, v := range header {
		if v != "" {
			all.Set(k, v)
		}
	}
	dialer := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	conn, resp, err := dialer.DialContext(t.Context(), s.URL(), all)
	if err != nil {
		if resp == nil || resp.StatusCode != http.StatusForbidden {
			t.Fatal(err)
		}
		return false
	}
	_ = conn.Close()
	return true
}

// A page that may call asks first, as browsers do before they send JSON.
func TestPagesAskFirst(t *testing.T) {
	s := start(t, Options{Origins: []string{LocalPages}})
	for origin, want := range map[string]int{"http://localhost:3000": http.StatusNoContent, "https://evil.example": http.StatusForbidden} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, s.HTTPURL(), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Origin", origin)
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want || (resp.Header.Get("Access-Control-Allow-Origin") == origin) != (want == http.StatusNoContent) {
			t.Errorf("%s: %d %v", origin, resp.StatusCode, resp.Header)
		}
	}
}
