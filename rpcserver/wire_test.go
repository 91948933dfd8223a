package rpcserver

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"billfold/walletcore/walletapi"
)

// exchange is one --> line with its <-- line and the header lines before it.
type exchange struct {
	title  string
	line   int
	header []string
	sent   string
	status string
	answer string
}

// readWire parses a script. The top of each script describes the format.
func readWire(t *testing.T, path string) []exchange {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []exchange
	var x exchange
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			x.title = line[3:]
		case strings.HasPrefix(line, "-->"):
			x.sent, x.line = strings.TrimPrefix(line[3:], " "), i+1
		case strings.HasPrefix(line, "<-- "):
			x.status, x.answer, _ = strings.Cut(line[4:], " ")
			all = append(all, x)
			x = exchange{title: x.title}
		default:
			x.header = append(x.header, line)
		}
	}
	return all
}

// same compares an answer with a script line, which may be cut off at "…".
func (x exchange) same(got string) bool {
	if head, cut := strings.CutSuffix(x.answer, "…"); cut {
		return strings.HasPrefix(got, head)
	}
	return got == x.answer
}

func (x exchange) request(t *testing.T, addr string) *http.Request {
	t.Helper()
	method, path := "POST", "/rpc"
	_, port, _ := net.SplitHostPort(addr)
	header := http.Header{}
	host := addr
	for _, line := range x.header {
		line = strings.ReplaceAll(line, "PORT", port)
		name, value, named := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); {
		case !named:
			method, path, _ = strings.Cut(line, " ")
		case name == "Host":
			host = value
		default:
			header.Add(name, value)
		}
	}
	req, err := http.NewRequest(method, "http://"+addr+path, strings.NewReader(x.sent))
	if err != nil {
		t.Fatal(err)
	}
	req.Header, req.Host = header, host
	return req
}

func runHTTP(t *testing.T, h *testServer, path string) {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	for _, x := range readWire(t, path) {
		resp, err := client.Do(x.request(t, h.HTTPAddr()))
		if err != nil {
			t.Fatalf("%s:%d (%s): %v", path, x.line, x.title, err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		got := strings.TrimSuffix(string(body), "\n")
		if err != nil || !strings.HasPrefix(resp.Status, x.status) || !x.same(got) {
			t.Errorf("%s:%d (%s)\n--> %s\n<-- %d %s\nwant %s %s", path, x.line, x.title, x.sent, resp.StatusCode, got, x.status, x.answer)
		}
		for name := range resp.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s:%d: a CORS header was sent: %s", path, x.line, name)
			}
		}
	}
}

func small(o *Options) { o.Limits.Depth, o.Limits.Batch = 8, 5 }

func TestEnvelopeOverHTTP(t *testing.T) {
	h := open(t, small)
	runHTTP(t, h, "testdata/envelope.wire")
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(h.log.String(), secret) || strings.Contains(h.log.String(), "nathan") {
		t.Errorf("the log holds what clients sent:\n%s", h.log)
	}
}

func TestHTTP(t *testing.T) { runHTTP(t, open(t, nil), "testdata/http.wire") }

// On a websocket, a missing answer shows in the next one: a marker call is sent after each
// script line. The operations that the script counts run in the reader's goroutine, so that
// they are done before the marker.
func TestEnvelopeOverWebsocket(t *testing.T) {
	conn := open(t, func(o *Options) {
		small(o)
		o.Pace = paces(map[string]walletapi.Pace{"note": walletapi.PaceInstant})
	}).mustDial()
	const mark = `{"jsonrpc":"2.0","id":"mark","result":false}`
	for _, x := range readWire(t, "testdata/envelope.wire") {
		send(t, conn, x.sent)
		if x.answer != "" {
			if got := receive(t, conn); !x.same(got) {
				t.Errorf("line %d (%s)\n--> %s\n<-- %s\nwant %s", x.line, x.title, x.sent, got, x.answer)
			}
		}
		send(t, conn, `{"id":"mark","method":"is_locked"}`)
		if got := receive(t, conn); got != mark {
			t.Fatalf("line %d (%s)\n--> %s\n<-- %s\nwant silence", x.line, x.title, x.sent, got)
		}
	}
}

// Like the reference, the websocket port accepts POST and answers 200.
func TestEnvelopeByPostToTheWebsocketPort(t *testing.T) {
	h := open(t, small)
	for _, x := range readWire(t, "testdata/envelope.wire") {
		if status, got := h.post(h.WSAddr(), x.sent); status != 200 || !x.same(got) {
			t.Errorf("line %d (%s)\n--> %s\n<-- %d %s", x.line, x.title, x.sent, status, got)
		}
	}
}

// A second request on one connection does not wait for the first answer.
func TestHTTPKeepsConnections(t *testing.T) {
	h := open(t, nil)
	conn, err := net.Dial("tcp", h.HTTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	one := "POST /rpc HTTP/1.1\r\nHost: " + h.HTTPAddr() + "\r\nContent-Length: 29\r\n\r\n" + `{"id":1,"method":"is_locked"}`
	if _, err := io.WriteString(conn, one+one); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	for range 2 {
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 || resp.Close {
			t.Error(resp.Status, resp.Close, err)
		}
	}
}
