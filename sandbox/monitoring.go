package sandbox

import (
	"slices"
	"sync"
	"sync/atomic"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var monitoringSet = apiSet{name: "monitoring", methods: map[string]method{
	"info": with0(func(*session) (any, error) { return "monitoring_api", nil }),
	"get_counters": with1(func(s *session, names []string) (any, error) {
		return s.sandbox.counters(names), nil
	}),
	"reset_counters": with1(func(s *session, names []string) (any, error) {
		s.sandbox.resetCounters(names)
		return nil, nil
	}),
}}

// counter is one number that the node counts. A persistent one outlives the
// node's process.
type counter struct {
	Name       string `json:"name"`
	Value      int64  `json:"value"`
	LastReset  uint32 `json:"last_reset"` // seconds since 1970, 0 for never
	Persistent bool   `json:"persistent"`
}

// gauge is how many of something there are, and the most there were.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) enter() {
	n := g.now.Add(1)
	for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
	}
}

func (g *gauge) leave() { g.now.Add(-1) }

// monitor counts what the chain does not know, and remembers resets.
type monitor struct {
	websockets, posts gauge
	broadcasts        atomic.Int64
	started           ledger.Time

	mu    sync.Mutex
	zero  map[string]int64 // what a counter stood at when it was reset
	reset map[string]ledger.Time
	peers nodeParameters
}

func newMonitor(started ledger.Time) *monitor {
	return &monitor{
		started: started, zero: map[string]int64{}, reset: map[string]ledger.Time{}, peers: defaultNodeParameters(),
	}
}

func (m *monitor) parameters() nodeParameters {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.peers
}

func (m *monitor) setParameters(p nodeParameters) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.peers = p
}

// counters gives the named counters, or all when none is named, in the node's
// order.
func (s *Sandbox) counters(names []string) []counter {
	list := s.countAll()
	m := s.monitor
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

// resetCounters lets the named counters, or all, begin at zero.
func (s *Sandbox) resetCounters(names []string) {
	list, now := s.countAll(), ledger.TimeOf(s.clock.now())
	m := s.monitor
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range list {
		if len(names) == 0 || slices.Contains(names, c.Name) {
			m.zero[c.Name], m.reset[c.Name] = c.Value, now
		}
	}
}

// countAll has no connections between nodes: the sandbox has no peers.
func (s *Sandbox) countAll() []counter {
	var blocks, transactions int64
	s.chain.View(func(st *state.State) {
		blocks, transactions = int64(st.Dynamic().HeadBlockNumber), int64(st.Blocks.TransactionCount())
	})
	m := s.monitor
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
		{Name: "transactions_queued_to_broadcast", Value: m.broadcasts.Load()},
		{Name: "transactions_received"},
		{Name: "connections_rpc_active", Value: m.websockets.now.Load()},
		{Name: "connections_rpc_active_max", Value: m.websockets.most.Load()},
		{Name: "connections_http_active", Value: m.posts.now.Load()},
		{Name: "connections_http_active_max", Value: m.posts.most.Load()},
	}
	passing := []string{"connections_node_inbound_active", "connections_node_outbound_active", "connections_rpc_active", "connections_http_active"}
	for i := range list {
		list[i].Persistent = !slices.Contains(passing, list[i].Name)
	}
	return list
}
