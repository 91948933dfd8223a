package attack

import (
	"crypto/tls"
	"time"
)

// Target is the server to attack.
type Target struct {
	HTTP, WS    string        // "host:port"; "" = no such listener
	TLS         *tls.Config   // nil = no encryption
	Token       string        // a token that may call is_locked; "" = the server requires none
	Revoked     string        // a token that was revoked
	Narrow      string        // a token that may not call is_locked
	Keys        string        // a token whose scope lets it export and import keys and set the password
	KeysOpen    string        // why nothing guards those, if there is no such token
	Reader      string        // a token for the group Accounts
	Waits       string        // request key of a payment that stays pending; "" = none
	Connections int           // connections that a flood opens; default 2200, more than a listener holds
	Patience    time.Duration // how long the server may put up with a slow client; default 45 s
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
	Attack  string // the attack in words
	Port    string // "HTTP" or "websocket"
	Outcome Outcome
	Detail  string // what the server did, or why it was skipped
}
