package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/genesis"
	"errors"
	"log/slog"
	"net"
	"time"
)

// DefaultListen and DefaultBlockTime are what the command offers.
const (
	DefaultListen    = "127.0.0.1:8090"
	DefaultBlockTime = 2 * time.Second
)

// Genesis is the start of a chain; see ReadGenesis and DemoGenesis.
type Genesis = genesis.Genesis

// ReadGenesis reads a genesis in the node's own format. The chain id is
// SHA-256 of data.
func ReadGenesis(data []byte) (*Genesis, error) { return genesis.Read(data) }

// Options say how a sandbox runs. The zero value is a demo ledger that listens
// nowhere and makes blocks only on request. Block times are whole seconds and
// always rise, so blocks made faster than one per second run ahead of the clock.
type Options struct {
	Genesis   *Genesis            // nil: the demo, with its first blocks made
	MinerKeys []ledger.PrivateKey // keys that miners of the genesis sign blocks with; the other miners get a built-in one
	Blocks    []*ledger.Block     // of a ledger that began from the same genesis: this one begins behind them; nil: none
	BlockTime time.Duration       // between blocks; 0: only Mine makes them
	Conn      ConnProfile         // how the port feels; the zero value: as it is
	Listen    string              // address such as DefaultListen or "127.0.0.1:0"; "": no listener but the next
	Listener  net.Listener        // takes the place of Listen; the sandbox closes it
	State     string              // file that keeps the ledger; "": it is forgotten at the end
	Hosts     []string            // names beside localhost that requests may call the machine by
	Origins   []string            // of web pages that may call, such as "https://app.example" or LocalPages; nil: none
	Access    *api.Access         // who may use which API sets; nil: everybody, all but network_node
	Now       func() time.Time    // nil: time.Now
	Logger    *slog.Logger        // nil: silent
}

// errBlockTime refuses a time between blocks that cannot be.
var errBlockTime = errors.New("the block time is negative; give a duration such as 2s, or 0 for blocks on demand")
