package daemonclient

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"

	"github.com/gorilla/websocket"
)

// dialer opens connections to one daemon.
type dialer struct {
	cfg     Config
	url     string
	probing bool                  // the connection is probed before it is handed over
	chain   func() ledger.ChainID // the chain that the daemon must belong to; zero if any will do
	onBlock func(ledger.BlockID)  // receives the daemon's notices of new blocks
}

// connect dials, logs in, checks the chain and, if daemons are probed, makes the first probe. On error nothing is left open.
func (d dialer) connect(ctx context.Context) (*conn, probeResult, error) {
	cn, err := d.open(ctx)
	if err != nil {
		return nil, probeResult{}, err
	}
	limited, cancel := d.limit(ctx)
	defer cancel()
	seen, err := d.handshake(limited, cn)
	if err != nil {
		err = d.explainTimeout(cn, err)
		cn.close(err)
		return nil, probeResult{}, err
	}
	return cn, seen, nil
}

func (d dialer) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d.cfg.ConnectTimeout, &timeoutError{after: d.cfg.ConnectTimeout})
}

func (d dialer) open(ctx context.Context) (*conn, error) {
	ctx, cancel := d.limit(ctx)
	defer cancel()
	socket, w, err := dial(ctx, d.cfg, d.url)
	if err != nil {
		return nil, err
	}
	cn := openConn(socket, w, d.cfg)
	cn.url = ShownURL(d.url)
	return cn, nil
}

// explainTimeout returns err, or if the daemon was still answering when the time ran out, an error that calls it slow.
func (d dialer) explainTimeout(cn *conn, err error) error {
	_, late := errors.AsType[*timeoutError](err)
	quiet := time.Since(cn.lastAnswer(time.Time{}))
	if !late || cn.roundTrip() == 0 || quiet >= d.cfg.AnswerTimeout+cn.roundTrip() {
		return err
	}
	return fmt.Errorf("it answers, but a call takes %v, so connecting did not finish within %v",
		cn.roundTrip().Round(time.Second), d.cfg.ConnectTimeout)
}

// handshake does what every new connection needs in three round trips: the login, the numbers of the sets that it
// grants, and everything that can be asked once those are known.
func (d dialer) handshake(ctx context.Context, cn *conn) (probeResult, error) {
	if err := d.login(ctx, cn); err != nil {
		return probeResult{}, err
	}
	sets, err := cn.sendAll(ctx, cn.enableRequest(Database), cn.enableRequest(History), cn.enableRequest(NetworkBroadcast))
	if err == nil {
		_, err = cn.await(ctx, sets[0], 0)
	}
	if remote, is := errors.AsType[*RemoteError](err); is && remote.Code == codeSetDenied {
		return probeResult{}, &LoginError{Why: "the daemon lets this login read nothing"}
	}
	if err != nil {
		return probeResult{}, err
	}
	return d.askRest(ctx, cn, sets[1], sets[2])
}

// askRest asks everything else at once and checks the chain first: a daemon of another chain is reported as such,
// whatever else is wrong with it, and none of its blocks is announced.
func (d dialer) askRest(ctx context.Context, cn *conn, history, broadcast *call) (seen probeResult, err error) {
	blocks := &gate{onBlock: d.onBlock}
	follow, err := blocks.request(cn)
	if err != nil {
		return seen, err
	}
	asked, err := cn.sendAll(ctx, newDecodedRequest(Database, "get_chain_id", &seen.chain), follow)
	if err != nil {
		return seen, err
	}
	first := runningProbe{cn: cn, cfg: d.cfg}
	if d.probing {
		if err := first.ask(ctx); err != nil {
			return seen, err
		}
	}
	if err := d.checkChain(ctx, cn, asked[0], &seen.chain); err != nil {
		return seen, err
	}
	blocks.open()
	if err := d.awaitRest(ctx, cn, history, broadcast, asked[1]); err != nil || !d.probing {
		return seen, err
	}
	return first.result(ctx)
}

// awaitRest awaits the sets and the subscription to blocks.
func (d dialer) awaitRest(ctx context.Context, cn *conn, history, broadcast, blocks *call) error {
	// A daemon may offer only some sets: calls of a set that it denies fail later.
	if _, err := cn.await(ctx, history, 0); err != nil && !isRemote(err) {
		return err
	}
	_, err := cn.await(ctx, broadcast, 0)
	if cn.restricted = isRemote(err); err != nil && !cn.restricted {
		return err
	}
	_, err = cn.await(ctx, blocks, 0)
	return err
}

func (d dialer) login(ctx context.Context, cn *conn) error {
	var accepted bool
	var user User
	if d.cfg.User != nil {
		var err error
		if user, err = d.cfg.User(d.url); err != nil {
			return &LoginError{"the file with the password cannot be read", err}
		}
	}
	r, err := newRequest(Login, "login", []any{user.Name, user.Password})
	if err != nil {
		return err
	}
	r.timed = true
	r.accept = func(result json.RawMessage) error { return decode(result, &accepted) }
	if _, err = cn.do(ctx, r); err == nil && !accepted {
		return &LoginError{Why: "the daemon does not know this user or password"}
	}
	return err
}

func (d dialer) checkChain(ctx context.Context, cn *conn, asked *call, got *ledger.ChainID) error {
	if _, err := cn.await(ctx, asked, 0); err != nil {
		return err
	}
	if want := d.chain(); want != (ledger.ChainID{}) && want != *got {
		return &WrongChainError{URL: cn.url, Want: want, Got: *got}
	}
	return nil
}

// gate holds back the notices of blocks until it is open.
type gate struct {
	onBlock func(ledger.BlockID)

	mu     sync.Mutex
	opened bool
	held   []ledger.BlockID // the latest
}

// maxHeld is more blocks than arrive while a connection is being set up.
const maxHeld = 16

// request returns the request for a notice at each block.
func (g *gate) request(cn *conn) (request, error) {
	number, err := cn.addCallback(callback{notice: func(args json.RawMessage) {
		var ids []ledger.BlockID
		if inspect(args) == nil && codec.Unmarshal(args, &ids) == nil && len(ids) == 1 {
			g.pass(ids[0])
		}
	}})
	if err != nil {
		return request{}, err
	}
	return newRequest(Database, "set_block_applied_callback", []any{number})
}

func (g *gate) pass(id ledger.BlockID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened {
		g.onBlock(id)
		return
	}
	g.held = append(g.held[max(0, len(g.held)+1-maxHeld):], id)
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range g.held {
		g.onBlock(id)
	}
	g.opened, g.held = true, nil
}

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
		return nil, nil, garbage("the program at that address uses a websocket extension that was not offered")
	}
	if err != nil {
		return nil, nil, dialError(ctx, err)
	}
	return conn, w, nil
}

// dialError returns an error that describes why no websocket was opened.
func dialError(ctx context.Context, err error) error {
	var network net.Error
	var lookup *net.DNSError
	var op *net.OpError
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
		return garbage("the program at that address does not speak websocket")
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("no program listens at that address: %w", syscall.ECONNREFUSED)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // as a daemon does when it stops or restarts
		return fmt.Errorf("it hung up while the connection was being opened: %w", err)
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return errors.New("no machine has that name")
	case errors.As(err, &lookup):
		return errors.New("its name could not be looked up")
	case errors.As(err, &op): // without addresses and ports, which are in the message already
		return fmt.Errorf("it cannot be reached: %w", op.Err)
	case errors.As(err, &network):
		return fmt.Errorf("it cannot be reached: %w", err)
	}
	return garbage("the connection could not be opened: %s", cleanText(err.Error()))
}
