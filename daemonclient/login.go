package daemonclient

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// Set names an API set of the daemon, as login_api enables it (daemon-api 3).
type Set string

// The sets. Database, History and NetworkBroadcast are enabled on connecting,
// the others when first called.
const (
	Login            Set = "login"
	Database         Set = "database"
	History          Set = "history"
	NetworkBroadcast Set = "network_broadcast"
	NetworkNode      Set = "network_node"
	Crypto           Set = "crypto"
	Messaging        Set = "messaging"
	Monitoring       Set = "monitoring"
)

// loginSetID is the number of login_api on every connection.
const loginSetID = 1

// connect dials, logs in, checks the chain and, when heads are watched, takes
// the first probe. On error nothing is left open.
func (c *Client) connect(ctx context.Context, n *node) (*conn, probeResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.ConnectTimeout, &timeoutError{after: c.cfg.ConnectTimeout})
	defer cancel()
	conn, w, err := dial(ctx, c.cfg, n.url)
	if err != nil {
		return nil, probeResult{}, err
	}
	cn := openConn(conn, w, c.cfg)
	cn.url = n.shown
	var seen probeResult
	seen.chain, err = c.handshake(ctx, n, cn)
	if err == nil && c.probing {
		seen, err = c.probe(ctx, cn)
	}
	if err != nil {
		cn.close(err)
		return nil, probeResult{}, err
	}
	return cn, seen, nil
}

// dial opens the websocket over a wire of ours.
func dial(ctx context.Context, cfg Config, address string) (*websocket.Conn, *wire, error) {
	var w *wire
	dialer := websocket.Dialer{
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
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
		conn.Close() // compressed frames, which nobody asked for: a few bytes could become very many
		return nil, nil, garbage("what listens there uses a websocket extension that was not offered")
	}
	if err != nil {
		return nil, nil, dialError(ctx, err)
	}
	return conn, w, nil
}

// dialError says in words why no websocket came about.
func dialError(ctx context.Context, err error) error {
	var network net.Error
	var pinned *FingerprintError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrGarbage):
		return err
	case errors.As(err, &pinned):
		return pinned
	case errors.As(err, &certificate):
		return fmt.Errorf("its certificate is not trusted: %w", certificate.Err)
	case errors.Is(err, websocket.ErrBadHandshake):
		return garbage("what listens there does not speak websocket")
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing listens there: %w", syscall.ECONNREFUSED)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &network):
		return fmt.Errorf("it cannot be reached: %w", err)
	}
	return garbage("the connection could not be opened: %s", cleanText(err.Error()))
}

// handshake does what every new connection needs, in the order the daemon wants it.
func (c *Client) handshake(ctx context.Context, n *node, cn *conn) (ledger.ChainID, error) {
	started := time.Now()
	if err := c.login(ctx, cn); err != nil {
		return ledger.ChainID{}, err
	}
	cn.latency.Store(int64(time.Since(started)))
	chain, err := c.checkChain(ctx, cn)
	if err != nil {
		return chain, err
	}
	for _, set := range []Set{History, NetworkBroadcast} {
		// A daemon may offer only some sets: what it denies fails when it is called.
		if _, err := cn.setID(ctx, set); err != nil && !isRemote(err) {
			return chain, err
		}
	}
	return chain, c.followBlocks(ctx, n, cn)
}

func isRemote(err error) bool {
	var remote *RemoteError
	return errors.As(err, &remote)
}

func (c *Client) login(ctx context.Context, cn *conn) error {
	var accepted bool
	err := cn.callInto(ctx, &accepted, Login, "login", c.cfg.User, c.cfg.Password)
	if err == nil && !accepted {
		return ErrLoginRefused
	}
	return err
}

func (c *Client) checkChain(ctx context.Context, cn *conn) (ledger.ChainID, error) {
	var got ledger.ChainID
	if err := cn.callInto(ctx, &got, Database, "get_chain_id"); err != nil {
		return got, err
	}
	if want := c.chain(); want != (ledger.ChainID{}) && want != got {
		return got, &WrongChainError{URL: cn.url, Want: want, Got: got}
	}
	return got, nil
}

// followBlocks asks for a notice at each block.
func (c *Client) followBlocks(ctx context.Context, n *node, cn *conn) error {
	number, err := cn.addCallback(callback{notice: func(args json.RawMessage) {
		var ids []ledger.BlockID
		if inspect(args) == nil && codec.Unmarshal(args, &ids) == nil && len(ids) == 1 {
			c.blockApplied(n, ids[0])
		}
	}})
	if err != nil {
		return err
	}
	return cn.callInto(ctx, nil, Database, "set_block_applied_callback", number)
}

// callInto makes a call over this connection and decodes its result.
func (cn *conn) callInto(ctx context.Context, out any, set Set, method string, params ...any) error {
	r, err := newRequest(set, method, params)
	if err != nil {
		return err
	}
	if out != nil {
		r.accept = func(result json.RawMessage) error { return decode(result, out) }
	}
	_, err = cn.do(ctx, r)
	return err
}
