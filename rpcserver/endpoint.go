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

	listenMetrics = listenerKinds // has no calls, and is not listed
)

// String names the kind.
func (d ListenerKind) String() string { return [...]string{"HTTP", "WebSocket", "unix socket"}[d] }

// ListenerState is the current state of a listener.
type ListenerState struct {
	Kind      ListenerKind
	Addr      string // where it listens, or would if it were on
	On        bool
	Since     time.Time // on since
	NeedToken bool      // requests without a token are refused
}

// endpoint is a listener that the options name, whether it is on or off.
type endpoint struct {
	addr      string
	needToken bool
	open      func() (*listener, error)

	on    *listener // nil = off
	since time.Time // on since
	busy  bool      // it is being closed
}
