package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger/printable"

	"github.com/gorilla/websocket"
)

// The sizes of the floods.
const (
	waiters   = 20 // websockets full of calls that wait
	perWaiter = 32 // calls on each of them
	flooders  = 8  // clients that call without a token
	deaf      = 60 // clients that ask for much and do not read
)

// floodProbes returns the attacks that could keep others from being answered. Each is
// tried alone, after all others.
func (c *client) floodProbes() []probe {
	list := []probe{
		{name: "connections announce bodies, and one byte comes", run: announcedBodies},
		{name: "60 clients ask for megabytes and do not read", run: unreadAnswers},
		{name: "a flood without a token", skip: skipWithoutAuth, run: flood},
	}
	if c.port == "websocket" {
		list = append(list, probe{name: "640 calls that wait, on 20 websockets", skip: skipWithoutPayment, run: waitingCalls})
	}
	return list
}

func skipWithoutPayment(t Target) string {
	if t.Waits == "" {
		return "no payment is under way that could be waited for"
	}
	return ""
}

// answersDuringFlood makes an honest call on a new connection during an attack and reports
// whether it is answered soon enough.
func (c *client) answersDuringFlood(ctx context.Context) (bool, string, error) {
	most := c.target.Patience / 15
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	start := time.Now()
	err := c.checkAnswers(ctx)
	took := time.Since(start).Round(time.Millisecond)
	if err != nil {
		return false, "an honest call was not answered meanwhile: " + err.Error(), nil
	}
	return took < most, fmt.Sprintf("an honest call was answered after %v meanwhile", took), nil
}

func announcedBodies(ctx context.Context, c *client) (bool, string, error) {
	head := fmt.Sprintf("POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n%s\r\n{", c.addr,
		c.bearer())
	var open []net.Conn
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	for range c.target.Connections {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
		if err != nil {
			break // the system or the server accepts no more, which is enough
		}
		open = append(open, conn)
		if c.target.TLS == nil {
			_, _ = io.WriteString(conn, head) // it may be closed already
		}
	}
	if len(open) == 0 {
		return false, "", errors.New("no connection could be opened")
	}
	return c.answersDuringFlood(ctx)
}

func unreadAnswers(ctx context.Context, c *client) (bool, string, error) {
	const discover = `{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`
	body := "[" + strings.Repeat(discover+",", 39) + discover + "]"
	head := fmt.Sprintf("POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n", c.addr,
		len(body), c.bearer())
	for range deaf {
		conn, err := c.dial(ctx)
		if err != nil {
			return false, "", err
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, head+body) // it may be closed already
	}
	return c.answersDuringFlood(ctx)
}

func waitingCalls(ctx context.Context, c *client) (bool, string, error) {
	var open []*websocket.Conn
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	for range waiters {
		conn, r, err := c.open(ctx, "", c.authorization())
		if err != nil {
			return false, "", err
		}
		if conn == nil { // no websockets here
			return true, r.summary(), nil
		}
		open = append(open, conn)
		for id := range perWaiter {
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"wait_payment","params":[%q,"irreversible",30]}`, id, c.target.Waits)
			if conn.WriteMessage(websocket.TextMessage, []byte(text)) != nil {
				break
			}
		}
	}
	return c.answersDuringFlood(ctx)
}

func flood(ctx context.Context, c *client) (bool, string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.target.Patience/20)
	defer cancel()
	var refused atomic.Int64
	var all sync.WaitGroup
	for range flooders {
		all.Go(func() {
			for ctx.Err() == nil {
				if r, err := c.send(ctx, post(call, plainJSON())); err == nil && r.status == http.StatusUnauthorized {
					refused.Add(1)
				}
			}
		})
	}
	good, detail, err := c.answersDuringFlood(context.WithoutCancel(ctx))
	all.Wait()
	if refused.Load() == 0 {
		return false, "none of the calls was refused", err
	}
	return good, fmt.Sprintf("%s refused; %s", printable.Many(refused.Load(), "call"), detail), err
}
