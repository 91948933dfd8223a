package rpcserver

import (
	"time"
)

// ListenerKind is one of the ways into the server.
type ListenerKind int

// The kinds.
const (
	ListenHTTP ListenerKind = iota
	ListenWebsocket
	ListenSocket
	listenerKinds
)

// String names the kind.
func (d ListenerKind) String() string { return [...]string{"HTTP", "WebSocket", "unix socket"}[d] }

// ListenerState is a listener as it is now.
type ListenerState struct {
	Kind      ListenerKind
	Addr      string // where it listens, or would
	On        bool
	Since     time.Time // on since
	NeedToken bool      // who shows none is turned away
}

// endpoint is where the server listens while it is on, and would otherwise.
type endpoint struct {
	addr      string
	needToken bool
	open      func() (*listener, error)

	on    *listener // nil: off
	since time.Time
	busy  bool // it is being closed
}
