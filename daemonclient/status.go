package daemonclient

import (
	"time"

	"billfold/ledger"
)

// State is whether the daemon can be asked.
type State int

// The states. All but Online mean that the client keeps trying.
const (
	Connecting State = iota // no attempt has ended yet
	Online
	Offline    // not reached, or lost
	WrongChain // reached, but of another chain
	Garbage    // something answers there that is not understood
)

// String returns the state in lower case.
func (s State) String() string {
	switch s {
	case Connecting:
		return "connecting"
	case Online:
		return "online"
	case Offline:
		return "offline"
	case WrongChain:
		return "wrong chain"
	case Garbage:
		return "garbage"
	}
	return "unknown"
}

// Status is one consistent reading of the client. URL and what stands below
// ChainID are those of the daemon in use; when there is none, of the one that
// was used last, or whose reason says most.
type Status struct {
	State     State
	URL       string         // without secrets
	ChainID   ledger.ChainID // expected, or remembered from the first daemon; zero when neither
	Since     time.Time      // since when State holds
	LastError string         // why the connection is not up; empty while Online
	Latency   time.Duration  // the shortest of the latest round trips; zero when not measured yet
	Head      ledger.BlockID // the latest block this connection told of; zero before the first
	HeadSeen  time.Time      // when it told
	HeadTime  ledger.Time    // of the latest head that a probe showed; zero when daemons are not probed
	Condition Condition      // whether the daemon in use can be relied on; it changes within 2 s of what happens
	HeadAge   time.Duration  // by which the two below are decided; zero when daemons are not probed
	Lagging   bool           // the head is older than Config.LagAfter
	Stale     bool           // older than Config.StaleAfter, or further ahead than AheadAfter: broadcasts fail with ErrStale
	Lost      uint32         // blocks that the daemon had and does not have any more, until it has as many again
	OwnClock  bool           // a sandbox whose blocks do not follow this world's time: it is never stale
	Plain     bool           // the address is ws:// beyond this machine: anybody on the way can read and change what is said
	Pinned    string         // the daemon to prefer; empty when the client chooses
	Daemons   []DaemonStatus // all of them, in the order of the configuration
}

// DaemonStatus is the health of one daemon.
type DaemonStatus struct {
	URL       string // without secrets
	State     State  // WrongChain: refused, and in a pool of several not tried again
	Active    bool   // the one in use
	Plain     bool   // ws:// beyond this machine
	Silent    bool   // it is online, but does not answer at present
	Lied      bool   // it gave a false answer within the last minute
	Since     time.Time
	NextTry   time.Time // when it is dialled again; zero while it is up or being dialled
	LastError string
	Latency   time.Duration  // the shortest of the latest round trips
	Head      ledger.BlockID // zero before the first
	HeadSeen  time.Time
	HeadTime  ledger.Time   // zero when daemons are not probed
	HeadAge   time.Duration // at the time of this reading; negative when the head lies in the future
	Lost      uint32        // blocks that it had and does not have any more
	Lagging   bool
	Stale     bool
	OwnClock  bool
	Faults    int // failures, fading by half each minute; rounded
}
