package api

import (
	"sync"
	"sync/atomic"

	"billfold/ledger"
)

// counter is one of the node's counters. A persistent one survives restarts of the
// node.
type counter struct {
	Name       string `json:"name"`
	Value      int64  `json:"value"`
	LastReset  uint32 `json:"last_reset"` // seconds since 1970, 0 for never
	Persistent bool   `json:"persistent"`
}

// Gauge counts how many of something there are, and remembers the maximum.
type Gauge struct{ now, most atomic.Int64 }

// Enter counts one more.
func (g *Gauge) Enter() {
	n := g.now.Add(1)
	for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
	}
}

// Leave counts one less.
func (g *Gauge) Leave() { g.now.Add(-1) }

// Monitor counts what the chain does not know, and remembers resets.
type Monitor struct {
	Websockets, Posts Gauge
	Broadcasts        atomic.Int64
	started           ledger.Time

	mu    sync.Mutex
	zero  map[string]int64       // values of counters at their last reset
	reset map[string]ledger.Time // of counters
	peers nodeParameters
}

// NewMonitor returns a monitor whose counters start at a time.
func NewMonitor(started ledger.Time) *Monitor {
	return &Monitor{
		started: started, zero: map[string]int64{}, reset: map[string]ledger.Time{}, peers: defaultNodeParameters(),
	}
}

func (m *Monitor) parameters() nodeParameters {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.peers
}

func (m *Monitor) setParameters(p nodeParameters) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.peers = p
}

// nodeParameters are the node's settings for its peers. The sandbox keeps them but
// does not use them.
type nodeParameters struct {
	PeerConnectionRetryTimeout          uint32 `json:"peer_connection_retry_timeout"` // seconds
	DesiredNumberOfConnections          uint32 `json:"desired_number_of_connections"`
	MaximumNumberOfConnections          uint32 `json:"maximum_number_of_connections"`
	MaximumNumberOfBlocksToHandleAtOnce uint32 `json:"maximum_number_of_blocks_to_handle_at_one_time"`
	MaximumNumberOfSyncBlocksToPrefetch uint32 `json:"maximum_number_of_sync_blocks_to_prefetch"`
	MaximumBlocksPerPeerDuringSyncing   uint32 `json:"maximum_blocks_per_peer_during_syncing"`
}

func defaultNodeParameters() nodeParameters {
	return nodeParameters{30, 20, 200, 200, 2000, 200}
}
