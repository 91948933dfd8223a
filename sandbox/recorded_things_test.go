package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// thing is one line of the recording: operations that were broadcast after block
// Head, with the code of their refusal, or a call of the wallet and its answer.
type thing struct {
	Case       int                `json:"case"`
	Head       uint32             `json:"head"`
	Operations []ledger.Operation `json:"operations"`
	Code       int                `json:"code"`
	Method     string             `json:"method"`
	Params     json.RawMessage    `json:"params"`
	Result     json.RawMessage    `json:"result"`
}

func readThings(t *testing.T, path string) (list []thing) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line thing
		if err := codec.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		list = append(list, line)
	}
	return list
}

// recordedThings are the recorded operations, and the calls about tokens,
// messages, subscriptions, vesting and histories, in the recorded order. In one
// case the calls came first.
func recordedThings(t *testing.T) []thing {
	t.Helper()
	all := readThings(t, "testdata/things.jsonl")
	for _, line := range readThings(t, "chain/testdata/economy.jsonl") {
		if line.Method == "" {
			all = append(all, line)
		}
	}
	slices.SortStableFunc(all, func(a, b thing) int { return a.Case - b.Case })
	return all
}

// What the wallet asked the node, it is answered here too, whole: ids, order,
// times and amounts.
func TestRecordedThingsComeOutAsTheNodes(t *testing.T) {
	clock := time.Unix(1795171338, 0) // of the first recorded block
	s := start(t, Options{Genesis: readGenesisFile(t), Now: func() time.Time { return clock }})
	c := dial(t, s).enable()
	c.get(nil, 1, "messaging")
	reach := func(num uint32) {
		for head := s.head().HeadBlockNumber; head < num; head++ {
			mine(t, s)
			clock = time.Unix(1795171338+8+2*int64(head), 0)
		}
	}
	next, compared := uint32(0), 0
	for _, line := range recordedThings(t) {
		if line.Method != "" {
			if strings.Contains(line.Method, "_history") {
				reach(next) // what is pending is in no history
			}
			c.compareThing(line)
			compared++
			continue
		}
		if line.Code != 0 {
			continue // refused, and left nothing
		}
		reach(line.Head)
		if _, err := s.PushUnsigned(line.Operations...); err != nil {
			t.Fatalf("case %d: %v", line.Case, err)
		}
		next = line.Head + 1
	}
	t.Logf("%d answers compared", compared)
	if compared < 35 {
		t.Errorf("only %d answers were compared", compared)
	}
}

func (c *client) compareThing(line thing) {
	c.t.Helper()
	set := "database"
	switch line.Method {
	case "get_message_objects":
		set = "messaging"
	case "get_account_history", "get_relative_account_history", "search_account_balance_history", "get_account_balance_for_transaction":
		set = "history"
	}
	c.send(fmt.Sprintf(`{"id":%d,"method":"call","params":[%q,%q,%s]}`, line.Case, set, line.Method, line.Params))
	got := c.receive()
	if got.Error != nil {
		c.t.Fatalf("case %d %s: %s", line.Case, line.Method, got.Error.Message)
	}
	g, w := decode(c.t, withoutIDs(got.Result)), decode(c.t, withoutIDs(line.Result))
	if !reflect.DeepEqual(g, w) {
		c.t.Errorf("case %d %s %s: got\n%s, want\n%s", line.Case, line.Method, line.Params, got.Result, line.Result)
	}
}

// withoutIDs blots out transaction ids, which depend on signed blocks.
func withoutIDs(text json.RawMessage) json.RawMessage {
	const member = `"transaction_id":"`
	text = bytes.Clone(text)
	for at := 0; ; {
		next := bytes.Index(text[at:], []byte(member))
		if next < 0 {
			return text
		}
		at += next + len(member)
		if id := text[at : at+40]; bytes.Trim(id, "0") != nil {
			copy(id, bytes.Repeat([]byte("x"), 40))
		}
	}
}
