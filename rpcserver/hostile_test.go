package rpcserver

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

const isLocked = `{"jsonrpc":"2.0","id":1,"method":"is_locked"}`

const unlocked = `{"jsonrpc":"2.0","id":1,"result":false}`

func TestATenMegabyteRequestGetsOneSentence(t *testing.T) {
	h := open(t, nil)
	large := `{"jsonrpc":"2.0","id":1,"method":"echo","params":["` + strings.Repeat("x", 10<<20) + `"]}`
	const want = `"message":"The request is larger than 1048576 bytes, the most this wallet reads; send it in smaller parts."`
	if status, text := h.post(h.HTTPAddr(), large); status != 413 || !strings.Contains(text, want) {
		t.Error(status, text)
	}
	// In chunks, without announcing its length.
	resp, err := http.Post("http://"+h.HTTPAddr()+"/rpc", "application/json", io.MultiReader(strings.NewReader(large)))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Error(resp.Status)
	}
	http.DefaultClient.CloseIdleConnections()
	conn := h.mustDial()
	send(t, conn, large)
	if got := receive(t, conn); !strings.Contains(got, want) {
		t.Error(got)
	}
	send(t, conn, isLocked)
	if got := receive(t, conn); got != unlocked {
		t.Error("the connection was not usable after it:", got)
	}
	// A body beyond what is read and dropped ends the connection.
	err = conn.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte("x"), 17<<20))
	if _, _, err2 := conn.ReadMessage(); err == nil && err2 == nil {
		t.Error("17 MB were taken")
	}
}

func TestLargestRequestIsAccepted(t *testing.T) {
	h := open(t, nil)
	frame := `{"id":1,"method":"is_locked","params":[""]}`
	text := strings.Replace(frame, `""`, `"`+strings.Repeat("x", 1<<20-len(frame))+`"`, 1)
	if status, got := h.post(h.HTTPAddr(), text); status != 200 || got != unlocked {
		t.Error(status, got)
	}
	conn := h.mustDial()
	send(t, conn, text)
	if got := receive(t, conn); got != unlocked {
		t.Error(got)
	}
}

func TestWebsocketHandshakes(t *testing.T) {
	h := open(t, nil)
	_, port, _ := net.SplitHostPort(h.WSAddr())
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"Origin", "https://evil.example", 403},
		{"Origin", "null", 403},
		{"Origin", "https://" + h.WSAddr(), 403},
		{"Origin", "http://" + h.WSAddr(), 101}, // its own
		{"Host", "evil.example:" + port, 403},
		{"Sec-Fetch-Site", "cross-site", 403},
		{"Origin", "https://wallet.example", 101},
		{"Host", "localhost:" + port, 101},
		{"X-Other", "any", 101},
	} {
		_, resp, err := h.dial(http.Header{c.name: {c.value}})
		if resp == nil || resp.StatusCode != c.status {
			t.Errorf("%s %s: %v %v, want %d", c.name, c.value, resp, err, c.status)
		}
	}
	resp, err := http.Get("http://" + h.WSAddr() + "/")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUpgradeRequired || !strings.Contains(string(text), "connect with a websocket client") {
		t.Error(resp.Status, string(text))
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestACallEndsWhenItsClientLeaves(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.ReadTime = 20 * time.Millisecond })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	<-h.wallet.started
	_ = conn.Close()
	if err := <-h.wallet.ended; err == nil {
		t.Error("the call ended without a reason")
	}
	raw, err := net.Dial("tcp", h.HTTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"id":1,"method":"slow"}`
	_, err = fmt.Fprintf(raw, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", h.HTTPAddr(), len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	<-h.wallet.started
	select { // the deadline for slow bodies does not apply to slow calls
	case err := <-h.wallet.ended:
		t.Fatal("ended while its client waited:", err)
	case <-time.After(100 * time.Millisecond):
	}
	_ = raw.Close()
	if err := <-h.wallet.ended; err == nil {
		t.Error("the call ended without a reason")
	}
}

func TestACallHasADeadline(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.CallTime = 20 * time.Millisecond })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	if got := receive(t, conn); !strings.Contains(got, `"error":{"code":9,"message":"The call was cancelled`) {
		t.Error(got)
	}
	if status, got := h.post(h.HTTPAddr(), `{"id":1,"method":"slow"}`); status != 500 || !strings.Contains(got, `"code":9,`) {
		t.Error(status, got)
	}
}

func TestLongCallsDoNotDelayShortOnes(t *testing.T) {
	h := open(t, nil)
	conn := h.mustDial()
	send(t, conn, `{"id":2,"method":"slow"}`)
	<-h.wallet.started
	send(t, conn, isLocked)
	if got := receive(t, conn); got != unlocked {
		t.Error(got)
	}
	close(h.wallet.release)
	if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":2,"result":"done"}` {
		t.Error(got)
	}
}

func TestTooManyCallsAreToldToRetry(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.PerClient, o.Limits.InFlight, o.Limits.SlotWait = 2, 3, 10*time.Millisecond })
	conn, other := h.mustDial(), h.mustDial()
	for _, c := range []*websocket.Conn{conn, conn, other} {
		send(t, c, `{"id":1,"method":"slow"}`)
		<-h.wallet.started
	}
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"%s; try again in 10ms.","data":{"name":"limit_exceeded","retry_after_ms":10}}}`
	send(t, conn, isLocked)
	if got := receive(t, conn); got != fmt.Sprintf(want, "This connection has too many calls under way") {
		t.Error(got)
	}
	send(t, other, isLocked)
	if got := receive(t, other); got != fmt.Sprintf(want, "The wallet is running too many calls") {
		t.Error(got)
	}
	if status, got := h.post(h.HTTPAddr(), `{"id":1,"method":"is_locked"}`); status != 503 || !strings.Contains(got, "-32005") {
		t.Error(status, got)
	}
	close(h.wallet.release)
}

// A burst is slowed down, not refused, since scripts send many calls in a row.
func TestABurstOfQuickCallsPasses(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.PerClient = 4 })
	conn := h.mustDial()
	const calls = 400
	for i := range calls {
		send(t, conn, fmt.Sprintf(`{"id":%d,"method":"is_locked"}`, i))
	}
	seen := make(map[string]bool)
	for range calls {
		seen[receive(t, conn)] = true
	}
	for i := range calls {
		if !seen[fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":false}`, i)] {
			t.Errorf("call %d was not answered", i)
		}
	}
}

func TestTooManyConnectionsAreToldToRetry(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.Connections = 4 })
	first := h.mustDial()
	h.mustDial()
	h.mustDial()
	_, resp, err := h.dial(nil)
	if resp == nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "1" {
		t.Fatal(resp, err)
	}
	if text, _ := io.ReadAll(resp.Body); !strings.Contains(string(text), "websocket limit is reached") {
		t.Errorf("%s", text)
	}
	send(t, first, isLocked)
	if got := receive(t, first); got != unlocked {
		t.Error(got)
	}
	if _, text := h.post(h.WSAddr(), isLocked); text != unlocked { // some connections are reserved for HTTP
		t.Error(text)
	}
	_ = first.Close()
	waitFor(t, func() bool { // free as soon as the server has noticed that the client left
		_, _, err := h.dial(nil)
		return err == nil
	})
}

func TestClientThatDoesNotReadIsDisconnected(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.WriteTime = 50 * time.Millisecond })
	conn := h.mustDial()
	for range 400 { // 100 MB of answers: more than the sockets hold
		if conn.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"method":"large"}`)) != nil {
			break
		}
	}
	waitFor(t, func() bool {
		h.sessions.mu.Lock()
		defer h.sessions.mu.Unlock()
		return len(h.sessions.open) == 0
	})
}

func TestSilentClientsAreDropped(t *testing.T) {
	h := open(t, func(o *Options) {
		o.Limits.IdleTime, o.Limits.HeaderTime = 60*time.Millisecond, 50*time.Millisecond
	})
	loris, err := net.Dial("tcp", h.HTTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer loris.Close()
	if _, err := io.WriteString(loris, "POST /rpc HTTP/1.1\r\nHost: 127"); err != nil {
		t.Fatal(err)
	}
	_ = loris.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.Copy(io.Discard, loris); err != nil {
		t.Error("an unfinished header is waited for:", err)
	}
	dead := h.mustDial() // does not read, so it answers no ping
	waitFor(t, func() bool {
		h.sessions.mu.Lock()
		defer h.sessions.mu.Unlock()
		return len(h.sessions.open) == 0
	})
	_ = dead.Close()
}

// A client that only answers pings stays connected for longer than silence is allowed.
func TestQuietClientsAreKept(t *testing.T) {
	t.Parallel()
	h := open(t, func(o *Options) { o.Limits.IdleTime = 3 * time.Second })
	quiet := h.mustDial() // the library answers pings while reading
	pings := 0
	answer := quiet.PingHandler()
	quiet.SetPingHandler(func(text string) error {
		if pings++; pings > 3 { // there is a ping each third of the allowed time
			_ = quiet.Close()
			return nil
		}
		return answer(text)
	})
	if _, _, err := quiet.ReadMessage(); pings <= 3 {
		t.Errorf("a living client was dropped after %d pings: %v", pings, err)
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not happen within 10 s")
		}
	}
}

func TestInvalidFramesEndOnlyTheirConnection(t *testing.T) {
	h := open(t, nil)
	for _, junk := range [][]byte{
		{0xff, 0xff, 0xff, 0xff},                                                 // reserved bits and a reserved opcode
		{0x81, 0x05, 'h', 'e', 'l', 'l', 'o'},                                    // not masked
		{0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4}, // 2^63 bytes
		{0x80, 0x80, 1, 2, 3, 4},                                                 // continues nothing
	} {
		conn := h.mustDial()
		if _, err := conn.NetConn().Write(junk); err != nil {
			t.Fatal(err)
		}
		if _, _, err := conn.ReadMessage(); err == nil {
			t.Errorf("% x was answered", junk)
		}
	}
	conn := h.mustDial()
	send(t, conn, isLocked)
	if got := receive(t, conn); got != unlocked {
		t.Error(got)
	}
}

// An instant call needs no goroutine of its own. It is answered during a long call, and so
// is the call after it.
func TestInstantCallsAreAnsweredDuringALongOne(t *testing.T) {
	h := open(t, func(o *Options) { o.Pace = paces(map[string]walletapi.Pace{"echo": walletapi.PaceInstant}) })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	<-h.wallet.started
	for i := range 3 * h.limits.PerClient {
		send(t, conn, fmt.Sprintf(`{"id":%d,"method":"echo","params":["x"]}`, i+2))
		if got := receive(t, conn); !strings.HasPrefix(got, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result"`, i+2)) {
			t.Fatal(got)
		}
	}
	close(h.wallet.release)
	if got := receive(t, conn); !strings.Contains(got, `"id":1,`) {
		t.Error(got)
	}
}

func paces(of map[string]walletapi.Pace) func(string) walletapi.Pace {
	return func(method string) walletapi.Pace { return of[method] }
}

// Announced bodies that never come take neither memory nor the places of callers.
func TestAnnouncedBodiesKeepNobodyOut(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.Connections = 16 })
	for range 40 {
		conn, err := net.Dial("tcp", h.HTTPAddr())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{", h.HTTPAddr())
	}
	for range 20 {
		if status, text := h.post(h.HTTPAddr(), isLocked); status != 200 || text != unlocked {
			t.Fatal(status, text)
		}
	}
}

// Even the largest number of waiting and running calls keeps nobody from locking the
// wallet.
func TestLockIsNeverKeptWaiting(t *testing.T) {
	h := open(t, func(o *Options) {
		o.Limits.InFlight, o.Limits.Waiting, o.Limits.PerClient, o.Limits.SlotWait = 2, 2, 2, time.Minute
		o.Pace = paces(map[string]walletapi.Pace{"slow": walletapi.PaceWaits, "note": walletapi.PaceUrgent})
	})
	waiting := h.mustDial()
	send(t, waiting, `{"id":1,"method":"slow"}`)
	send(t, waiting, `{"id":2,"method":"slow"}`)
	<-h.wallet.started
	<-h.wallet.started
	// The places of running calls are free, on this connection as on others.
	send(t, waiting, `{"jsonrpc":"2.0","id":1,"method":"is_locked"}`)
	if got := receive(t, waiting); got != unlocked {
		t.Error(got)
	}
	if status, text := h.post(h.HTTPAddr(), isLocked); status != 200 {
		t.Error(status, text)
	}
	places := h.sessions.dispatch.places
	for places.acquire(t.Context(), "", 1, 0) > 0 { // and now they are not
	}
	if status, text := h.post(h.HTTPAddr(), `{"jsonrpc":"2.0","id":1,"method":"note"}`); status != 200 || strings.Contains(text, "error") {
		t.Error(status, text)
	}
	close(h.wallet.release)
}

// Answers that hold keys arrive whole on both transports, and are wiped afterwards.
func TestSecretAnswersAreSentAndWiped(t *testing.T) {
	h := open(t, func(o *Options) { o.Secret = func(method string) bool { return method == "echo" } })
	const call = `{"jsonrpc":"2.0","id":1,"method":"echo","params":["` + secret + `"]}`
	const want = `{"jsonrpc":"2.0","id":1,"result":["` + secret + `"]}`
	if status, text := h.post(h.HTTPAddr(), call); status != 200 || text != want {
		t.Error(status, text)
	}
	if status, text := h.post(h.HTTPAddr(), "["+isLocked+","+call+","+isLocked+"]"); status != 200 ||
		text != "["+unlocked+","+want+","+unlocked+"]" {
		t.Error(status, text)
	}
	conn := h.mustDial()
	send(t, conn, call)
	if got := receive(t, conn); got != want {
		t.Error(got)
	}
	d := h.sessions.dispatch
	a := d.run(t.Context(), client{}, readMessage([]byte("["+isLocked+","+call+"]"), d.limits))
	if !a.secret || !strings.Contains(string(a.body), secret) {
		t.Fatalf("%s", a.body)
	}
	if a.wipe(); strings.Contains(string(a.body[:cap(a.body)]), secret[:8]) {
		t.Errorf("left over: %s", a.body)
	}
}
