package rpcserver

import (
	"time"
)

// Door is a way into the server.
type Door int

// The doors.
const (
	DoorHTTP Door = iota
	DoorWebsocket
	DoorSocket
	doorCount
)

// String names the door.
func (d Door) String() string { return [...]string{"HTTP", "WebSocket", "unix socket"}[d] }

// DoorState is a door as it is now.
type DoorState struct {
	Door      Door
	Addr      string // where it listens, or would
	On        bool
	Since     time.Time // on since
	NeedToken bool      // who shows none is turned away
}

// door is one way in, on or off.
type door struct {
	addr      string
	needToken bool
	open      func() (*listener, error)

	on    *listener // nil: off
	since time.Time
	busy  bool // it is being closed
}
