package rpcserver

import (
	"slices"
	"sync"
	"time"

	"billfold/walletcore/walletapi"
)

// Call is a call as somebody who looks on sees it.
type Call struct {
	At      time.Time
	Who     string // the principal's name; "" where nobody was let in
	Via     string
	From    string // the address of another machine; "" for this one
	Method  string // "" where it is unknown
	Params  string // as far as they may be seen
	Count   int    // calls that this stands for: those that come too fast stand together
	Running int    // of these
	Took    time.Duration
	Fault   string // the name of the error; "" is none
	Message string // what the client was told
	Status  int    // of a request that was turned away; 0 otherwise

	split *Call // with which it stood before it ended otherwise
}

// Client is who calls.
type Client struct {
	Number         uint64
	Who, Via, From string
	Open           bool // a websocket, which can be cut off
	Calls          int
	First, Last    time.Time
}

// What is kept of traffic.
const (
	mostCalls   = 500
	mostClients = 200
	flood       = 100 * time.Millisecond // calls of one kind that come faster stand together
)

// Traffic keeps the latest calls and who made them, for a person who looks on. It is in memory only and bounded. The
// zero of the pointer is nobody who looks on. It may be used by many goroutines.
type Traffic struct {
	shows Shower
	now   func() time.Time

	mu      sync.Mutex
	calls   []*Call // the oldest first
	clients []*Client
	number  uint64
}

// Shower says what a person who looks on may see of calls.
type Shower interface {
	Shown(method string, params Params) (known bool, text string) // whether there is such an operation, and what of its parameters
	Apart(method string) bool                                     // each call is a row of its own, however fast they come
}

// NewTraffic returns an empty one.
func NewTraffic(shows Shower) *Traffic { return &Traffic{shows: shows, now: time.Now} }

// Calls returns the latest calls, the newest first.
func (t *Traffic) Calls() []Call {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]Call, len(t.calls))
	for i, c := range t.calls {
		out[len(out)-1-i] = *c
	}
	return out
}

// Clients returns who is connected, and who called over HTTP lately; the last caller first.
func (t *Traffic) Clients() []Client {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]Client, len(t.clients))
	for i, c := range t.clients {
		out[i] = *c
	}
	slices.SortStableFunc(out, func(a, b Client) int { return b.Last.Compare(a.Last) })
	return out
}

// began notes a call.
func (t *Traffic) began(by Asking, method string, params Params) *Call {
	if t == nil {
		return nil
	}
	known, text := t.shows.Shown(method, params)
	if !known {
		method, text = "", ""
	}
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	who := t.clientLocked(by, now)
	who.Calls++
	who.Last = now
	return t.noteLocked(Call{At: now, Who: by.Who, Via: by.Via, From: by.From, Method: method, Params: text})
}

// noteLocked adds a call, or counts it with the one before it.
func (t *Traffic) noteLocked(c Call) *Call {
	c.Count, c.Running = 1, 1
	if n := len(t.calls); n > 0 {
		last := t.calls[n-1]
		if last.Who == c.Who && last.Via == c.Via && last.Method == c.Method && last.Status == c.Status && c.At.Sub(last.At) < flood &&
			!t.shows.Apart(c.Method) {
			last.Count++
			last.Running++
			last.At, last.Params = c.At, c.Params
			return last
		}
	}
	t.calls = append(t.calls, &c)
	if len(t.calls) > mostCalls {
		t.calls = slices.Delete(t.calls, 0, len(t.calls)-mostCalls)
	}
	return &c
}

// ended notes how a call ended.
func (t *Traffic) ended(c *Call, f *wireFault) {
	if t == nil {
		return
	}
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Running--
	c = t.endsAsLocked(c, f)
	c.Took = now.Sub(c.At)
	if c.Fault, c.Message = "", ""; f != nil {
		c.Fault = f.Name
		if c.Params != walletapi.Hidden { // a message may quote what is hidden
			c.Message = f.message
		}
	}
}

// endsAsLocked is the row for a call that ends so: its own where those that it stands with ended otherwise.
func (t *Traffic) endsAsLocked(c *Call, f *wireFault) *Call {
	ended, fault := c.Count-c.Running-1, ""
	if f != nil {
		fault = f.Name
	}
	if ended == 0 || c.Fault == fault {
		return c
	}
	at := slices.Index(t.calls, c)
	if at < 0 {
		return c // it is forgotten
	}
	c.Count--
	for _, next := range t.calls[at+1:] {
		if next.split == c && next.Fault == fault {
			next.Count++
			return next
		}
	}
	own := *c
	own.Count, own.Running, own.Fault, own.split = 1, 0, fault, c
	t.calls = slices.Insert(t.calls, at+1, &own)
	return &own
}

// refused notes a request that was turned away before anything of it was executed.
func (t *Traffic) refused(by Asking, no *refusal) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.noteLocked(Call{At: t.now(), Via: by.Via, From: by.From, Status: no.status})
	c.Running, c.Message = 0, no.fault.message
}

// arrived notes a websocket and returns its number.
func (t *Traffic) arrived(by Asking) uint64 {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	t.addLocked(&Client{Number: t.number, Who: by.Who, Via: by.Via, From: by.From, Open: true, First: t.now(), Last: t.now()})
	return t.number
}

// left takes a websocket off the list.
func (t *Traffic) left(number uint64) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clients = slices.DeleteFunc(t.clients, func(c *Client) bool { return c.Number == number })
}

// clientLocked finds who calls; one that comes over HTTP is known by name and address.
func (t *Traffic) clientLocked(by Asking, now time.Time) *Client {
	for _, c := range t.clients {
		if c.Number == by.session && by.session != 0 ||
			by.session == 0 && !c.Open && c.Who == by.Who && c.Via == by.Via && c.From == by.From {
			return c
		}
	}
	t.number++
	c := &Client{Number: t.number, Who: by.Who, Via: by.Via, From: by.From, First: now, Last: now}
	t.addLocked(c)
	return c
}

// addLocked adds a client; of too many, those that called longest ago and are not connected are forgotten.
func (t *Traffic) addLocked(c *Client) {
	t.clients = append(t.clients, c)
	for len(t.clients) > mostClients {
		oldest := slices.IndexFunc(t.clients, func(c *Client) bool { return !c.Open })
		if oldest < 0 {
			return
		}
		t.clients = slices.Delete(t.clients, oldest, oldest+1)
	}
}
