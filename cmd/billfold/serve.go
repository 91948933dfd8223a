package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"billfold/rpcserver"
	"billfold/tui"
)

// newServer opens the listeners that the settings name.
func (p *program) newServer() (*rpcserver.Server, error) {
	s := p.settings
	server, err := rpcserver.New(rpcserver.Options{
		HTTPAddr: s.rpcHTTP, WSAddr: s.rpcWS, BeyondLoopback: s.exposed,
		AllowedHosts: s.hosts, AllowedOrigins: s.origins, Caller: p.caller(),
	})
	if errors.Is(err, rpcserver.ErrBeyondLoopback) {
		return nil, fmt.Errorf("%w; --rpc-insist-beyond-loopback listens there all the same", err)
	}
	return server, err
}

func (p *program) caller() rpcserver.Caller {
	return rpcserver.CallerFunc(func(ctx context.Context, method string, params rpcserver.Params) (json.RawMessage, error) {
		return p.api.Call(ctx, method, params)
	})
}

// serve runs the listeners without a UI until ctx ends.
func (p *program) serve(ctx context.Context, out io.Writer) error {
	server, err := p.newServer()
	if err != nil {
		return err
	}
	for _, l := range listeners(server) {
		fmt.Fprintf(out, "wallet API over %s on %s\n", l.Name, l.Addr)
	}
	p.announce(out)
	err = server.Serve(ctx)
	fmt.Fprintln(out, "all calls are answered, the wallet is locked")
	return err
}

// announce says which ledger the wallet uses and how to unlock it.
func (p *program) announce(out io.Writer) {
	if p.box != nil {
		fmt.Fprintf(out, "sandbox: play money, locked; unlock with the password %q\n", sandboxPassword)
		return
	}
	fmt.Fprintf(out, "daemon %s; wallet %s\n", p.settings.daemonURL, p.settings.keystorePath())
}

func listeners(s *rpcserver.Server) []tui.Listener {
	var list []tui.Listener
	if addr := s.HTTPAddr(); addr != "" {
		list = append(list, tui.Listener{Name: "HTTP", Addr: "http://" + addr + "/rpc"})
	}
	if addr := s.WSAddr(); addr != "" {
		list = append(list, tui.Listener{Name: "websocket", Addr: "ws://" + addr})
	}
	return list
}
