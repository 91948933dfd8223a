package rpcserver

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// listener is one port with its HTTP server.
type listener struct {
	net.Listener
	server *http.Server
	ended  atomic.Bool        // it is being closed on purpose: that Serve returns is no failure
	cancel context.CancelFunc // cancels its calls; set when it is served
}

func (l *listener) addr() string {
	if l == nil {
		return ""
	}
	return l.Addr().String()
}

// shutdown waits for the requests of l. Those that outlast ctx are cancelled, and
// have one second to answer so before their connections are closed.
func (l *listener) shutdown(ctx context.Context, cancel context.CancelFunc) {
	if l.server.Shutdown(ctx) == nil {
		return
	}
	cancel()
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	if l.server.Shutdown(last) != nil {
		_ = l.server.Close()
	}
}
