package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
)

// A server that starts while its database is away waits for it, says so on /readyz, and begins once it is there.
func TestAServerWaitsForItsStore(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	address, folder := c.Database(), testwallet.Folder(t)
	if out, told, code := runToEnd(t, "", "store", "init", "--store="+address, "--store-may-lose", "--data-dir="+folder); code != 0 {
		t.Fatal(out, told)
	}
	line := c.Relay()
	line.Cut()
	server := start(t, "--rpc-http=127.0.0.1:0", "--daemon-url=ws://127.0.0.1:1", "--store="+line.URL(t, address), "--store-may-lose",
		"--data-dir="+folder)
	at := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(server.line(`the servers share is waited for.*listening=(.*)$`))
	ask := func(path string) (string, int) {
		t.Helper()
		resp, err := http.Get("http://" + at + path)
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		return string(text), resp.StatusCode
	}
	if text, status := ask("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "does not answer") || strings.Contains(text, "postgres") {
		t.Errorf("%d: %s", status, text)
	}
	if text, status := ask("/healthz"); status != http.StatusOK {
		t.Errorf("%d: %s", status, text)
	}
	if text, status := ask("/rpc"); status != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", status, text)
	}
	line.Mend()
	remote{t, server.line(`^wallet API over HTTP on (http://\S+)$`)}.isReady("not ready: the wallet has no keys")
	server.stop()
	if _, err := os.Stat(filepath.Join(folder, "store.mark")); err != nil {
		t.Error(err)
	}
}
