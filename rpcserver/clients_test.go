package rpcserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// The recordings testdata/clients/*.http are what programs wrote to the port, byte by byte; PORT stands for it. The programs beside
// them made them: CLIENTS=record make clients.

// optionalTokens is a server at which a token may be shown.
func optionalTokens(o *Options) { o.Authenticator, o.AllowAnonymous = &fakeAuthenticator{}, true }

// What real clients send is answered: whatever type, origin, login and transfer coding their libraries choose.
func TestRecordedClientsAreAnswered(t *testing.T) {
	files, err := filepath.Glob("testdata/clients/*.http")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	h := open(t, optionalTokens)
	for _, file := range files {
		sent, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		addr, isWebsocket := h.HTTPAddr(), bytes.Contains(bytes.ToLower(sent), []byte("upgrade: websocket"))
		if isWebsocket {
			addr = h.WSAddr()
		}
		_, port, _ := net.SplitHostPort(addr)
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.ReplaceAll(sent, []byte("PORT"), []byte(port))
		in := bufio.NewReader(conn)
		if isWebsocket {
			checkFrame(t, file, conn, in, sent)
		} else {
			if _, err := conn.Write(sent); err != nil {
				t.Fatal(err)
			}
			for range bytes.Count(sent, []byte(`"is_locked"`)) {
				checkAnswer(t, file, in)
			}
		}
		_ = conn.Close()
	}
}

// checkAnswer reads an HTTP answer, which must be that the wallet is not locked.
func checkAnswer(t *testing.T, file string, in *bufio.Reader) {
	t.Helper()
	resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodPost})
	for err == nil && resp.StatusCode == http.StatusContinue {
		resp, err = http.ReadResponse(in, &http.Request{Method: http.MethodPost})
	}
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(text), `"result":false`) {
		t.Errorf("%s: %s %s (%v)", file, resp.Status, text, err)
	}
}

// checkFrame sends a handshake and, once it is answered, a frame, whose answer must be that the wallet is not locked.
func checkFrame(t *testing.T, file string, out io.Writer, in *bufio.Reader, sent []byte) {
	t.Helper()
	end := bytes.Index(sent, []byte("\r\n\r\n")) + len("\r\n\r\n")
	if _, err := out.Write(sent[:end]); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("%s: %v (%v)", file, resp, err)
		return
	}
	if _, err := out.Write(sent[end:]); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 2)
	if _, err := io.ReadFull(in, head); err != nil || head[0] != 0x81 || head[1] > 125 {
		t.Errorf("%s: a frame begins with %x (%v)", file, head, err)
		return
	}
	text := make([]byte, head[1])
	if _, err := io.ReadFull(in, text); err != nil || !strings.Contains(string(text), `"result":false`) {
		t.Errorf("%s: %s (%v)", file, text, err)
	}
}

// The programs themselves, where what they need is installed; axios and ws are installed for the test.
func TestRealClients(t *testing.T) {
	mode := os.Getenv("CLIENTS")
	if mode == "" {
		t.Skip("make clients runs the clients of other languages")
	}
	for _, c := range []struct {
		command string
		args    []string
		npm     []string
	}{
		{"python3", []string{"client.py"}, nil},
		{"java", []string{"Client.java"}, nil},
		{"php", []string{"client.php"}, nil},
		{"node", []string{"client.mjs"}, []string{"axios@1", "ws@8"}},
		{"curl", []string{"client.sh"}, nil},
	} {
		t.Run(c.command, func(t *testing.T) {
			program, err := exec.LookPath(c.command)
			if err != nil {
				t.Skipf("%s is not installed", c.command)
			}
			if c.command == "curl" {
				program = "sh"
			}
			folder := t.TempDir()
			text, err := os.ReadFile(filepath.Join("testdata/clients", c.args[0]))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, c.args[0]), text, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.npm != nil {
				install := exec.Command("npm", append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"}, c.npm...)...)
				install.Dir = folder
				if out, err := install.CombinedOutput(); err != nil {
					t.Logf("without %v, which cannot be installed: %v\n%s", c.npm, err, out)
				}
			}
			rpc, ws := "", ""
			if mode == "record" {
				addr := recorder(t)
				rpc, ws = addr, addr
			} else {
				h := open(t, optionalTokens)
				rpc, ws = h.HTTPAddr(), h.WSAddr()
			}
			run := exec.Command(program, append(c.args, "http://"+rpc+"/rpc", "ws://"+ws+"/")...)
			run.Dir = folder
			out, err := run.CombinedOutput()
			t.Logf("%s", out)
			if err != nil || !bytes.Contains(out, []byte("ok ")) {
				t.Errorf("%s: %v", c.command, err)
			}
		})
	}
}

// teeConn keeps what is read from a connection.
type teeConn struct {
	net.Conn
	mu   sync.Mutex
	read []byte
	name string // of the first way that it was called in
}

func (c *teeConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = append(c.read, p[:n]...)
	return n, err
}

// answer answers a call, and saves what was read so far under its name, which is its id.
func (c *teeConn) answer(t *testing.T, call []byte) []byte {
	var request struct{ ID string }
	if err := json.Unmarshal(call, &request); err != nil || request.ID == "" {
		t.Errorf("%q is no call: %v", call, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" {
		c.name = request.ID
	}
	_, port, _ := net.SplitHostPort(c.LocalAddr().String())
	text := bytes.ReplaceAll(c.read, []byte(":"+port), []byte(":PORT"))
	if err := os.WriteFile(filepath.Join("testdata/clients", c.name+".http"), text, 0o644); err != nil { //nolint:gosec // a recording
		t.Error(err)
	}
	return []byte(`{"jsonrpc":"2.0","id":"` + request.ID + `","result":false}`)
}

type teeListener struct{ net.Listener }

func (l teeListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &teeConn{Conn: conn}, nil
}

type teeKey struct{}

// recorder answers every call and saves what the clients send. It returns its address.
func recorder(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, teeKey{}, c) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, _ := r.Context().Value(teeKey{}).(*teeConn)
			if websocket.IsWebSocketUpgrade(r) {
				ws, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					return
				}
				defer ws.Close()
				if _, text, err := ws.ReadMessage(); err == nil {
					_ = ws.WriteMessage(websocket.TextMessage, conn.answer(t, text))
					_, _, _ = ws.ReadMessage() // until it is closed
				}
				return
			}
			text, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(conn.answer(t, text))
		}),
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(teeListener{l}) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}
