package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// speedStage is the whole program on the embedded ledger, unlocked and with listeners.
type speedStage struct {
	ws, http, daemon string
	program          *program
}

func openSpeed(t testing.TB) speedStage {
	t.Helper()
	p, err := newProgram(&settings{sandbox: true, rpcWS: "127.0.0.1:0", rpcHTTP: "127.0.0.1:0", spends: audit.Allow})
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan *service), make(chan error, 1)
	go func() {
		done <- p.run(ctx, func(ctx context.Context) error {
			if err := p.wallet.Vault.Unlock(ctx, sandboxPassword); err != nil {
				return err
			}
			server, err := p.newServer(nil)
			if err != nil {
				return err
			}
			ready <- server
			return server.Serve(ctx)
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		p.close()
	})
	select {
	case server := <-ready:
		return speedStage{"ws://" + server.WSAddr(), "http://" + server.HTTPAddr() + "/rpc", p.box.URL(), p}
	case err := <-done:
		t.Fatal(err)
		return speedStage{}
	}
}

// openEmpty serves an operation that does nothing through the same server, which is the
// limit of every call.
func openEmpty(t testing.TB) speedStage { return openReady(t, "true") }

// openReady is openEmpty with another answer to every call.
func openReady(t testing.TB, answer string) speedStage {
	t.Helper()
	nothing := rpcserver.CallerFunc(func(context.Context, string, rpcserver.Params) (json.RawMessage, error) {
		return json.RawMessage(answer), nil
	})
	server, err := rpcserver.New(rpcserver.Options{WSAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", Caller: nothing,
		Pace: func(string) walletapi.Pace { return walletapi.PaceInstant }}) // the fastest way through the server is the limit
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return speedStage{ws: "ws://" + server.WSAddr(), http: "http://" + server.HTTPAddr() + "/rpc"}
}

// fillHistory makes a hundred payments by alice with memos, in a block.
func (s speedStage) fillHistory(t testing.TB) {
	t.Helper()
	line := dialWS(s.ws, request("transfer", `["alice","bobby","0.001","DCT","memo here",true]`))(t)
	defer line.close()
	for range 100 {
		must(t, line.call())
	}
	_, err := s.program.box.Mine()
	must(t, err)
	api := remote{t, s.http}
	for end := time.Now().Add(patience); strings.Count(api.ok("get_account_history", "alice", "100"), `"memo here"`) < 100; {
		if time.Now().After(end) {
			t.Fatal("the history does not show a hundred payments")
		}
	}
}

func request(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
}

// caller makes the same call again and again, on a connection of its own.
type caller interface {
	call() error
	close()
}

// dial returns a new caller.
type dial func(testing.TB) caller

type wsCaller struct {
	conn   *websocket.Conn
	frame  []byte
	answer *bytes.Buffer // the latest
}

func dialWS(url, frame string) dial {
	return func(t testing.TB) caller {
		t.Helper()
		conn, _, err := websocket.DefaultDialer.Dial(url, nil)
		must(t, err)
		return wsCaller{conn, []byte(frame), new(bytes.Buffer)}
	}
}

func (c wsCaller) close() { _ = c.conn.Close() }

func (c wsCaller) call() error {
	answer, err := c.ask()
	return errors.Join(err, faultIn(answer))
}

func (c wsCaller) ask() ([]byte, error) {
	if err := c.conn.WriteMessage(websocket.TextMessage, c.frame); err != nil {
		return nil, err
	}
	_, message, err := c.conn.NextReader()
	if err != nil {
		return nil, err
	}
	c.answer.Reset()
	_, err = c.answer.ReadFrom(message)
	return c.answer.Bytes(), err
}

// faultIn returns the error in an answer, without the cost of parsing it.
func faultIn(answer []byte) error {
	if bytes.Contains(answer[:min(len(answer), 60)], []byte(`"error"`)) {
		return errors.New(string(answer))
	}
	return nil
}

// httpCaller writes HTTP by hand, since net/http's client costs more than the server.
type httpCaller struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
}

func dialHTTP(target, body string) dial {
	return func(t testing.TB) caller {
		t.Helper()
		u, err := url.Parse(target)
		must(t, err)
		conn, err := net.Dial("tcp", u.Host)
		must(t, err)
		return httpCaller{conn, bufio.NewReader(conn), fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", u.Path, u.Host, len(body), body)}
	}
}

func (c httpCaller) close() { _ = c.conn.Close() }

func (c httpCaller) call() error {
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	size := 0
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if digits, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			if size, err = strconv.Atoi(strings.TrimSpace(digits)); err != nil {
				return err
			}
		}
		if len(line) == 2 {
			break
		}
	}
	answer := make([]byte, size)
	_, err := io.ReadFull(c.reader, answer)
	return errors.Join(err, faultIn(answer))
}

// busy calls on a number of connections, without a pause, until stop.
func busy(t testing.TB, open dial, connections int, stop <-chan struct{}) *sync.WaitGroup {
	_, callers := callAll(t, open, connections, stop)
	return callers
}

// callAll is busy with a count of the calls.
func callAll(t testing.TB, open dial, connections int, stop <-chan struct{}) (*atomic.Int64, *sync.WaitGroup) {
	var made atomic.Int64
	var callers sync.WaitGroup
	for range connections {
		c := open(t)
		callers.Go(func() {
			defer c.close()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := c.call(); err != nil {
					t.Error(err)
					return
				}
				made.Add(1)
			}
		})
	}
	return &made, &callers
}

// rate returns the calls per second.
func rate(t testing.TB, open dial, connections int, length time.Duration) float64 {
	t.Helper()
	stop := make(chan struct{})
	start := time.Now()
	made, callers := callAll(t, open, connections, stop)
	time.Sleep(length)
	close(stop)
	callers.Wait()
	return float64(made.Load()) / time.Since(start).Seconds()
}

// compare adds a row: calls and those that limit them, measured in turns.
func (table *speedTable) compare(t *testing.T, row speedRow, connections int, limit string, calls, limiting dial) {
	t.Helper()
	table.compareWith(t, row, connections, limit, calls, func() float64 { return rate(t, limiting, connections, speedTime/speedTurns) })
}

func (table *speedTable) compareWith(t *testing.T, row speedRow, connections int, limit string, calls dial, limiting func() float64) {
	t.Helper()
	row.connections, row.limit, row.unit = connections, limit, "/s"
	for range speedTurns {
		row.reached += limiting() / speedTurns
		row.figure += rate(t, calls, connections, speedTime/speedTurns) / speedTurns
	}
	*table = append(*table, row)
}

// signAlone returns how many transfers with memos are signed per second without any calls.
func signAlone(t testing.TB, workers int, length time.Duration) float64 {
	t.Helper()
	start := time.Now()
	var made atomic.Int64
	var wg sync.WaitGroup
	for i := range workers {
		sign, err := newBareTransfers(uint32(i) << 24)
		must(t, err)
		wg.Go(func() {
			for time.Since(start) < length {
				if _, err := sign.next(); err != nil {
					t.Error(err)
					return
				}
				made.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(made.Load()) / time.Since(start).Seconds()
}
