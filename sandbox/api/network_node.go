package api

import (
	"encoding/hex"
	"net/netip"

	"billfold/ledger"
)

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
