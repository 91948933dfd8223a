package rpcserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// A command file can do nothing that its caller cannot: every line is judged on its own.
func TestCommandFilesAreJudgedLineByLine(t *testing.T) {
	t.Parallel()
	on, kept := testwallet.Keeping(t, testwallet.Folder(t))
	on.Mine()
	folder := filepath.Join(filepath.Dir(on.Wallet.Vault.Path), "commands")
	must(t, os.Mkdir(folder, 0o700))
	must(t, os.Symlink(on.Wallet.Vault.Path, filepath.Join(folder, "link")))
	for name, text := range map[string]string{
		"reads":  "get_account alice\n\n# nothing\nis_locked\nget_help unlock\n",
		"pays":   "is_locked\ntransfer alice bobby 1 DCT '' true\nis_new\n",
		"twice":  strings.Repeat("transfer alice bobby 1 DCT '' true order-1\n", 2),
		"CR":     "# of old programs\ris_locked\ris_new\r",
		"joined": "is_locked\n# first\n\ufeffis_new\x1a",
		"breaks": "# first\u2028is_locked",
		"keys":   "dump_private_keys",
		"nests":  "from_command_file reads",
		"secret": "unlock hunter2",
		"broken": "is_locked\nget_account \"alice\n",
		"long":   strings.Repeat("is_locked\n", 999) + "get_account nobody\n" + "is_locked\n",
	} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	tokens, err := token.OpenStore(filepath.Join(testwallet.Folder(t), "tokens.json"))
	must(t, err)
	_, full, err := tokens.New("full", token.Scope{})
	must(t, err)
	_, few, err := tokens.New("few", token.Scope{Methods: []string{"from_command_file", "is_locked"}})
	must(t, err)
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet})
	for _, spends := range []audit.Policy{audit.Allow, audit.Deny} {
		server, err := rpcserver.New(rpcserver.Options{HTTPAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call), Spends: api.Spends,
			Authenticator: token.NewAuthenticator(tokens, token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime), token.LedgerOf(on.Wallet)),
			Decider:       audit.NewDecider(audit.Rules{Spends: spends, Keys: audit.Deny, Guarded: true}, audit.NewLog(kept.Audit), nil)})
		must(t, err)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx) }()
		pays := `"result":"false\n{\"ref_block_num\"`
		if spends == audit.Deny {
			pays = "Line 2, transfer: This wallet makes no payments for programs; the command before it was done, nothing after it was tried"
		}
		for _, c := range []struct{ credential, file, want string }{
			{full, "reads", `"result":"{\"id\":\"1.2.`}, {full, "pays", pays},
			{few, "pays", "Line 2, transfer: "}, {few, "reads", "Line 1, get_account: "},
			{full, "CR", `"result":"false\nfalse\n"`}, {full, "joined", `"result":"false\nfalse\n"`}, {full, "breaks", "Line 1: column 8: a line ends here, or a control character; put each operation on a line of its own"},
			{full, "keys", "Line 1, dump_private_keys: Programs may not export"}, {full, "nests", "a command file cannot be executed from here"},
			{full, "secret", "password of unlock is secret"}, {full, "broken", "Line 2: column 13: this quote is not closed; the command before it was done"},
			{full, "long", "Line 1000, get_account: there is no account \\\"nobody\\\" on the ledger; 999 commands before it were done"},
			{full, "link", "There is no command file"}, {full, "../wallet.keys", "There is no command file"}, {full, "", "There is no command file"},
		} {
			got := askFor(t, server.HTTPAddr(), c.credential, c.file)
			if !strings.Contains(got, c.want) || strings.Contains(got, "hunter2") {
				t.Errorf("spends %s, %s: %s\nwant %s", spends, c.file, got, c.want)
			}
		}
		if got := askFor(t, server.HTTPAddr(), full, "twice"); spends == audit.Allow && strings.Count(got, "transaction_id") != 2 {
			t.Errorf("one request key twice: %s", got)
		}
		stop()
		must(t, <-ended)
	}
	payments, err := on.Wallet.Payments.List(t.Context(), 10)
	if err != nil || len(payments) != 2 { // one of pays, one under the request key
		t.Errorf("%d payments were made, %v", len(payments), err)
	}
}

// askFor executes a command file over HTTP and returns the answer.
func askFor(t *testing.T, addr, credential, file string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "from_command_file", "params": []string{file}})
	must(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/rpc", bytes.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+credential)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	var out bytes.Buffer
	_, err = out.ReadFrom(answer.Body)
	must(t, err)
	return out.String()
}
