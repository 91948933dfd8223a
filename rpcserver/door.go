package rpcserver

import (
	"context"
	"errors"
	"fmt"
	"net"
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

// doorsOf makes the doors that o names, all of them off. Who comes in by a spare one shows a token.
func (s *Server) doorsOf(o Options, d *dispatcher) {
	spare := o
	spare.AllowAnonymous, spare.BeyondLoopback = false, false
	add := func(kind Door, o Options, addr string, open func(o Options) (*listener, error)) {
		if addr != "" && s.doors[kind] == nil {
			s.doors[kind] = &door{addr: addr, needToken: o.Authenticator != nil && !o.AllowAnonymous,
				open: func() (*listener, error) { return open(o) }}
		}
	}
	upgrade := s.sessions.upgradeAt
	overHTTP := func(addr string) func(o Options) (*listener, error) {
		return func(o Options) (*listener, error) { return bind(o, addr, &front{dispatch: d}) }
	}
	overWS := func(addr string) func(o Options) (*listener, error) {
		return func(o Options) (*listener, error) {
			return bind(o, addr, &front{dispatch: d, upgrade: upgrade(DoorWebsocket), wsPort: true})
		}
	}
	add(DoorHTTP, o, o.HTTPAddr, overHTTP(o.HTTPAddr))
	add(DoorWebsocket, o, o.WSAddr, overWS(o.WSAddr))
	add(DoorSocket, o, o.Socket, func(o Options) (*listener, error) {
		return bindSocket(o, &front{dispatch: d, upgrade: upgrade(DoorSocket)})
	})
	if o.Authenticator != nil { // without one there are no tokens to be shown
		add(DoorHTTP, spare, o.SpareHTTP, overHTTP(o.SpareHTTP))
		add(DoorWebsocket, spare, o.SpareWS, overWS(o.SpareWS))
	}
}

// openAll opens the doors that are on from the start.
func (s *Server) openAll(o Options) error {
	for kind, addr := range [doorCount]string{o.HTTPAddr, o.WSAddr, o.Socket} {
		if addr == "" {
			continue
		}
		d := s.doors[kind]
		l, err := d.open()
		if err != nil {
			return err
		}
		d.on, d.since = l, time.Now()
	}
	return nil
}

// Doors lists the doors that the options name.
func (s *Server) Doors() []DoorState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []DoorState
	for kind, d := range s.doors {
		if d == nil {
			continue
		}
		state := DoorState{Door: Door(kind), Addr: d.addr, On: d.on != nil, NeedToken: d.needToken}
		if d.on != nil {
			state.Addr, state.Since = d.on.addr(), d.since
		}
		out = append(out, state)
	}
	return out
}

// switchTime is how long calls and websockets may take to end when their door is closed.
const switchTime = 3 * time.Second

// Switch opens or closes a door while the server serves. Closing takes no more calls at once, lets those that run end
// for a moment, and ends its websockets. A door that is as wished already is left alone.
func (s *Server) Switch(kind Door, on bool) error {
	if on {
		return s.openDoor(kind)
	}
	s.mu.Lock()
	d := s.doors[kind]
	if d == nil || d.on == nil || d.busy {
		s.mu.Unlock()
		return nil
	}
	l := d.on
	d.busy = true
	s.mu.Unlock()
	l.ended.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), switchTime)
	defer cancel()
	s.sessions.endOf(ctx, kind, func() { l.shutdown(ctx, l.cancel) })
	l.cancel()
	s.mu.Lock()
	d.on, d.busy = nil, false
	s.mu.Unlock()
	s.log.Info("rpc door closed", "door", kind)
	return nil
}

func (s *Server) openDoor(kind Door) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.doors[kind]
	switch {
	case s.ended || s.calls == nil:
		return errors.New("the server does not run")
	case d == nil:
		return fmt.Errorf("%s has no address", kind)
	case d.busy:
		return fmt.Errorf("%s is being closed; try again in a moment", kind)
	case d.on != nil:
		return nil
	}
	l, err := d.open()
	if err != nil {
		return err
	}
	d.on, d.since = l, time.Now()
	s.sessions.allow(kind)
	s.start(l)
	return nil
}

// start answers what comes to a listener. It is called with s.mu held, while the server runs.
func (s *Server) start(l *listener) {
	var calls context.Context
	calls, l.cancel = context.WithCancel(s.calls)
	l.server.BaseContext = func(net.Listener) context.Context { return calls }
	s.running.Go(func() {
		err := l.server.Serve(l.Listener)
		if !l.ended.Load() {
			select {
			case s.failed <- err:
			default:
			}
		}
	})
	s.log.Info("rpc listening", "address", l.addr())
}
