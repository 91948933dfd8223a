package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/testwallet"
)

// dashboardQueries returns the queries of the dashboard, by panel, as Grafana sends them.
func dashboardQueries(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "packaging", "grafana", "billfold.json"))
	must(t, err)
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, RefID string }
		}
	}
	must(t, json.Unmarshal(text, &board))
	queries := map[string]string{}
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			queries[panel.Title+" "+target.RefID] = strings.NewReplacer("$instance", ".*", "$__rate_interval", "10s").Replace(target.Expr)
		}
	}
	return queries
}

// A Prometheus of its own scrapes a server under load: it takes the rules, finds no fault with the metrics, and each query of the dashboard
// has data.
func TestPrometheusReadsTheFigures(t *testing.T) {
	if os.Getenv("FIGURES") == "" {
		t.Skip("it needs Debian's prometheus; make figures runs it")
	}
	rules, err := filepath.Abs(filepath.Join("..", "..", "packaging", "prometheus", "billfold.rules.yml"))
	must(t, err)
	if out, err := exec.Command("promtool", "check", "rules", rules).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	m := startMeasured(t)
	m.pay()
	for end := time.Now().Add(2 * patience); ; time.Sleep(200 * time.Millisecond) { // until the payment is irreversible
		var list []struct{ Position string }
		out := m.call("deposits.next", "bobby", 10)
		if out.Error == nil && json.Unmarshal(out.Result, &list) == nil && len(list) > 0 {
			if acked := m.call("deposits.ack", "bobby", list[0].Position); acked.Error != nil {
				t.Fatalf("deposits.ack: %+v", acked.Error)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("there is no deposit: %s %+v", out.Result, out.Error)
		}
	}
	check := exec.Command("promtool", "check", "metrics")
	check.Stdin = strings.NewReader(m.scrape())
	if out, err := check.CombinedOutput(); err != nil || len(strings.TrimSpace(string(out))) > 0 {
		t.Errorf("promtool about the metrics: %v\n%s", err, out)
	}

	folder := testwallet.Folder(t)
	target, err := url.Parse(m.url)
	must(t, err)
	config := writeFile(t, folder, "prometheus.yml", fmt.Sprintf(`global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%q]
scrape_configs:
  - job_name: billfold
    scheme: https
    authorization: {credentials_file: %q}
    tls_config: {insecure_skip_verify: true}
    static_configs: [{targets: [%q]}]
`, rules, writeFile(t, folder, "token", m.token), target.Host))
	const listen = "127.0.0.1:19095"
	prometheus := exec.Command("prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+listen, "--log.level=error")
	prometheus.Stderr = os.Stderr
	must(t, prometheus.Start())
	t.Cleanup(func() {
		_ = prometheus.Process.Kill()
		_ = prometheus.Wait()
	})
	missing := dashboardQueries(t)
	for end := time.Now().Add(2 * patience); len(missing) > 0 && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		m.pay()
		m.call("no_such_method")
		for panel, query := range missing {
			if n, err := samples(listen, query); err == nil && n > 0 {
				delete(missing, panel)
			}
		}
	}
	for panel, query := range missing {
		n, err := samples(listen, query)
		t.Errorf("%s has no data: %d, %v\n%s", panel, n, err, query)
	}
	answer, err := http.Get("http://" + listen + "/api/v1/rules")
	must(t, err)
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	must(t, answer.Body.Close())
	if loaded := string(text); strings.Count(loaded, `"type":"alerting"`) < 15 || strings.Contains(loaded, `"health":"err"`) {
		t.Errorf("Prometheus says of the rules: %s", loaded)
	}
}

// samples returns how many samples a query has now.
func samples(at, query string) (n int, err error) {
	answer, err := http.Get("http://" + at + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	var out struct {
		Error string
		Data  struct{ Result []json.RawMessage }
	}
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		return 0, err
	}
	if out.Error != "" {
		return 0, errors.New(out.Error)
	}
	return len(out.Data.Result), nil
}
