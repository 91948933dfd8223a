package daemonclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/gorilla/websocket"
)

// dial opens the websocket over a wire of our own.
func dial(ctx context.Context, cfg Config, address string) (*websocket.Conn, *wire, error) {
	var w *wire
	dialer := websocket.Dialer{
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := cfg.Dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			w = newWire(conn)
			return w, nil
		},
		Proxy:           http.ProxyFromEnvironment,
		TLSClientConfig: cfg.TLS,
		ReadBufferSize:  wireBuffer,
		WriteBufferSize: wireBuffer,
	}
	conn, response, err := dialer.DialContext(ctx, address, nil)
	if response != nil && response.Body != nil {
		response.Body.Close()
	}
	if err == nil && response.Header.Get("Sec-WebSocket-Extensions") != "" {
		conn.Close() // compressed frames, which were not offered: a few bytes could become very many
		return nil, nil, garbage("what listens there uses a websocket extension that was not offered")
	}
	if err != nil {
		return nil, nil, dialError(ctx, err)
	}
	return conn, w, nil
}

// dialError returns an error that describes why no websocket was opened.
func dialError(ctx context.Context, err error) error {
	var network net.Error
	var pinned *FingerprintError
	var certificate *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case errors.Is(err, ErrGarbage):
		return err
	case errors.As(err, &pinned):
		return pinned
	case errors.As(err, &certificate):
		return fmt.Errorf("its certificate is not trusted: %w", certificate.Err)
	case errors.As(err, &plain):
		return errors.New("it does not use TLS; check the port, or write ws:// if it is not encrypted")
	case errors.Is(err, websocket.ErrBadHandshake):
		return garbage("what listens there does not speak websocket")
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing listens there: %w", syscall.ECONNREFUSED)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // as a daemon does when it stops or restarts
		return fmt.Errorf("it hung up while the connection was being opened: %w", err)
	case errors.As(err, &network):
		return fmt.Errorf("it cannot be reached: %w", err)
	}
	return garbage("the connection could not be opened: %s", cleanText(err.Error()))
}
