package main

import (
	"context"
	"sync"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/certificate"
	"billfold/rpcserver/auth/token"
	"billfold/rpcserver/events"
)

// service is the RPC server with what it needs besides the wallet.
type service struct {
	*rpcserver.Server
	identity  *certificate.Identity // nil without TLS
	tokens    *token.Store
	tokenAuth *token.Authenticator
	events    *events.Publisher
	traffic   *rpcserver.Traffic // nil without the UI

	startEvents func() // starts publishing events, once the first listener is on
}

// Serve serves until ctx ends, and ends the publishing of events.
func (v *service) Serve(ctx context.Context) error {
	eventsCtx, cancel := context.WithCancel(ctx)
	var publishing sync.WaitGroup
	v.startEvents = sync.OnceFunc(func() { publishing.Go(func() { v.events.Run(eventsCtx) }) })
	if len(listeners(v)) > 0 {
		v.startEvents()
	}
	err := v.Server.Serve(ctx)
	cancel()
	publishing.Wait()
	return err
}

// switchListener opens or closes a listener.
func (v *service) switchListener(kind rpcserver.ListenerKind, on bool) error {
	if err := v.Switch(kind, on); err != nil {
		return err
	}
	if on { // Switch fails unless Serve runs, so follow is set
		v.startEvents()
	}
	return nil
}

// url returns the address of a listener in the form that clients use.
func (v *service) url(kind rpcserver.ListenerKind, addr string) string {
	s := ""
	if v.identity != nil {
		s = "s"
	}
	switch kind {
	case rpcserver.ListenHTTP:
		return "http" + s + "://" + addr + "/rpc"
	case rpcserver.ListenWebsocket:
		return "ws" + s + "://" + addr
	case rpcserver.ListenSocket: // a path
	}
	return addr
}

func (v *service) metricsURL(addr string) string {
	if v.identity != nil {
		return "https://" + addr + "/metrics"
	}
	return "http://" + addr + "/metrics"
}

// listener is a listener that is on.
type listener struct{ Name, Addr string }

func listeners(v *service) []listener {
	var list []listener
	if addr := v.HTTPAddr(); addr != "" {
		list = append(list, listener{"HTTP", v.url(rpcserver.ListenHTTP, addr)})
	}
	if addr := v.WSAddr(); addr != "" {
		list = append(list, listener{"websocket", v.url(rpcserver.ListenWebsocket, addr)})
	}
	if path := v.Socket(); path != "" {
		list = append(list, listener{"unix socket", path})
	}
	return list
}
