package rpcserver

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver/auth/certificate"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// halfCloser is a connection whose writing side can be shut down alone.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// dialers returns a way to each kind of listener.
func dialers(t *testing.T, adjust func(*Options)) map[string]func() (*testServer, halfCloser) {
	connect := func(conn net.Conn, err error) halfCloser {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		return conn.(halfCloser)
	}
	ways := map[string]func() (*testServer, halfCloser){
		"tcp": func() (*testServer, halfCloser) {
			h := open(t, adjust)
			return h, connect(net.Dial("tcp", h.HTTPAddr()))
		},
		"tls": func() (*testServer, halfCloser) {
			own, err := certificate.Own(t.TempDir(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := open(t, func(o *Options) { adjust(o); o.TLS = own.Config() })
			return h, connect(tls.Dial("tcp", h.HTTPAddr(), &tls.Config{InsecureSkipVerify: true}))
		},
	}
	if runtime.GOOS != "windows" {
		ways["unix"] = func() (*testServer, halfCloser) {
			path := filepath.Join(t.TempDir(), "s")
			h := open(t, func(o *Options) { adjust(o); o.Socket = path })
			return h, connect(net.Dial("unix", path))
		}
	}
	return ways
}

// askSlow sends a whole request for slow in one or the other version of HTTP, and waits until it runs.
func askSlow(t *testing.T, h *testServer, conn net.Conn, version, body string) {
	t.Helper()
	if _, err := fmt.Fprintf(conn, "POST /rpc HTTP/%s\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", version, h.HTTPAddr(), len(body), body); err != nil {
		t.Fatal(err)
	}
	<-h.wallet.started
}

// A client that shuts down its writing side after a whole request, as "nc -N" does, still waits for the answer.
func TestHalfClosedClientIsAnswered(t *testing.T) {
	const one = `{"jsonrpc":"2.0","id":1,"method":"slow"}`
	for kind, dial := range dialers(t, func(o *Options) { o.Secret = func(m string) bool { return m == "secret" } }) {
		for _, pause := range []time.Duration{0, 800 * time.Millisecond} { // before and after it is looked whether the client is there
			for version, body := range map[string]string{"1.0": one, "1.1": one, "1.1 batch": "[" + one + "," + one + `,{"id":2,"method":"large"}]`,
				"1.1 secret": "[" + one + `,{"id":2,"method":"secret"}]`} {
				t.Run(fmt.Sprint(kind, " ", version, " ", pause), func(t *testing.T) {
					t.Parallel()
					h, conn := dial()
					defer conn.Close()
					askSlow(t, h, conn, version[:3], body)
					if err := conn.CloseWrite(); err != nil {
						t.Fatal(err)
					}
					time.Sleep(pause)
					close(h.wallet.release)
					resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodPost})
					if err != nil {
						t.Fatal(err)
					}
					if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !strings.Contains(string(text), `"id":1,"result":"done"`) {
						t.Errorf("%s %.300s (%v)", resp.Status, text, err)
					}
				})
			}
		}
	}
}

// So are requests that were sent one after another, without waiting for answers.
func TestHalfClosedClientIsAnsweredAllItsRequests(t *testing.T) {
	h := open(t, nil)
	conn, err := net.Dial("tcp", h.HTTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"jsonrpc":"2.0","id":1,"method":"slow"}`
	one := fmt.Sprintf("POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", h.HTTPAddr(), len(body), body)
	if _, err := io.WriteString(conn, one+one); err != nil {
		t.Fatal(err)
	}
	if err := conn.(halfCloser).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	time.AfterFunc(600*time.Millisecond, func() { close(h.wallet.release) })
	in := bufio.NewReader(conn)
	for range 2 {
		resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodPost})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), `"result":"done"`) {
			t.Errorf("%s (%v)", text, err)
		}
	}
}

// A client that has hung up, whether it said before that it sends nothing more or not, ends what it asked for: not a spend, which goes on to its end.
func TestClientThatLeavesEndsItsCalls(t *testing.T) {
	for _, spends := range []bool{false, true} {
		for kind, dial := range dialers(t, func(o *Options) { o.Spends = func(string) bool { return spends } }) {
			for _, half := range []bool{false, true} {
				t.Run(fmt.Sprint(kind, " half ", half, " spends ", spends), func(t *testing.T) {
					t.Parallel()
					h, conn := dial()
					askSlow(t, h, conn, "1.1", `{"jsonrpc":"2.0","id":1,"method":"slow"}`)
					if half {
						if err := conn.CloseWrite(); err != nil {
							t.Fatal(err)
						}
						time.Sleep(50 * time.Millisecond)
					}
					_ = conn.Close()
					select {
					case err := <-h.wallet.ended:
						if spends {
							t.Errorf("a spend was broken off: %v", err)
						}
					case <-time.After(map[bool]time.Duration{false: 15 * time.Second, true: 2 * time.Second}[spends]):
						if !spends {
							t.Error("the call goes on without its client")
						}
					}
					close(h.wallet.release)
				})
			}
		}
	}
}

// So it is on a websocket, where the end of what the client sends is the end of the connection.
func TestSpendGoesOnWithoutItsWebsocket(t *testing.T) {
	h := open(t, func(o *Options) { o.Spends = func(string) bool { return true } })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	<-h.wallet.started
	_ = conn.Close()
	select {
	case err := <-h.wallet.ended:
		t.Errorf("a spend was broken off: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	close(h.wallet.release)
}

// While it waits for a person, a spend ends with its client: nobody is there who wants it.
func TestSpendThatWaitsForAPersonEndsWithItsClient(t *testing.T) {
	for _, transport := range []string{"http", "websocket"} {
		d := newDiary()
		h := ordered(t, d, func(o *Options) { o.Spends = func(string) bool { return true } })
		const body = `{"jsonrpc":"2.0","id":1,"method":"asks","params":[1]}`
		var conn io.Closer
		if transport == "websocket" {
			ws := h.mustDial()
			send(t, ws, body)
			conn = ws
		} else {
			tcp, err := net.Dial("tcp", h.HTTPAddr())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fprintf(tcp, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", h.HTTPAddr(), len(body), body); err != nil {
				t.Fatal(err)
			}
			conn = tcp
		}
		<-d.started
		_ = conn.Close()
		select {
		case <-d.started: // the diary goes on when what waited for the person has ended
		case <-time.After(10 * time.Second):
			t.Errorf("over %s, a person is still asked for a client that left", transport)
		}
	}
}

// Why a call was cancelled is said in words, and they are true.
func TestCancelledCallSaysWhy(t *testing.T) {
	left, leave := context.WithCancelCause(t.Context())
	leave(errClientLeft)
	closing, end := context.WithCancel(t.Context())
	end()
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	for _, c := range []struct {
		ctx  context.Context
		want string
	}{{left, "since its client left"}, {closing, "cancelled"}, {late, "(it took too long|it timed out|the disk took longer)"}} {
		why := c.ctx.Err()
		for _, err := range []error{why, fmt.Errorf("wrapped: %w", why), fault.Daemon("get_account", why), &fault.Error{Code: fault.Canceled, Message: "it cannot be read: " + why.Error()}, &fault.Error{Code: fault.OutcomeUnknown, Message: (&store.PendingError{Err: why}).Error()}} {
			f := faultOf(nameCause(c.ctx, err))
			unsure := f.code == fault.OutcomeUnknown // which is not undone by who left
			if strings.Contains(f.message, "context ") || !unsure && !regexp.MustCompile(c.want).MatchString(f.message) {
				t.Errorf("%T: %s", err, f.message)
			}
		}
	}
}

// Requests that are sent one after another are all answered and executed, also spends. Behind an answer with a secret, after which the connection is
// closed, the client is told so, and nothing of what it sent behind that request is executed.
func TestRequestsBehindOneThatClosesTheConnection(t *testing.T) {
	for kind, dial := range dialers(t, func(o *Options) {
		o.Secret = func(m string) bool { return m == "secret" }
		o.Spends = func(m string) bool { return m == "note" }
	}) {
		t.Run(kind, func(t *testing.T) {
			h, conn := dial()
			defer conn.Close()
			ask := func(method string, more int) string {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":[%q]}`, method, strings.Repeat("x", more))
				return fmt.Sprintf("POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", h.HTTPAddr(), len(body), body)
			}
			go func() {
				_, _ = io.WriteString(conn, ask("note", 0)+ask("note", 0)+ask("secret", 0)+strings.Repeat(ask("note", 10000), 9))
			}()
			in := bufio.NewReader(conn)
			for i, closes := range []bool{false, false, true} {
				resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodPost})
				if err != nil {
					t.Fatal(err)
				}
				if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || resp.Close != closes {
					t.Errorf("answer %d: %s %.300s (%v), the connection is said to end: %v", i, resp.Status, text, err, resp.Close)
				}
			}
			if rest, _ := io.ReadAll(in); len(rest) > 0 {
				t.Errorf("behind the last answer came %.100q", rest)
			}
			time.Sleep(50 * time.Millisecond)
			h.wallet.mu.Lock()
			defer h.wallet.mu.Unlock()
			if h.wallet.notes != 2 {
				t.Errorf("%d spends were executed, 2 answered", h.wallet.notes)
			}
		})
	}
}
