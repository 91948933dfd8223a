package attack

import (
	"crypto/tls"
	"time"
)

// Target is the server that is attacked.
type Target struct {
	HTTP, WS    string        // "host:port"; "" = not listened on
	TLS         *tls.Config   // nil = no encryption
	Token       string        // one that may call is_locked; "" = the server asks for none
	Revoked     string        // one that was good once
	Narrow      string        // one that may not call is_locked
	Keys        string        // one whose scope lets it export and import keys and set the password
	KeysOpen    string        // why nothing guards those, when there is no such token
	Reader      string        // one for the group Accounts
	Waits       string        // request key of a payment that stays on its way; "" = there is none
	Connections int           // connections that a flood opens; default 2200, more than a listener holds
	Patience    time.Duration // the longest the server may put up with a slow client; default 45 s
}

// Outcome is how an attack ended.
type Outcome int

// The outcomes.
const (
	Refused   Outcome = iota
	Succeeded         // the server did what it should not
	Skipped           // it cannot be tried on this server
)

// Finding is the outcome of one attack on one port.
type Finding struct {
	Attack  string // what is tried, in words
	Port    string // "HTTP" or "websocket"
	Outcome Outcome
	Detail  string // what the server did, or why it was skipped
}
