package daemonclient

import (
	"time"

	"billfold/ledger"
)

// State is the state of the connection to a daemon.
type State int

// The states. All but Online mean that the client keeps trying.
const (
	Connecting State = iota // no attempt has ended yet
	Online
	Offline    // not reached, or the connection was lost
	WrongChain // reached, but of another chain
	Garbage    // what answers there cannot be understood
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

// Status is one consistent reading of the client. URL and the fields below ChainID are those of the daemon in use; if
// there is none, of the one that was used last, or whose error says most.
type Status struct {
	State      State
	URL        string         // without secrets
	ChainID    ledger.ChainID // configured, or taken from the first daemon; zero if neither
	Since      time.Time      // when State last changed
	LastError  string         // why the connection is not up; empty while Online
	LoginFault string         // why there is no login, without addresses and paths; empty if that is not why
	Latency    time.Duration  // the shortest of the latest round trips; zero if not measured yet
	Head       ledger.BlockID // the latest block of this connection; zero before the first
	HeadSeen   time.Time      // when Head arrived
	HeadTime   ledger.Time    // time of the latest head that a probe showed; zero if daemons are not probed
	Condition  Condition      // whether the daemon in use can be relied on; it follows the facts within 2 s
	HeadAge    time.Duration  // decides the two below; zero if daemons are not probed
	Even       bool           // its blocks keep coming, all of one age: a daemon that lacks none, and clocks that differ
	Lagging    bool           // the head is older than Config.LagAfter
	Stale      bool           // it is older than Config.StaleAfter, or further ahead than AheadAfter: broadcasts fail with ErrStale
	Lost       uint32         // blocks that the daemon no longer has, until it has as many again
	OwnClock   bool           // a sandbox whose blocks do not follow real time: it is never stale
	Plain      bool           // the address is ws:// beyond this machine: anybody on the way can read and change the traffic
	Pinned     string         // the daemon to prefer; empty if the client chooses
	Daemons    []DaemonStatus // all of them, in the order of the configuration
}

// DaemonStatus is the health of one daemon.
type DaemonStatus struct {
	URL       string // without secrets
	State     State  // WrongChain: refused, and not tried again in a pool of several
	Active    bool   // the one in use
	Plain     bool   // ws:// beyond this machine
	Silent    bool   // it is online, but is not answering at present
	Lied      bool   // it gave a false answer within the last minute
	Since     time.Time
	NextTry   time.Time // when it is dialled again; zero while it is up or being dialled
	LastError string
	Latency   time.Duration  // the shortest of the latest round trips
	Head      ledger.BlockID // zero before the first
	HeadSeen  time.Time
	HeadTime  ledger.Time   // zero if daemons are not probed
	HeadAge   time.Duration // at the time of this reading; negative if the head is in the future
	Lost      uint32        // blocks that it no longer has
	Lagging   bool
	Stale     bool
	OwnClock  bool
	Faults    int // recent failures, decaying by half each minute; rounded
}

// Condition is the most serious thing wrong with the daemon in use.
type Condition int

// The conditions, the most serious last. Frozen and those about the head are known only if daemons are watched (Config.URLs).
const (
	Ready      Condition = iota
	Behind               // its head block is older than Config.LagAfter
	RolledBack           // it has fewer blocks than it had (Status.Lost)
	Ahead                // its head block is in the future; it is trusted with no payment
	TooOld               // its head block is older than Config.StaleAfter; it is trusted with no payment
	Distrusted           // it gave a false answer within the last minute
	Restricted           // it grants this login no broadcasting
	Frozen               // it is connected but answers nothing
	Foreign              // only daemons of another chain can be reached
	LoggedOut            // none is connected; the latest refused the login
	Missing              // none is connected
)

// String returns the condition in lower case.
func (c Condition) String() string {
	names := [...]string{"ready", "behind", "rolled back", "ahead", "stale", "distrusted", "restricted", "frozen", "wrong chain", "login refused", "missing"}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}
