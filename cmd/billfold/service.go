package main

import (
	"context"
	"sync"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/certificate"
	"billfold/rpcserver/auth/token"
	"billfold/rpcserver/events"
)

// service is the RPC server with what it needs beside the wallet.
type service struct {
	*rpcserver.Server
	identity *certificate.Identity // nil without TLS
	tokens   *token.Store
	events   *events.Publisher
	traffic  *rpcserver.Traffic // nil without the UI

	follow func() // what is published follows the wallet, from the first listener on
}

// Serve serves until ctx ends and closes what belongs to the server.
func (v *service) Serve(ctx context.Context) error {
	told, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	v.follow = sync.OnceFunc(func() { following.Go(func() { v.events.Run(told) }) })
	if len(listeners(v)) > 0 {
		v.follow()
	}
	err := v.Server.Serve(ctx)
	cancel()
	following.Wait()
	return err
}

// switchListener opens or closes a listener.
func (v *service) switchListener(kind rpcserver.ListenerKind, on bool) error {
	if err := v.Switch(kind, on); err != nil {
		return err
	}
	if on { // it serves, so that there is something to follow
		v.follow()
	}
	return nil
}

// url is the address of a listener, as clients write it.
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

// listener is one that is on.
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
