package walletcore

import (
	"time"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

// DaemonState is whether the ledger can be asked.
type DaemonState int

// The daemon states.
const (
	DaemonConnecting DaemonState = iota // no answer yet since the start
	DaemonOnline
	DaemonOffline    // was or was not reached; trying again
	DaemonWrongChain // reached, but of another chain: nothing is asked of it
)

// Status is what every screen shows in its header: one consistent reading.
type Status struct {
	vault.Status

	Network      string // "mainnet", "sandbox" or the first digits of the chain id
	Sandbox      bool
	ChainID      ledger.ChainID
	Daemon       DaemonState
	DaemonURL    string
	DaemonError  string // why it is not online; one sentence
	Lost         uint32 // blocks that the daemon had and does not have any more, until it has as many again
	Frozen       bool   // the daemon is connected and answers nothing
	Distrusted   bool   // the daemon gave a false answer within the last minute
	Plain        bool   // DaemonURL is ws:// beyond this machine: anybody on the way can read and change what is said
	Latency      time.Duration
	Since        time.Time     // since when Daemon holds
	NextTry      time.Time     // when the next daemon is dialled again; zero while one answers
	Head         uint32        // head block number, 0 when unknown
	HeadTime     ledger.Time   // time of the head block
	Irreversible uint32        // last irreversible block number that the miners' signatures prove, 0 when none is
	NodesWord    uint32        // last irreversible block number by the daemon's word, which decides nothing
	StaleBy      time.Duration // how old the head is by which Stale is decided; negative in the future
	Stale        bool          // the daemon is too far behind: payments wait
	OwnClock     bool          // a sandbox whose blocks do not follow this world's time: HeadTime has no age

	StoreFault string // what is forgotten with a store that was lost; one sentence, empty when it is there

	Misregistered string // which accounts others registered with other keys than they were asked for; sentences, mostly empty

	// JournalFault is why the wallet spends nothing: its payment journal is missing, an older copy,
	// another's or cannot be read. One sentence, empty when the journal is good.
	JournalFault string
}
