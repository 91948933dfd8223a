package daemonclient

import (
	"context"
	"encoding/json"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// dialer opens connections to one daemon.
type dialer struct {
	cfg     Config
	url     string
	probing bool                  // the connection is probed before it is handed over
	chain   func() ledger.ChainID // the chain that the daemon must belong to; zero when it may be any
	onBlock func(ledger.BlockID)  // gets the daemon's notices of new blocks
}

// connect dials, logs in, checks the chain and, when daemons are probed, takes
// the first probe. On error nothing is left open.
func (d dialer) connect(ctx context.Context) (*conn, probeResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, d.cfg.ConnectTimeout, &timeoutError{after: d.cfg.ConnectTimeout})
	defer cancel()
	socket, w, err := dial(ctx, d.cfg, d.url)
	if err != nil {
		return nil, probeResult{}, err
	}
	cn := openConn(socket, w, d.cfg)
	cn.url = ShownURL(d.url)
	var seen probeResult
	seen.chain, err = d.handshake(ctx, cn)
	if err == nil && d.probing {
		seen, err = probe(ctx, cn, d.cfg)
	}
	if err != nil {
		cn.close(err)
		return nil, probeResult{}, err
	}
	return cn, seen, nil
}

// handshake does what every new connection needs, in the order the daemon wants it.
func (d dialer) handshake(ctx context.Context, cn *conn) (ledger.ChainID, error) {
	started := time.Now()
	if err := d.login(ctx, cn); err != nil {
		return ledger.ChainID{}, err
	}
	cn.latency.Store(int64(max(time.Since(started), 1))) // 0 is not measured
	chain, err := d.checkChain(ctx, cn)
	if err != nil {
		return chain, err
	}
	for _, set := range []Set{History, NetworkBroadcast} {
		// A daemon may offer only some sets: what it denies fails when it is called.
		if _, err := cn.setID(ctx, set); err != nil && !isRemote(err) {
			return chain, err
		}
	}
	return chain, d.followBlocks(ctx, cn)
}

func (d dialer) login(ctx context.Context, cn *conn) error {
	var accepted bool
	err := cn.callInto(ctx, &accepted, Login, "login", d.cfg.User, d.cfg.Password)
	if err == nil && !accepted {
		return ErrLoginRefused
	}
	return err
}

func (d dialer) checkChain(ctx context.Context, cn *conn) (ledger.ChainID, error) {
	var got ledger.ChainID
	if err := cn.callInto(ctx, &got, Database, "get_chain_id"); err != nil {
		return got, err
	}
	if want := d.chain(); want != (ledger.ChainID{}) && want != got {
		return got, &WrongChainError{URL: cn.url, Want: want, Got: got}
	}
	return got, nil
}

// followBlocks asks for a notice at each block.
func (d dialer) followBlocks(ctx context.Context, cn *conn) error {
	number, err := cn.addCallback(callback{notice: func(args json.RawMessage) {
		var ids []ledger.BlockID
		if inspect(args) == nil && codec.Unmarshal(args, &ids) == nil && len(ids) == 1 {
			d.onBlock(ids[0])
		}
	}})
	if err != nil {
		return err
	}
	return cn.callInto(ctx, nil, Database, "set_block_applied_callback", number)
}
