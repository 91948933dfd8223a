package sandbox

import (
	"testing"

	"billfold/ledger"
)

func TestContentIsAnsweredAsWhereThereIsNone(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	for method, want := range map[string]struct {
		args   []any
		result string
	}{
		"get_content":                            {[]any{"ipfs:nope"}, "null"},
		"get_open_buyings":                       {nil, "[]"},
		"get_open_buyings_by_URI":                {[]any{"ipfs:nope"}, "[]"},
		"get_open_buyings_by_consumer":           {[]any{"1.2.17"}, "[]"},
		"get_buying_history_objects_by_consumer": {[]any{"1.2.17"}, "[]"},
		"get_buying_objects_by_consumer":         {[]any{"1.2.17", "", "0.0.0", "", 10}, "[]"},
		"get_buying_by_consumer_URI":             {[]any{"1.2.17", "ipfs:nope"}, "null"},
		"search_feedback":                        {[]any{"alice", "ipfs:nope", "0.0.0", 10}, "[]"},
		"search_content":                         {[]any{"", "", "", "default", "0.0.0", "0.0.0", 10}, "[]"},
		"get_seeder":                             {[]any{"1.2.17"}, "null"},
		"list_seeders_by_price":                  {[]any{100}, "[]"},
		"list_seeders_by_upload":                 {[]any{10}, "[]"},
		"list_seeders_by_rating":                 {[]any{10}, "[]"},
		"list_seeders_by_region":                 {[]any{"default"}, "[]"},
		"list_publishing_managers":               {[]any{"", 10}, "[]"},
	} {
		if a := c.call(0, method, want.args...); string(a.Result) != want.result {
			t.Errorf("%s answers %s %+v, want %s", method, a.Result, a.Error, want.result)
		}
	}
	c.refused(208, 0, "list_seeders_by_price", 101)
	c.refused(208, 0, "search_content", "", "", "", "default", "0.0.0", "0.0.0", 101)
	c.refused(50, 0, "search_content", "", "")
	c.refused(54, 0, "get_buying_objects_by_consumer", "alice", "", "0.0.0", "", 10)
	c.refused(212, 0, "generate_content_keys", []any{"1.2.17"})
	c.refused(210, 0, "restore_encryption_key", map[string]any{"s": "5."}, "2.12.0")
	var keys struct {
		Key    string `json:"key"`
		Quorum uint32 `json:"quorum"`
	}
	c.get(&keys, 0, "generate_content_keys", []any{})
	if len(keys.Key) != 64 || keys.Quorum != 2 {
		t.Errorf("the keys are %+v", keys)
	}
}

func TestMessagesAreFoundBySenderAndReceiver(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	c.get(nil, 1, "messaging")
	alice, bobby, carol := c.account("alice").ID, c.account("bobby").ID, c.account("carol").ID
	send := func(from ledger.AccountID, key ledger.PrivateKey, to ...ledger.AccountID) {
		t.Helper()
		keys := map[ledger.AccountID]ledger.PublicKey{}
		for _, id := range to {
			keys[id] = ledger.PublicKey{}
		}
		m, err := ledger.NewMessage(from, ledger.PrivateKey{}, "hello", keys, 0)
		if err != nil {
			t.Fatal(err)
		}
		data, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		c.get(nil, "network_broadcast", "broadcast_transaction",
			c.sign([]ledger.PrivateKey{key}, &ledger.CustomOp{Payer: from, ID: ledger.MessageID, Data: data}))
		mine(t, s)
	}
	send(alice, DemoKeys()[0].Key, bobby, carol)
	send(bobby, DemoKeys()[1].Key, carol)
	send(alice, DemoKeys()[0].Key, carol)
	for _, q := range []struct {
		sender, receiver any
		limit            int
		want             []string
	}{
		{alice, nil, 10, []string{"2.18.2", "2.18.0"}},
		{nil, carol, 10, []string{"2.18.2", "2.18.1", "2.18.0"}},
		{nil, carol, 2, []string{"2.18.2", "2.18.1"}},
		{bobby, carol, 10, []string{"2.18.1"}},
		{carol, bobby, 10, nil},
		{alice, nil, 0, nil},
	} {
		var list []struct {
			ID string `json:"id"`
		}
		c.get(&list, "messaging", "get_message_objects", q.sender, q.receiver, q.limit)
		if len(list) != len(q.want) {
			t.Errorf("from %v to %v: got %v, want %v", q.sender, q.receiver, list, q.want)
			continue
		}
		for i := range list {
			if list[i].ID != q.want[i] {
				t.Errorf("from %v to %v: got %v, want %v", q.sender, q.receiver, list, q.want)
			}
		}
	}
	c.refused(202, "messaging", "get_message_objects", nil, nil, 10)
	c.refused(209, "messaging", "get_message_objects", nil, "1.2.9999", 10)
	c.refused(54, "messaging", "get_messages", []any{"1.2.0"})
	if a := c.call("messaging", "get_messages", []any{"2.18.9"}); string(a.Result) != "[null]" {
		t.Errorf("a message that is not there is %s", a.Result)
	}
}
