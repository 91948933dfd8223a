package ledgerview

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// peerReader is the part of the daemon that manages its peers and counters.
type peerReader interface {
	AddNode(ctx context.Context, endpoint string) error
	ConnectedPeers(ctx context.Context) ([]json.RawMessage, error)
	Counters(ctx context.Context, names []string) ([]daemonclient.Counter, error)
	ResetCounters(ctx context.Context, names []string) error
}

// Node manages the daemon itself, its peers and counters, for the person who runs it. A daemon that does not
// grant this to its clients answers with its own error 204.
type Node struct{ daemon peerReader }

// Counter is a number that the daemon keeps about itself.
type Counter struct {
	Name       string      `json:"name"`
	Value      int64       `json:"value"`
	LastReset  ledger.Time `json:"last_reset"` // zero: never
	Persistent bool        `json:"persistent"` // outlives the daemon's process
}

// AddPeers makes the daemon connect to peers, each given as "address:port". It stops at the first that the daemon refuses.
func (s *Node) AddPeers(ctx context.Context, endpoints []string) error {
	for _, endpoint := range endpoints {
		if err := s.daemon.AddNode(ctx, endpoint); err != nil {
			return fault.Daemon("adding the peer "+fault.Quote(endpoint), err)
		}
	}
	return nil
}

// Peers lists the peers of the daemon.
func (s *Node) Peers(ctx context.Context) ([]json.RawMessage, error) {
	peers, err := s.daemon.ConnectedPeers(ctx)
	return peers, daemonFault("listing peers", err)
}

// Counters lists the named counters, or all if none are named, sorted by name.
func (s *Node) Counters(ctx context.Context, names []string) ([]Counter, error) {
	found, err := s.daemon.Counters(ctx, names)
	if err != nil {
		return nil, fault.Daemon("reading counters", err)
	}
	counters := make([]Counter, len(found))
	for i, c := range found {
		counters[i] = Counter(c)
	}
	slices.SortFunc(counters, func(a, b Counter) int { return strings.Compare(a.Name, b.Name) })
	return counters, nil
}

// ResetCounters sets the named counters, or all if none are named, to zero.
func (s *Node) ResetCounters(ctx context.Context, names []string) error {
	return daemonFault("resetting counters", s.daemon.ResetCounters(ctx, names))
}
