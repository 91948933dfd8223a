package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The tokens in the examples of the help are tried on a running wallet: they permit what
// they are for, and nothing more. Accounts of the sandbox replace those in the examples.
func TestTokenExamplesOfTheHelp(t *testing.T) {
	t.Parallel()
	key := "DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
	spend := `["alice","bobby","1","DCT","",false]`
	calls := map[string]string{ // parameters with which the token check lets an operation pass
		"get_account": `["alice"]`, "info": `[]`, "about": `[]`, "list_account_balances": `["alice"]`, "get_account_history": `["alice",1]`,
		"register_account": `["newcomer","` + key + `","` + key + `","alice",false]`, "transfer": spend, "is_locked": `[]`, "get_payment": `["order-1"]`,
		"dump_private_keys": `[]`, "set_password": `["x"]`, "import_key": `["alice","5J"]`, "lock": `[]`, "unlock": `["wrong"]`, "list_payments": `[1]`,
		"list_my_accounts": `[]`, "deposits.next": `["alice",1]`, "deposits.ack": `["alice","1.0.0.0"]`, "get_private_key": `["` + key + `"]`,
	}
	may := map[string]string{
		"monitor": "get_account info about list_account_balances get_account_history",
		"payout":  "transfer is_locked get_payment",
		"books":   "deposits.next deposits.ack",
		"till":    "transfer",
	}
	folder := t.TempDir()
	p := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-auth", "--data-dir", folder)
	url := p.line(`wallet API over HTTP on (\S+)`)
	examples := exampleTokens(t, folder)
	if len(examples) != len(may) {
		t.Errorf("the help has %d examples, %d are expected here", len(examples), len(may))
	}
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	for name, credential := range examples {
		wanted, known := may[name]
		if !known {
			t.Errorf("nothing is expected of the example %s", name)
		}
		for method, params := range calls {
			passed := !strings.Contains(ask(t, client, url, credential, method, params), `"name":"forbidden"`)
			if want := strings.Contains(" "+wanted+" ", " "+method+" "); passed != want {
				t.Errorf("%s calls %s: %v, want %v", name, method, passed, want)
			}
		}
	}
	// The limits on the amount.
	for _, c := range []struct {
		name, params string
		passes       bool
	}{{"payout", strings.Replace(spend, `"1"`, `"51"`, 1), false}, {"payout", strings.Replace(spend, "alice", "carol", 1), false}, {"till", strings.Replace(spend, `"1"`, `"5.1"`, 1), false}} {
		if text := ask(t, client, url, examples[c.name], "transfer", c.params); strings.Contains(text, `"name":"forbidden"`) == c.passes {
			t.Errorf("%s %s: %s", c.name, c.params, text)
		}
	}
}

// exampleTokens makes the tokens of the help as a person would, with an existing
// account.
func exampleTokens(t *testing.T, folder string) map[string]string {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	out := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(tokenNewCommand(newSettings()).Example), "\n") {
		args, err := splitAsShell(strings.ReplaceAll(strings.TrimSpace(line), "--accounts merchant-7", "--accounts alice"))
		must(t, err)
		if len(args) < 4 || strings.Join(args[:3], " ") != "billfold token new" {
			t.Fatalf("the example %q makes no token", line)
		}
		cmd := exec.Command(program, append(args[1:], "--data-dir", folder)...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+folder)
		credential, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out[args[3]] = strings.TrimSpace(string(credential))
	}
	return out
}

func ask(t *testing.T, client *http.Client, url, credential, method, params string) string {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader([]byte(body)))
	must(t, err)
	req.Header = http.Header{"Content-Type": {"application/json"}}
	if credential != "" {
		req.Header.Set("Authorization", "Bearer "+credential)
	}
	resp, err := client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	if !json.Valid(text) {
		t.Fatalf("%s: %s", method, text)
	}
	return string(text)
}
