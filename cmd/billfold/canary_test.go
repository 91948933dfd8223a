package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// demoWIF returns the key of an account of the sandbox's demo.
func demoWIF(account string) string { return ledger.DeriveKey("billfold sandbox "+account, 0).WIF() }

// recording keeps what a process writes.
type recording struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recording) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(text)
}

func (r *recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// line waits for a line that matches form and returns what its group matched.
func (r *recording) line(t *testing.T, form string) string {
	t.Helper()
	pattern := regexp.MustCompile("(?m)" + form)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if found := pattern.FindStringSubmatch(r.String()); found != nil {
			return found[1]
		}
	}
	t.Fatalf("no line %s came:\n%s", form, r.String())
	return ""
}

// forms returns a secret in the forms in which it might be written down.
func forms(secret string) map[string]string {
	quoted, _ := json.Marshal(secret) // text can be encoded
	raw := []byte(secret)
	return map[string]string{
		"itself": secret, "capitals": strings.ToUpper(secret), "small": strings.ToLower(secret), "no blanks": strings.ReplaceAll(secret, " ", ""),
		"JSON": strings.Trim(string(quoted), `"`), "hex": hex.EncodeToString(raw), "bytes": strings.Trim(fmt.Sprint(raw), "[]"),
		"base64": strings.TrimRight(base64.StdEncoding.EncodeToString(raw), "="), "base64url": base64.RawURLEncoding.EncodeToString(raw),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "part": secret[len(secret)/3:],
	}
}

// A server that logs all it can is given secrets where they belong and where they do not, and none of them comes into its log or its metrics.
func TestNoSecretGetsIntoLogOrMetrics(t *testing.T) {
	t.Parallel()
	const (
		password = "Quokka-Bandicoot-4471"
		wrong    = "Numbat+Wombat 9928"
		memo     = "Zyzzyva paid for the kumquats"
		phrase   = "PLATYPUS ECHIDNA WALLAROO POTOROO BETTONG DUNNART KOWARI MULGARA NINGAUI PLANIGALE QUENDA TAMMAR"
		word     = "Axolotl\nsalamander"
		daemons  = "s3cret"
	)
	wif := demoWIF("alice")
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			node := start(t, "sandbox", "--listen", "127.0.0.1:0", "--api-access", writeFile(t, testwallet.Folder(t), "access.json", accessFile(`[]`))).line(`(ws://127\.0\.0\.1:\d+)`) // of its own: two wallets with one key would find each other's payments
			folder := testwallet.Folder(t)
			made, err := processOf([]string{"--data-dir=" + folder, "token", "new", "payer", "--groups=all:all", "--per-day=1000 DCT"}).Output()
			must(t, err)
			token := regexp.MustCompile(`billfold_\S+`).FindString(string(made))
			cmd := processOf([]string{"--data-dir=" + folder, "--daemon-url=" + node, "--daemon-user=exchange", "--daemon-password-file=" + writeFile(t, folder, "pw", daemons),
				"--rpc-http=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log-level=debug", "--log-format=" + format, "--rpc-keys=allow"})
			var log recording
			cmd.Env = append(cmd.Env, "HOME="+testwallet.Folder(t))
			cmd.Stderr = &log
			must(t, cmd.Start())
			ended := sync.OnceFunc(func() {
				_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
				if err := cmd.Wait(); err != nil {
					t.Errorf("it ended with %v", err)
				}
			})
			t.Cleanup(ended)
			api := remote{t, log.line(t, `wallet API over HTTP on (http://[^\s"]+)`)}
			metrics := log.line(t, `metrics on (http://[^\s"]+)`)
			api.ok("set_password", password)
			api.call("unlock", wrong)
			api.ok("unlock", password)
			api.until("alice", "get_account", "alice")
			api.ok("import_key", "alice", wif)
			api.call("get_brain_key_info", phrase)
			api.ok("transfer", "alice", "bobby", "1", "DCT", memo, "true")
			api.call("create_account_with_brain_key", phrase, "canary-bird", "alice", "alice", "true")
			for _, secret := range []string{password, wrong, memo, phrase, word, wif, token, daemons} {
				api.call(secret)
				api.call("unlock", secret, secret)
				api.call("import_key", "alice", secret)
				api.call("transfer", secret, secret, secret, secret, secret, secret)
				api.call("get_account", secret)
				api.call("set_password", secret)
				api.call("get_payment", secret)
				misuse(t, api.url, secret, token)
			}
			api.ok("lock")
			answer, err := http.Get(metrics)
			must(t, err)
			scrape, err := io.ReadAll(answer.Body)
			must(t, err)
			must(t, answer.Body.Close())
			ended()
			if text := log.String(); !strings.Contains(text, "payment: state changed") || !strings.Contains(text, "rpc: call refused") || !strings.Contains(text, "rpc: call\"") {
				t.Errorf("little was logged:\n%s", text)
			}
			for _, secret := range []string{password, wrong, memo, phrase, word, wif, token[len("billfold_"):], daemons} {
				for form, text := range forms(secret) {
					for where, all := range map[string]string{"log": log.String(), "metrics": string(scrape)} {
						if at := strings.Index(all, text); at >= 0 && len(text) > 4 {
							t.Errorf("the %s has %q (%s): %.300s", where, secret, form, all[max(0, at-150):])
						}
					}
				}
			}
		})
	}
}

// misuse sends a secret where none belongs.
func misuse(t *testing.T, address, secret, token string) {
	t.Helper()
	line := strings.ReplaceAll(secret, "\n", " ")
	for _, change := range []func(r *http.Request){
		func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader("{" + secret)) },
		func(r *http.Request) { r.URL.Path = "/" + secret },
		func(r *http.Request) { r.Host = url.QueryEscape(secret) },
		func(r *http.Request) { r.Header.Set("Origin", "https://"+line) },
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+line) },
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token+"x") },
		func(r *http.Request) { r.Header.Set("Authorization", line) },
		func(r *http.Request) { r.SetBasicAuth(secret, token) },
		func(r *http.Request) { r.Method = "DELETE" },
	} {
		r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(`{"id":1,"method":"is_locked"}`))
		must(t, err)
		r.ContentLength = -1
		change(r)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
	}
}
