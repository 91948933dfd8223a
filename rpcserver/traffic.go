package rpcserver

import (
	"slices"
	"sync"
	"time"

	"billfold/walletcore/walletapi"
)

// Call is a row of Traffic: one call, or several of one kind in quick succession.
type Call struct {
	At      time.Time
	Who     string // the principal's name; "" for a request that was refused
	Via     string
	From    string // the address of another machine; "" for this one
	Method  string // "" if there is no such operation
	Params  string // as far as they may be shown
	Count   int    // how many calls this row stands for
	Running int    // how many of these still run
	Took    time.Duration
	Fault   string // the name of the error; "" = none
	Message string // the error's message to the client
	Status  int    // the HTTP status of a request that was refused; 0 otherwise

	split *Call // the row it was split from because it ended differently
}

// Client is a client with its calls.
type Client struct {
	Number         uint64
	Who, Via, From string
	Open           bool // a websocket, which CutOff can end
	Calls          int
	First, Last    time.Time
}

// The limits of Traffic.
const (
	maxCalls    = 500
	maxClients  = 200
	groupWithin = 100 * time.Millisecond // calls of one kind that follow faster than this share a row
)

// Traffic keeps the latest calls and their clients in memory, for a person to watch. A nil Traffic records nothing. It
// may be used by many goroutines.
type Traffic struct {
	redactor Redactor
	now      func() time.Time

	mu      sync.Mutex
	calls   []*Call // the oldest first
	clients []*Client
	number  uint64 // of the newest client
}

// Redactor decides what a person may see of calls.
type Redactor interface {
	VisibleParams(method string, params Params) (known bool, text string) // whether the operation exists, and the text of its parameters
	OneRowPerCall(method string) bool                                     // whether each call gets a row of its own, however fast they come
}

// NewTraffic returns an empty Traffic.
func NewTraffic(redactor Redactor) *Traffic { return &Traffic{redactor: redactor, now: time.Now} }

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

// Clients returns the connected websockets and the latest clients over HTTP, the one that called last first.
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

// callStarted adds a call. The row it returns is for callEnded.
func (t *Traffic) callStarted(by Requester, method string, params Params) *Call {
	if t == nil {
		return nil
	}
	known, text := t.redactor.VisibleParams(method, params)
	if !known {
		method, text = "", ""
	}
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	who := t.clientLocked(by, now)
	who.Calls++
	who.Last = now
	return t.addCallLocked(Call{At: now, Who: by.Who, Via: by.Via, From: by.From, Method: method, Params: text})
}

// addCallLocked adds a row for a call, or counts the call in the latest row if that is of its kind.
func (t *Traffic) addCallLocked(c Call) *Call {
	c.Count, c.Running = 1, 1
	if n := len(t.calls); n > 0 {
		last := t.calls[n-1]
		if last.Who == c.Who && last.Via == c.Via && last.Method == c.Method && last.Status == c.Status &&
			c.At.Sub(last.At) < groupWithin && !t.redactor.OneRowPerCall(c.Method) {
			last.Count++
			last.Running++
			last.At, last.Params = c.At, c.Params
			return last
		}
	}
	t.calls = append(t.calls, &c)
	if len(t.calls) > maxCalls {
		t.calls = slices.Delete(t.calls, 0, len(t.calls)-maxCalls)
	}
	return &c
}

// callEnded records how a call of a row ended.
func (t *Traffic) callEnded(c *Call, f *wireError) {
	if t == nil {
		return
	}
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Running--
	c = t.rowForLocked(c, f)
	c.Took = now.Sub(c.At)
	if c.Fault, c.Message = "", ""; f != nil {
		c.Fault = f.Name
		if c.Params != walletapi.Hidden { // the message may quote a hidden parameter
			c.Message = f.message
		}
	}
}

// rowForLocked returns the row for a call of row c that ended with f: another row if the calls of c ended differently.
func (t *Traffic) rowForLocked(c *Call, f *wireError) *Call {
	ended, fault := c.Count-c.Running-1, ""
	if f != nil {
		fault = f.Name
	}
	if ended == 0 || c.Fault == fault {
		return c
	}
	at := slices.Index(t.calls, c)
	if at < 0 {
		return c // it is no longer kept
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

// requestRefused adds a request that was refused before any of it was executed.
func (t *Traffic) requestRefused(by Requester, no *refusal) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.addCallLocked(Call{At: t.now(), Via: by.Via, From: by.From, Status: no.status})
	c.Running, c.Message = 0, no.fault.message
}

// connected adds a websocket and returns its number.
func (t *Traffic) connected(by Requester) uint64 {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	t.addClientLocked(&Client{Number: t.number, Who: by.Who, Via: by.Via, From: by.From, Open: true, First: t.now(), Last: t.now()})
	return t.number
}

// disconnected removes a websocket.
func (t *Traffic) disconnected(number uint64) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clients = slices.DeleteFunc(t.clients, func(c *Client) bool { return c.Number == number })
}

// clientLocked returns the client of a call, and adds it if it is new. Clients over HTTP are told apart by name and address.
func (t *Traffic) clientLocked(by Requester, now time.Time) *Client {
	for _, c := range t.clients {
		if c.Number == by.session && by.session != 0 ||
			by.session == 0 && !c.Open && c.Who == by.Who && c.Via == by.Via && c.From == by.From {
			return c
		}
	}
	t.number++
	c := &Client{Number: t.number, Who: by.Who, Via: by.Via, From: by.From, First: now, Last: now}
	t.addClientLocked(c)
	return c
}

// addClientLocked adds a client. If there are too many, it drops the oldest that are not connected.
func (t *Traffic) addClientLocked(c *Client) {
	t.clients = append(t.clients, c)
	for len(t.clients) > maxClients {
		oldest := slices.IndexFunc(t.clients, func(c *Client) bool { return !c.Open })
		if oldest < 0 {
			return
		}
		t.clients = slices.Delete(t.clients, oldest, oldest+1)
	}
}
