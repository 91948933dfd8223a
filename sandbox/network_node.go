package sandbox

import (
	"encoding/hex"
	"net/netip"

	"billfold/ledger"
)

// networkNodeSet is that of a node without peers: it takes addresses and
// parameters, and connects to nobody.
var networkNodeSet = apiSet{name: "network_node", methods: map[string]method{
	"info":                         with0(func(*session) (any, error) { return "network_node_api", nil }),
	"get_info":                     with0(func(s *session) (any, error) { return s.sandbox.nodeInfo(), nil }),
	"add_node":                     with1(addNode),
	"get_connected_peers":          with0(func(*session) (any, error) { return []any{}, nil }),
	"get_potential_peers":          with0(func(*session) (any, error) { return []any{}, nil }),
	"get_advanced_node_parameters": with0(func(s *session) (any, error) { return s.sandbox.monitor.parameters(), nil }),
	"set_advanced_node_parameters": with1(func(s *session, p nodeParameters) (any, error) {
		s.sandbox.monitor.setParameters(p)
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

func (s *Sandbox) nodeInfo() nodeInfo {
	key := ledger.DeriveKey("billfold sandbox node", 0).Public()
	id := ledger.DeriveKey("billfold sandbox node", 1).Public()
	info := nodeInfo{NodePublicKey: hex.EncodeToString(key[:]), NodeID: hex.EncodeToString(id[:]), Firewalled: "unknown"}
	if s.listener != nil {
		info.ListeningOn = s.listener.Addr().String()
	}
	return info
}

// nodeParameters are the node's settings for its peers, with its defaults; the
// sandbox keeps them and does nothing with them.
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

// addNode takes the address of a peer, "127.0.0.1:40000", and forgets it.
func addNode(_ *session, endpoint string) (any, error) {
	if _, err := netip.ParseAddrPort(endpoint); err != nil {
		return nil, badArgument(0, "an endpoint is an address with a port, such as 127.0.0.1:40000")
	}
	return nil, nil
}
