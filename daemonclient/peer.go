package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
)

// Counter is a number that the daemon counts about itself.
type Counter struct {
	Name       string      `json:"name"`
	Value      int64       `json:"value"`
	LastReset  ledger.Time `json:"last_reset"` // zero: never
	Persistent bool        `json:"persistent"` // kept when the daemon restarts
}

// PeerQueries are about the daemon itself, its peers and counters, for its operator; see Queries. They need its
// network_node and monitoring sets, which it grants to few.
type PeerQueries struct{ ask asker }

// AddNode has the daemon connect to a peer, "address:port".
func (q PeerQueries) AddNode(ctx context.Context, endpoint string) error {
	_, err := queryRaw(ctx, q.ask, NetworkNode, "add_node", endpoint)
	return err
}

// ConnectedPeers returns the peers of the daemon.
func (q PeerQueries) ConnectedPeers(ctx context.Context) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, NetworkNode, "get_connected_peers")
}

// ResetCounters sets the named counters to zero, or all of them if none is named.
func (q PeerQueries) ResetCounters(ctx context.Context, names []string) error {
	_, err := queryRaw(ctx, q.ask, Monitoring, "reset_counters", emptyForNil(names))
	return err
}

// Counters returns the named counters, or all of them if none is named.
func (q PeerQueries) Counters(ctx context.Context, names []string) ([]Counter, error) {
	type row struct {
		Name       string `json:"name"`
		Value      int64  `json:"value"`
		LastReset  uint32 `json:"last_reset"` // seconds since 1970
		Persistent bool   `json:"persistent"`
	}
	rows, err := query[[]row](ctx, q.ask, Monitoring, "get_counters", emptyForNil(names))
	if err != nil {
		return nil, err
	}
	counters := make([]Counter, len(rows))
	for i, r := range rows {
		counters[i] = Counter{r.Name, r.Value, ledger.Time(r.LastReset), r.Persistent}
	}
	return counters, nil
}

// checkPeers expects a list of objects.
func checkPeers(q question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	for _, raw := range list {
		if err := wantObject(q, raw); err != nil {
			return err
		}
	}
	return nil
}

// checkCounters expects counters, none twice, and only named ones if any were named.
func checkCounters(q question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	named, seen := map[string]bool{}, map[string]bool{}
	for _, raw := range q.list(0) {
		named[string(raw)] = true
	}
	for _, raw := range list {
		m, err := fields(raw, "name", "last_reset")
		if err != nil {
			return err
		}
		if _, err := plainText(m[0]); err != nil {
			return err
		}
		if _, err := number(m[1], 32); err != nil {
			return err
		}
		name := string(m[0])
		if seen[name] || len(named) > 0 && !named[name] {
			return fmt.Errorf("the counter %s was not asked for, or occurs twice", quoted(m[0]))
		}
		seen[name] = true
	}
	return nil
}
