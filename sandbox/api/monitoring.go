package api

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
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

var monitoringSet = Set{name: "monitoring", methods: map[string]Method{
	"info": With0(func(*Session) (any, error) { return "monitoring_api", nil }),
	"get_counters": With1(func(s *Session, names []string) (any, error) {
		return counters(s.Node, names), nil
	}),
	"reset_counters": With1(func(s *Session, names []string) (any, error) {
		resetCounters(s.Node, names)
		return nil, nil
	}),
}}

// counters returns the named counters, or all if none is named, in the node's
// order.
func counters(n *Node, names []string) []counter {
	list := countAll(n)
	m := n.Monitor
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := []counter{}
	for _, c := range list {
		if len(names) > 0 && !slices.Contains(names, c.Name) {
			continue
		}
		c.Value -= m.zero[c.Name]
		if at, ok := m.reset[c.Name]; ok {
			c.LastReset = uint32(at)
		} else if !c.Persistent {
			c.LastReset = uint32(m.started)
		}
		kept = append(kept, c)
	}
	return kept
}

// resetCounters sets the named counters, or all if none is named, to zero.
func resetCounters(n *Node, names []string) {
	list, now := countAll(n), n.Identity.Now()
	m := n.Monitor
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range list {
		if len(names) == 0 || slices.Contains(names, c.Name) {
			m.zero[c.Name], m.reset[c.Name] = c.Value, now
		}
	}
}

// countAll returns all counters since the start. Those of connections between
// nodes are zero: the sandbox has no peers.
func countAll(n *Node) []counter {
	var blocks, transactions int64
	n.Chain.View(func(st *state.State) {
		blocks, transactions = int64(st.Dynamic().HeadBlockNumber), int64(st.Blocks.TransactionCount())
	})
	m := n.Monitor
	list := []counter{
		{Name: "transactions_in_generated_blocks", Value: transactions},
		{Name: "blocks_generated", Value: blocks},
		{Name: "blocks_unhandled"},
		{Name: "blocks_applied", Value: blocks},
		{Name: "transactions_in_applied_blocks", Value: transactions},
		{Name: "connections_node_inbound_terminated"},
		{Name: "connections_node_outbound_terminated"},
		{Name: "connections_node_inbound_active"},
		{Name: "connections_node_inbound_active_max"},
		{Name: "connections_node_outbound_active"},
		{Name: "connections_node_outbound_active_max"},
		{Name: "transactions_queued_to_broadcast", Value: m.Broadcasts.Load()},
		{Name: "transactions_received"},
		{Name: "connections_rpc_active", Value: m.Websockets.now.Load()},
		{Name: "connections_rpc_active_max", Value: m.Websockets.most.Load()},
		{Name: "connections_http_active", Value: m.Posts.now.Load()},
		{Name: "connections_http_active_max", Value: m.Posts.most.Load()},
	}
	temporary := []string{"connections_node_inbound_active", "connections_node_outbound_active", "connections_rpc_active",
		"connections_http_active"}
	for i := range list {
		list[i].Persistent = !slices.Contains(temporary, list[i].Name)
	}
	return list
}

// networkNodeSet is the set of a node without peers: it accepts addresses and
// parameters, but connects to nobody.
var networkNodeSet = Set{name: "network_node", methods: map[string]Method{
	"info":                         With0(func(*Session) (any, error) { return "network_node_api", nil }),
	"get_info":                     With0(func(s *Session) (any, error) { return info(s.Identity), nil }),
	"add_node":                     With1(addNode),
	"get_connected_peers":          With0(func(*Session) (any, error) { return []any{}, nil }),
	"get_potential_peers":          With0(func(*Session) (any, error) { return []any{}, nil }),
	"get_advanced_node_parameters": With0(func(s *Session) (any, error) { return s.Monitor.parameters(), nil }),
	"set_advanced_node_parameters": With1(func(s *Session, p nodeParameters) (any, error) {
		s.Monitor.setParameters(p)
		return nil, nil
	}),
}}

type nodeInfo struct {
	ListeningOn     string `json:"listening_on"`
	NodePublicKey   string `json:"node_public_key"`
	NodeID          string `json:"node_id"`
	Firewalled      string `json:"firewalled"`
	ConnectionCount uint32 `json:"connection_count"`
}

func info(id Identity) nodeInfo {
	key := ledger.DeriveKey("billfold sandbox node", 0).Public()
	nodeID := ledger.DeriveKey("billfold sandbox node", 1).Public()
	return nodeInfo{NodePublicKey: hex.EncodeToString(key[:]), NodeID: hex.EncodeToString(nodeID[:]), Firewalled: "unknown",
		ListeningOn: id.ListensOn()}
}

// addNode checks the address of a peer, such as "127.0.0.1:40000", and forgets it.
func addNode(_ *Session, endpoint string) (any, error) {
	if _, err := netip.ParseAddrPort(endpoint); err != nil {
		return nil, badArgument(0, "an endpoint is an address with a port, such as 127.0.0.1:40000")
	}
	return nil, nil
}
