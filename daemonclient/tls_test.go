package daemonclient_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/daemonclient"

	"github.com/gorilla/websocket"
)

// serveTLS runs a welcoming peer on wss:// with a certificate of its own making.
func serveTLS(t *testing.T) (url string, certificate []byte) {
	server := httptest.NewUnstartedServer(upgrading(t, welcoming(func(_ int, conn *websocket.Conn) { drain(conn) })))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it would report refused certificates
	server.StartTLS()
	t.Cleanup(server.Close)
	return "wss" + strings.TrimPrefix(server.URL, "https"), server.Certificate().Raw
}

func TestTLSSettings(t *testing.T) {
	url, certificate := serveTLS(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	if err := os.WriteFile(ca, text, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(certificate)
	right := hex.EncodeToString(sum[:])
	wrong := strings.Repeat("ab", len(sum))
	for name, row := range map[string]struct{ ca, pin, says string }{
		"system roots":            {"", "", "certificate is not trusted"},
		"a CA":                    {ca, "", ""},
		"pinned":                  {"", right, ""},
		"pinned, other spelling":  {"", colons(strings.ToUpper(right)), ""},
		"another pinned":          {"", wrong, "its certificate is " + strings.ToUpper(right[:2]) + ":"},
		"a CA and pinned":         {ca, right, ""},
		"a CA and another pinned": {ca, wrong, "not the pinned AB:AB:"},
	} {
		t.Run(name, func(t *testing.T) {
			var pinned daemonclient.Fingerprint
			if row.pin != "" {
				pinned = must[daemonclient.Fingerprint](t)(daemonclient.ParseFingerprint(row.pin))
			}
			cfg, err := daemonclient.TLSConfig(row.ca, pinned)
			if err != nil {
				t.Fatal(err)
			}
			c := start(t, daemonclient.Config{URL: url, TLS: cfg})
			if row.says == "" {
				online(t, c)
				if c.Status().Plain {
					t.Error("wss is said to be plain")
				}
				return
			}
			if s := awaitState(t, c, daemonclient.Offline); !strings.Contains(s.LastError, row.says) {
				t.Errorf("it says %q", s.LastError)
			}
		})
	}
}

func TestTLSSettingsRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{empty + ".not": "--daemon-ca", empty: "it is without any PEM; name a file with a certificate"} {
		if _, err := daemonclient.TLSConfig(file, daemonclient.Fingerprint{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", file, err)
		}
	}
	right := strings.Repeat("ab", 32)
	for _, text := range []string{"", "abcd", strings.Repeat("zz", 32), right + "ab", "ab:" + right[2:], right + ":", "0x" + right} {
		if _, err := daemonclient.ParseFingerprint(text); err == nil || !strings.Contains(err.Error(), "64 hexadecimal digits") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// colons puts a colon between each two digits.
func colons(digits string) string {
	var pairs []string
	for pair := range slices.Chunk([]byte(digits), 2) {
		pairs = append(pairs, string(pair))
	}
	return strings.Join(pairs, ":")
}

func TestPlainAddresses(t *testing.T) {
	plain := []string{"ws://10.0.0.7:8090", "ws://node.example", "ws://[2001:db8::1]:1", "ws://localhost.example:1"}
	other := []string{"ws://127.0.0.1:8090", "ws://localhost:1", "ws://LOCALHOST:1", "ws://[::1]:8090", "wss://node.example", "ws://127.9.9.9"}
	if got := daemonclient.PlainURLs(append(other, plain...)); !slices.Equal(got, plain) {
		t.Errorf("got %v", got)
	}
	own := []string{"ws://127.0.0.1:8090", "wss://localhost:1"}
	if !daemonclient.OnThisMachine(own) || daemonclient.OnThisMachine(append(own, plain[0])) || daemonclient.OnThisMachine(nil) {
		t.Error("what is on this machine is mistaken")
	}
	if s := daemonclient.New(daemonclient.Config{URL: plain[0]}).Status(); !s.Plain || !s.Daemons[0].Plain {
		t.Errorf("status: %+v", s)
	}
}
