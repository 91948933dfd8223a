package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver/figures"
	"billfold/walletcore/testwallet"
)

const (
	figuresBegin = "<!-- the table of metrics; make docs writes it -->\n"
	figuresEnd   = "<!-- end of the table of metrics -->\n"
)

// The documentation lists every metric.
func TestFiguresDocsAreFresh(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "operate.md")
	old, err := os.ReadFile(path)
	must(t, err)
	before, rest, found := strings.Cut(string(old), figuresBegin)
	_, after, closed := strings.Cut(rest, figuresEnd)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	fresh := []byte(before + figuresBegin + figures.Markdown() + figuresEnd + after)
	if bytes.Equal(fresh, old) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the table of metrics says; run make docs", path)
	}
	must(t, os.WriteFile(path, fresh, 0o644))
}

// measured is a server with metrics, over TLS, with a token that has a limit and ends. It is unlocked, and can pay for alice.
type measured struct {
	t       testing.TB
	process *process
	url     string // of metrics
	rpc     string
	token   string
	client  *http.Client
}

func startMeasured(t testing.TB, more ...string) measured {
	t.Helper()
	folder := testwallet.Folder(t)
	newToken := func(name string, more ...string) string {
		made, err := processOf(append([]string{"--data-dir=" + folder, "token", "new", name, "--groups=all:all", "--expires=90d"}, more...)).Output()
		must(t, err)
		return regexp.MustCompile(`billfold_\S+`).FindString(string(made))
	}
	owner, credential := newToken("owner"), newToken("payer", "--per-day=1000 DCT")
	node := start(t, "sandbox", "--listen", "127.0.0.1:0").line(`(ws://127\.0\.0\.1:\d+)`)
	p := start(t, append([]string{"--daemon-url=" + node, "--data-dir=" + folder, "--rpc-http=127.0.0.1:0", "--rpc-tls", "--metrics=127.0.0.1:0", "--rpc-auth", "--rpc-keys=allow"}, more...)...)
	m := measured{t: t, process: p, token: owner, rpc: p.line(`^wallet API over HTTP on (https://\S+)$`), url: p.line(`^metrics on (https://\S+)$`),
		client: &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: trustAnything()}}}
	m.must("set_password", sandboxPassword)
	m.must("unlock", sandboxPassword)
	for end := time.Now().Add(patience); m.call("get_account", "alice").Error != nil && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	m.must("import_key", "alice", demoWIF("alice"))
	m.must("import_key", "bobby", demoWIF("bobby"))
	m.token = credential
	return m
}

func (m measured) must(method string, params ...any) {
	m.t.Helper()
	if out := m.call(method, params...); out.Error != nil {
		m.t.Fatalf("%s: %+v", method, out.Error)
	}
}

// do sends a request with the token, unless token is "".
func (m measured) do(method, url, token, body string) (status int, text string) {
	m.t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	must(m.t, err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := m.client.Do(r)
	must(m.t, err)
	got, err := io.ReadAll(answer.Body)
	must(m.t, errors.Join(err, answer.Body.Close()))
	return answer.StatusCode, string(got)
}

func (m measured) call(method string, params ...any) reply {
	m.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": append([]any{}, params...)})
	must(m.t, err)
	_, text := m.do(http.MethodPost, m.rpc, m.token, string(body))
	var out reply
	must(m.t, json.Unmarshal([]byte(text), &out))
	return out
}

func (m measured) pay() {
	m.t.Helper()
	m.must("transfer", "alice", "bobby", "1.5", "DCT", "", true)
}

func (m measured) scrape() string {
	m.t.Helper()
	status, text := m.do(http.MethodGet, m.url, m.token, "")
	if status != http.StatusOK {
		m.t.Fatalf("a scrape ends with %d: %s", status, text)
	}
	return text
}

// typesIn returns the kinds of the metrics in a scrape, by name.
func typesIn(scrape string) map[string]string {
	types := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)$`).FindAllStringSubmatch(scrape, -1) {
		types[row[1]] = row[2]
	}
	return types
}

// usedIn returns the names of metrics that rules or a dashboard use.
func usedIn(t testing.TB, path ...string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "packaging"}, path...)...))
	must(t, err)
	for _, name := range regexp.MustCompile(`\b(billfold|process|go)_[a-z_]+`).FindAllString(string(text), -1) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// What a server shows is what is documented, kind for kind, and rules and dashboard use nothing else. Of what is documented only that is
// missing which this server has none of.
func TestFiguresAreWhatIsDocumented(t *testing.T) {
	t.Parallel()
	m := startMeasured(t)
	m.pay()
	if out := m.call("no_such_method"); out.Error == nil {
		t.Error("a method that does not exist is answered")
	}
	scrape := m.scrape()
	types := typesIn(scrape)
	absent := []string{"billfold_deposits_unacknowledged", "billfold_deposits_oldest_unacknowledged_timestamp_seconds", "billfold_payments_oldest_open_timestamp_seconds",
		"billfold_index_disk_free_bytes"}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(billfold_\\S+)` \\| (\\S+) \\|").FindAllStringSubmatch(figures.Markdown(), -1) {
		documented[row[1]] = row[2]
		if types[row[1]] != row[2] && !(types[row[1]] == "" && slices.Contains(absent, row[1])) {
			t.Errorf("%s is documented as a %s and shown as %q", row[1], row[2], types[row[1]])
		}
	}
	for name := range types {
		if strings.HasPrefix(name, "billfold_") && documented[name] == "" {
			t.Errorf("%s is shown and not documented", name)
		}
	}
	for _, used := range [][]string{{"prometheus", "billfold.rules.yml"}, {"grafana", "billfold.json"}} {
		names := usedIn(t, used...)
		for _, name := range names {
			base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
			if documented[name] == "" && documented[base] != "histogram" && types[name] == "" {
				t.Errorf("%v uses %s, which is not shown", used, name)
			}
		}
		if len(names) < 15 {
			t.Errorf("%v uses %v", used, names)
		}
	}
	for _, want := range []string{
		`billfold_payments_total{state="sent"} 1`, `billfold_locked 0`, `billfold_ready 1`, `billfold_token_limit_used_ratio{asset="DCT",token="payer"} 0.00`,
		`billfold_rpc_call_duration_seconds_count{group="unknown"} 1`, `billfold_rpc_refusals_total{code="unknown_method"} 1`,
	} {
		if !strings.Contains(scrape, "\n"+want) {
			t.Errorf("there is no %s in\n%s", want, regexp.MustCompile(`(?m)^(go_|process_|#|.*_bucket).*\n`).ReplaceAllString(scrape, ""))
		}
	}
}

// The port of the metrics has nothing else, and is as guarded as the others.
func TestThePortOfMetricsHasNothingElse(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(testwallet.SocketFolder(t), "s")
	m := startMeasured(t, "--rpc-socket="+socket)
	base := strings.TrimSuffix(m.url, "/metrics")
	for _, c := range []struct {
		method, url, token string
		want               int
	}{
		{http.MethodGet, m.url, "", http.StatusUnauthorized},
		{http.MethodGet, m.url, "billfold_x_y", http.StatusUnauthorized},
		{http.MethodPost, m.url, m.token, http.StatusMethodNotAllowed},
		{http.MethodPost, base + "/rpc", m.token, http.StatusNotFound},
		{http.MethodGet, base + "/debug/pprof/", m.token, http.StatusNotFound},
		{http.MethodGet, strings.TrimSuffix(m.rpc, "/rpc") + "/debug/pprof/", m.token, http.StatusNotFound},
		{http.MethodGet, strings.TrimSuffix(m.rpc, "/rpc") + "/metrics", m.token, http.StatusNotFound},
	} {
		if status, text := m.do(c.method, c.url, c.token, "{}"); status != c.want {
			t.Errorf("%s %s is answered with %d, not %d: %.100s", c.method, c.url, status, c.want, text)
		}
	}
	// Profiles are for the wallet's user, over the socket and without a token.
	m.client.Transport = &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	for path, want := range map[string]string{"pprof/": "heap", "pprof/heap?debug=1": "heap profile", "pprof/goroutine?debug=1": "goroutine profile", "log-level": "info\n"} {
		if status, text := m.do(http.MethodGet, "http://wallet/debug/"+path, "", ""); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s is answered with %d: %.200s", path, status, text)
		}
	}
	if status, text := m.do(http.MethodPut, "http://wallet/debug/log-level/debug", "", ""); status != http.StatusOK || text != "debug\n" {
		t.Errorf("a level is answered with %d: %s", status, text)
	}
	if status, _ := m.do(http.MethodPut, "http://wallet/debug/log-level/loud", "", ""); status != http.StatusBadRequest {
		t.Errorf("a level that does not exist is answered with %d", status)
	}
	if status, text := m.do(http.MethodPost, "http://wallet/rpc", "", `{"id":1,"method":"is_locked"}`); status != http.StatusOK {
		t.Errorf("a call over the socket is answered with %d: %s", status, text)
	}
	m.process.line(`msg="rpc: (call)"`)
	if status, text := m.do(http.MethodGet, "http://wallet/debug/pprof/", m.token, ""); status != http.StatusNotFound {
		t.Errorf("with a token profiles are answered with %d: %.100s", status, text)
	}
}
