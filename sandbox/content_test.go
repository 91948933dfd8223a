package sandbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/content/share"
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

// What was published, announced, bought and rated is found again by every call that shows it.
func TestContentSeedersAndPurchasesAreFound(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	alice, bobby, carol := c.account("alice").ID, c.account("bobby").ID, c.account("carol").ID
	mine(t, s) // the demo's blocks are days old
	push := func(bodies ...ledger.Body) {
		t.Helper()
		for _, body := range bodies {
			if _, err := s.PushUnsigned(ledger.NewOperation(body)); err != nil {
				t.Fatal(err)
			}
		}
		mine(t, s)
	}
	number := func(name string) ledger.BigInteger {
		return ledger.BigInteger{S: ledger.BigText(demoKey(name).ElGamal().Public)}
	}
	offer := func(uri, synopsis string, price int64, size uint64) *ledger.ContentSubmitOp {
		return &ledger.ContentSubmitOp{
			Author: alice, URI: uri, Size: size, Synopsis: synopsis, Expiration: ledger.TimeOf(s.clock.now()) + 90*86400,
			Price: []ledger.RegionalPrice{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: price}}},
		}
	}
	region := "SK"
	push(offer("http://a.b/one", `{"title":"First song","description":"loud","content_type_id":"1.2.3"}`, 500, 2),
		offer("http://a.b/two", `{"title":"Second","description":"silent"}`, 100, 9),
		&ledger.ReadyToPublishOp{Seeder: bobby, Space: 10, PricePerMByte: 7, PubKey: number("bobby"), IPFSID: "b", RegionCode: &region},
		&ledger.ReadyToPublishOp{Seeder: carol, Space: 10, PricePerMByte: 5, PubKey: number("carol"), IPFSID: "c"})
	push(&ledger.RequestToBuyOp{Consumer: bobby, URI: "http://a.b/one", Price: ledger.AssetAmount{Amount: 500}, PubKey: number("bobby"), RegionCodeFrom: 1},
		&ledger.ReportStatsOp{Consumer: bobby, Stats: []ledger.SeederStat{{Account: bobby, Amount: 10}}})
	push(&ledger.LeaveRatingAndCommentOp{Consumer: bobby, URI: "http://a.b/one", Rating: 3, Comment: "fine"})
	// names gives one member of each row of an answer.
	names := func(member, method string, args ...any) string {
		t.Helper()
		var text json.RawMessage
		var rows []map[string]any
		c.get(&text, 0, method, args...)
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, row := range rows {
			out = append(out, fmt.Sprint(row[member]))
		}
		return strings.Join(out, " ")
	}
	for _, q := range []struct {
		member, want, method string
		args                 []any
	}{
		{"URI", "http://a.b/two http://a.b/one", "search_content", []any{"", "", "", "", "0.0.0", "", 10}},
		{"URI", "http://a.b/two http://a.b/one", "search_content", []any{"", "+price", "alice", "SK", "0.0.0", "", 10}},
		{"URI", "http://a.b/one", "search_content", []any{"LOUD", "", "", "", "0.0.0", "", 10}},
		{"URI", "http://a.b/one", "search_content", []any{"", "+size", "", "", "0.0.0", "1.2", 10}},
		{"URI", "http://a.b/two", "search_content", []any{"", "+size", "", "", "2.13.1", "", 10}},
		{"URI", "http://a.b/one", "search_content", []any{"", "+size", "", "", "0.0.0", "", 1}},
		{"URI", "", "search_content", []any{"", "", "bobby", "", "0.0.0", "", 10}},
		{"URI", "", "search_content", []any{"", "", "", "XX", "0.0.0", "", 10}},
		{"status", "Uploaded Uploaded", "search_content", []any{"", "", "", "", "0.0.0", "", 10}},
		{"seeder", carol.String() + " " + bobby.String(), "list_seeders_by_price", []any{10}},
		{"seeder", bobby.String() + " " + carol.String(), "list_seeders_by_upload", []any{10}},
		{"seeder", bobby.String(), "list_seeders_by_rating", []any{1}},
		{"seeder", bobby.String(), "list_seeders_by_region", []any{"SK"}},
		{"id", "2.12.0", "get_buying_history_objects_by_consumer", []any{bobby}},
		{"id", "2.12.0", "get_buying_objects_by_consumer", []any{bobby, "", "0.0.0", "song", 10}},
		{"id", "", "get_buying_objects_by_consumer", []any{bobby, "", "0.0.0", "second", 10}},
		{"comment", "fine", "search_feedback", []any{"", "http://a.b/one", "0.0.0", 10}},
		{"comment", "", "search_feedback", []any{"alice", "http://a.b/one", "0.0.0", 10}},
		{"id", "", "get_open_buyings", nil},
	} {
		if got := names(q.member, q.method, q.args...); got != q.want {
			t.Errorf("%s %v gives %q, want %q", q.method, q.args, got, q.want)
		}
	}
	for _, q := range []struct {
		method string
		args   []any
		want   string
	}{
		{"get_content", []any{"http://a.b/one"}, `{"id":"2.13.0","author":"` + alice.String() + `","co_authors":[],`},
		{"get_seeder", []any{bobby}, `{"id":"2.14.0","seeder":"` + bobby.String() + `","free_space":10,"price":{"amount":7,"asset_id":"1.3.0"},`},
		{"get_buying_by_consumer_URI", []any{bobby, "http://a.b/one"}, `{"id":"2.12.0","consumer":"` + bobby.String() + `",`},
		{"get_objects", []any{[]string{"2.12.0"}}, `[{"id":"2.12.0",`},
		{"get_objects", []any{[]string{"2.16.0"}}, `[{"id":"2.16.0","seeder":"` + bobby.String() + `","total_upload":10,`},
	} {
		if a := c.call(0, q.method, q.args...); !strings.HasPrefix(string(a.Result), q.want) {
			t.Errorf("%s answers %s %+v, want %s…", q.method, a.Result, a.Error, q.want)
		}
	}
	var keys struct {
		Key    string              `json:"key"`
		Parts  []ledger.Ciphertext `json:"parts"`
		Quorum uint32              `json:"quorum"`
	}
	c.get(&keys, 0, "generate_content_keys", []any{bobby, carol})
	for i, name := range []string{"bobby", "carol"} {
		pair := demoKey(name).ElGamal()
		part, err := share.Open(pair, keys.Parts[i])
		if err != nil || part.Place() != uint32(i)+1 {
			t.Errorf("part %d is that of place %d (%v)", i, part.Place(), err)
		}
	}
	push(&ledger.ContentCancellationOp{Author: alice, URI: "http://a.b/two"})
	if got := names("URI", "search_content", "", "", "", "", "0.0.0", "", 10); got != "http://a.b/one" {
		t.Errorf("withdrawn content is found: %s", got)
	}
	if got := names("status", "search_content", "", "", "alice", "", "0.0.0", "", 10); got != "Expired Uploaded" {
		t.Errorf("the author's content is %s", got)
	}
	s.Jump(25 * time.Hour)
	mine(t, s)
	if got := names("seeder", "list_seeders_by_price", 10); got != "" {
		t.Errorf("seeders that are silent for a day are listed: %s", got)
	}
	if len(keys.Parts) != 2 || keys.Quorum != 2 || len(keys.Key) != 64 {
		t.Errorf("the keys are %v", keys.Parts)
	}
}
