package api

import (
	"slices"

	"billfold/sandbox/chain/state"
)

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
