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
	DaemonConnecting DaemonState = iota // no answer since the start
	DaemonOnline
	DaemonOffline    // lost or never reached; trying again
	DaemonWrongChain // reached, but of another chain: nothing is asked of it
)

// Status holds the state that every screen shows in its header: one consistent reading.
type Status struct {
	vault.Status

	Network             string // "mainnet", "sandbox" or the first digits of the chain id
	Sandbox             bool
	ChainID             ledger.ChainID
	Daemon              DaemonState
	DaemonURL           string
	DaemonError         string // why it is not online; one sentence
	LoginFault          string // why the daemon refused the login, if that is why it is not online; empty otherwise
	Lost                uint32 // blocks that the daemon no longer has, until it has as many again
	Frozen              bool   // the daemon is connected but answers nothing
	Distrusted          bool   // the daemon gave a false answer within the last minute
	Doubt               string // why the daemon's chain may not be the ledger, so that nothing is paid, and how that ends; "" = no doubt
	Plain               bool   // DaemonURL is ws:// beyond this machine: anybody on the way can read and change the traffic
	Latency             time.Duration
	Since               time.Time     // when Daemon last changed
	NextTry             time.Time     // when the next daemon is dialled again; zero while one answers
	Head                uint32        // head block number, 0 when unknown
	HeadTime            ledger.Time   // time of the head block
	Irreversible        uint32        // last irreversible block number proven by the miners' signatures, 0 if none is
	ClaimedIrreversible uint32        // last irreversible block number that the daemon claims, which decides nothing
	StaleBy             time.Duration // how old the head is, which decides Stale; negative in the future
	Stale               bool          // the daemon is too far behind: nothing is paid
	OwnClock            bool          // a sandbox whose blocks do not follow real time: HeadTime has no age

	StoreFault string // what was lost with a lost store; one sentence, empty if none was

	// OwnChanged describes what somebody else changed about an own account and nobody has acknowledged yet; a sentence, usually empty.
	OwnChanged string

	Misregistered string // which accounts others registered with keys other than requested; sentences, usually empty

	// JournalFault is the reason why the wallet spends nothing: its payment journal is missing, an older copy, another wallet's,
	// or unreadable. One sentence, empty if the journal is good.
	JournalFault string
}
