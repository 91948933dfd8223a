package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"billfold/walletcore/store"
)

// storeOpener opens the store of the wallet in folder for writing.
type storeOpener func(ctx context.Context, folder string, log *slog.Logger) (*store.Store, error)

// opener returns how this run opens its store: a server waits for a database that is away, everything else says so and ends.
func (s *settings) opener() storeOpener {
	if s.store == "" || s.sandbox || !s.headless() {
		return s.openStore
	}
	return s.awaitStore
}

// storeRetryEvery is the time between two attempts to reach the store at the start.
const storeRetryEvery = time.Second

// awaitStore is openStore that tries again while the database does not answer, or does not serve yet. Meanwhile its listeners say
// on /readyz what they wait for: a server that ended instead would be started again by whoever looks after it, and be locked.
func (s *settings) awaitStore(ctx context.Context, folder string, log *slog.Logger) (*store.Store, error) {
	kept, err := s.openStore(ctx, folder, log)
	if !mayComeBack(err) {
		return kept, err
	}
	waiting, err2 := s.listenWaiting(log)
	if err2 != nil {
		return nil, err2
	}
	defer waiting.close()
	for log.Warn("store: the store that the servers share is waited for, and nothing is answered before but /healthz and /readyz", "error", err,
		"listening", waiting.addresses); mayComeBack(err); kept, err = s.openStore(ctx, folder, log) {
		select {
		case <-time.After(storeRetryEvery):
		case <-ctx.Done():
			return nil, err
		}
	}
	if err == nil {
		log.Warn("store: the store is there")
	}
	return kept, err
}

// mayComeBack reports whether err is that of a store that may be there in a moment without anybody's doing.
func mayComeBack(err error) bool {
	away, is := errors.AsType[*store.AwayError](err)
	return is && (!away.Refuses || away.Passing)
}

// waitingServer answers on the listeners of a server that cannot begin yet.
type waitingServer struct {
	addresses []string
	servers   []*http.Server
}

// listenWaiting opens the listeners that the settings name, those of a socket aside: nobody asks there whether a server is ready.
func (s *settings) listenWaiting(log *slog.Logger) (*waitingServer, error) {
	w := &waitingServer{}
	var config *tls.Config
	if s.rpcTLS || s.tlsCert != "" {
		own, err := s.identity()
		if err != nil {
			return nil, err
		}
		config = own.Config()
	}
	for _, address := range []string{s.rpcHTTP, s.rpcWS} {
		if address == "" {
			continue
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			w.close()
			return nil, err
		}
		w.addresses = append(w.addresses, l.Addr().String())
		if config != nil {
			l = tls.NewListener(l, config)
		}
		server := &http.Server{Handler: http.HandlerFunc(answerWaiting), ReadHeaderTimeout: time.Second, ReadTimeout: 2 * time.Second,
			WriteTimeout: 2 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
		w.servers = append(w.servers, server)
		go func() { _ = server.Serve(l) }() // until it is closed
	}
	return w, nil
}

func answerWaiting(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Connection", "close") // so that the next request meets the server itself
	if r.URL.Path == "/healthz" {
		_, _ = io.WriteString(w, "ok\n")
		return
	}
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, "not ready: the store that the servers share does not answer, and this server begins once it does\n")
}

func (w *waitingServer) close() {
	for _, server := range w.servers {
		_ = server.Close()
	}
}
