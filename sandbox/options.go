package sandbox

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"billfold/ledger"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/genesis"
)

// DefaultListen and DefaultBlockTime are the command's defaults.
const (
	DefaultListen    = "127.0.0.1:8090"
	DefaultBlockTime = 2 * time.Second
)

// MaxSeeders is the maximum number of seeders of a sandbox.
const MaxSeeders = 50

// Genesis is the start of a chain; see ReadGenesis and DemoGenesis.
type Genesis = genesis.Genesis

// ReadGenesis reads a genesis in the node's own format. The chain id is
// SHA-256 of data.
func ReadGenesis(data []byte) (*Genesis, error) { return genesis.Read(data) }

// Options configure a sandbox. The zero value is a demo ledger that does not
// listen and makes blocks only on request. Block times are whole seconds and
// always rise, so blocks made faster than one per second run ahead of the clock.
type Options struct {
	Genesis   *Genesis            // nil: the demo, including its first blocks
	MinerKeys []ledger.PrivateKey // keys with which miners of the genesis sign blocks; the other miners get a built-in one
	Blocks    []*ledger.Block     // blocks of a ledger with the same genesis, which this one continues; nil: none
	BlockTime time.Duration       // between blocks; 0: only Mine makes them
	Conn      ConnProfile         // how connections behave
	Listen    string              // address such as DefaultListen or "127.0.0.1:0"; "": only Listener, if set
	Listener  net.Listener        // used instead of Listen; the sandbox closes it
	State     string              // file that keeps the ledger; "": it is forgotten at the end
	Seeders   int                 // accounts seeder-1, seeder-2, … that keep content and deliver its keys
	Content   string              // folder that keeps content in place of IPFS; "": beside State, else a temporary one, if there are seeders
	Hosts     []string            // host names besides localhost that requests may use for the machine
	Origins   []string            // of web pages that may call, such as "https://app.example" or LocalPages; nil: none
	Access    *api.Access         // who may use which API sets; nil: everybody may use all except network_node
	Now       func() time.Time    // nil: time.Now
	Logger    *slog.Logger        // nil: silent
}

// errSeeders is the error for a number of seeders that cannot be.
var errSeeders = fmt.Errorf("the number of seeders is 0 to %d", MaxSeeders)

// errBlockTime is the error for a negative time between blocks.
var errBlockTime = errors.New("the block time is negative; give a duration such as 2s, or 0 for blocks on demand")
