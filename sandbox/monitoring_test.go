package sandbox

import (
	"encoding/json"
	"testing"
	"time"

	"billfold/ledger"
)

// counter is one of the node's counters on the wire.
type counter struct {
	Name       string `json:"name"`
	Value      int64  `json:"value"`
	LastReset  uint32 `json:"last_reset"`
	Persistent bool   `json:"persistent"`
}

func TestCountersCountAndReset(t *testing.T) {
	clock := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s := startDemo(t, Options{Now: func() time.Time { return clock }})
	c := dial(t, s).enable()
	c.get(nil, 1, "monitoring")
	read := func(names ...string) map[string]counter {
		t.Helper()
		var list []counter
		c.get(&list, "monitoring", "get_counters", append([]string{}, names...))
		byName := map[string]counter{}
		for _, one := range list {
			byName[one.Name] = one
		}
		return byName
	}
	before := read()
	if before["connections_rpc_active"].Value != 1 || before["connections_rpc_active"].LastReset != uint32(ledger.TimeOf(clock)) {
		t.Errorf("the connections are %+v", before["connections_rpc_active"])
	}
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	c.get(nil, "network_broadcast", "broadcast_transaction", c.pay(DemoKeys()[0].Key, op))
	mine(t, s)
	post(t, s, `{"id":1,"method":"info","params":[]}`)
	after := read()
	for name, more := range map[string]int64{
		"blocks_generated": 1, "blocks_applied": 1, "transactions_in_generated_blocks": 1, "transactions_in_applied_blocks": 1,
		"transactions_queued_to_broadcast": 1, "connections_http_active_max": 1, "connections_rpc_active": 0,
	} {
		if got := after[name].Value - before[name].Value; got != more {
			t.Errorf("%s grew by %d, want %d", name, got, more)
		}
	}
	clock = clock.Add(time.Minute)
	c.get(nil, "monitoring", "reset_counters", []string{"blocks_generated"})
	if got := read("blocks_generated", "no_such_counter"); len(got) != 1 || got["blocks_generated"].Value != 0 ||
		got["blocks_generated"].LastReset != uint32(ledger.TimeOf(clock)) {
		t.Errorf("after the reset: %+v", got)
	}
	if got := read("blocks_applied")["blocks_applied"]; got != after["blocks_applied"] {
		t.Errorf("another counter became %+v", got)
	}
	c.get(nil, "monitoring", "reset_counters", []string{})
	if got := read("blocks_applied")["blocks_applied"].Value; got != 0 {
		t.Errorf("resetting all leaves %d", got)
	}
}

// The names and their order are the recorded ones.
func TestCountersHaveTheNodesNames(t *testing.T) {
	s := start(t, Options{})
	var want struct{ Result []counter }
	for _, r := range readRecorded(t) {
		if r.Case == 116 {
			if err := json.Unmarshal(r.Response, &want); err != nil {
				t.Fatal(err)
			}
		}
	}
	var got []counter
	c := dial(t, s).enable()
	c.get(nil, 1, "monitoring")
	c.get(&got, "monitoring", "get_counters", []string{})
	if len(got) != len(want.Result) || len(got) == 0 {
		t.Fatalf("%d counters, want %d", len(got), len(want.Result))
	}
	for i, w := range want.Result {
		if got[i].Name != w.Name || got[i].Persistent != w.Persistent || (got[i].LastReset == 0) != (w.LastReset == 0) {
			t.Errorf("counter %d is %+v, want %+v", i, got[i], w)
		}
	}
}

// nodeParameters are the node's settings for its peers on the wire.
type nodeParameters struct {
	RetryTimeout    uint32 `json:"peer_connection_retry_timeout"`
	Desired         uint32 `json:"desired_number_of_connections"`
	Maximum         uint32 `json:"maximum_number_of_connections"`
	BlocksAtOnce    uint32 `json:"maximum_number_of_blocks_to_handle_at_one_time"`
	BlocksPrefetch  uint32 `json:"maximum_number_of_sync_blocks_to_prefetch"`
	BlocksPerSyncer uint32 `json:"maximum_blocks_per_peer_during_syncing"`
}

func TestNetworkNodeKeepsWhatItIsTold(t *testing.T) {
	s := start(t, Options{Access: accessFile(t, "s3cret")})
	c := granted(t, s)
	var info struct {
		ListeningOn     string `json:"listening_on"`
		NodeID          string `json:"node_id"`
		ConnectionCount uint32 `json:"connection_count"`
	}
	c.get(&info, "network_node", "get_info")
	if "ws://"+info.ListeningOn != s.URL() || len(info.NodeID) != 66 || info.ConnectionCount != 0 {
		t.Errorf("the node says %+v", info)
	}
	c.get(nil, "network_node", "add_node", "127.0.0.1:40000")
	c.refused(54, "network_node", "add_node", "somewhere")
	var p nodeParameters
	c.get(&p, "network_node", "get_advanced_node_parameters")
	if p != (nodeParameters{30, 20, 200, 200, 2000, 200}) {
		t.Errorf("the parameters are %+v", p)
	}
	p.Desired = 7
	c.get(nil, "network_node", "set_advanced_node_parameters", p)
	var again nodeParameters
	c.get(&again, "network_node", "get_advanced_node_parameters")
	if again != p {
		t.Errorf("the parameters are %+v, want %+v", again, p)
	}
}
