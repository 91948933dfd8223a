package chain

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// recordedLine is either operations that the recorded wallet broadcast after
// block Head, with the code of the node's refusal, or a call and its answer.
type recordedLine struct {
	Case       int                `json:"case"`
	Head       uint32             `json:"head"`
	Operations []ledger.Operation `json:"operations"`
	Code       nodeerr.Code       `json:"code"`
	Method     string             `json:"method"`
	Params     []json.RawMessage  `json:"params"`
	Result     json.RawMessage    `json:"result"`
}

// recordedTime returns the time of a recorded block: after the first, the
// node made one every two seconds from its 42nd minute on.
func recordedTime(num uint32) ledger.Time {
	const first = 1795171338 // 2026-11-20T10:42:18
	if num == 1 {
		return first
	}
	return first + 8 + 2*ledger.Time(num-2)
}

// The whole recorded session, block for block: ids, objects, refusals, and whose
// turn it was, must come out as the node answered.
func TestRecordedEconomyComesOutAsTheNodes(t *testing.T) {
	signs, err := ledger.ParseWIF("5KEndUCX4AhTVscE8Xn9QG6Mp1DUEYhU5VrcYzZd6i8gmKP9Jmd") // the recorded miners' key
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(readGenesis(t), signs)
	if err != nil {
		t.Fatal(err)
	}
	b := &bank{t: t, c: c}
	compared := 0
	for _, text := range readLines(t, "testdata/economy.jsonl") {
		var line recordedLine
		if err := codec.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		if line.Method == "" {
			b.broadcastRecorded(line)
			continue
		}
		b.compareRecorded(line)
		compared++
	}
	if compared < 80 {
		t.Errorf("only %d answers were compared", compared)
	}
}

// reach makes blocks at the recorded times until num is the head.
func (b *bank) reach(num uint32) {
	b.t.Helper()
	var head uint32
	b.c.View(func(s *state.State) { head = s.Dynamic().HeadBlockNumber })
	for head < num {
		head++
		if mined, err := b.c.Mine(recordedTime(head)); err != nil || len(mined.Dropped) > 0 {
			b.t.Fatalf("block %d: %v %v", head, err, mined.Dropped)
		}
	}
}

func (b *bank) broadcastRecorded(line recordedLine) {
	b.t.Helper()
	b.reach(line.Head)
	tx := b.build()
	tx.Operations = line.Operations
	p, err := b.c.PrepareTrusted(tx)
	if err != nil {
		b.t.Fatal(err)
	}
	fault := b.c.Push(p)
	if code := codeOf(fault); code != line.Code {
		b.t.Errorf("case %d: the code is %d (%v), want %d", line.Case, code, fault, line.Code)
	}
}

func codeOf(f *nodeerr.Error) nodeerr.Code {
	if f == nil {
		return 0
	}
	return f.Code
}

func (b *bank) compareRecorded(line recordedLine) {
	b.t.Helper()
	var want struct {
		Head      uint32 `json:"head_block_number"`
		Confirmed uint32 `json:"last_confirmed_block_num"`
	}
	if line.Result[0] == '{' {
		if err := codec.Unmarshal(line.Result, &want); err != nil {
			b.t.Fatal(err)
		}
		b.reach(max(want.Head, want.Confirmed))
	}
	var got any
	b.c.View(func(s *state.State) { got = answerRecorded(b.t, s, line) })
	g, w := plain(b.t, []byte(marshal(b.t, got))), plain(b.t, line.Result)
	if !reflect.DeepEqual(g, w) {
		b.t.Errorf("case %d %s %s: got\n%v, want\n%v", line.Case, line.Method, line.Params, g, w)
	}
}

func answerRecorded(t testing.TB, s *state.State, line recordedLine) any {
	switch line.Method {
	case "get_dynamic_global_properties":
		return s.Dynamic()
	case "lookup_account_names":
		return rowsOf(t, line, s.Accounts.ByName)
	case "get_accounts":
		return rowsOf(t, line, s.Accounts.Get)
	case "get_assets":
		return rowsOf(t, line, s.Assets.Get)
	case "lookup_asset_symbols":
		return rowsOf(t, line, s.Assets.BySymbol)
	case "get_objects":
		return rowsOf(t, line, func(id ledger.ObjectID) *any { o := s.Object(id); return &o })
	case "list_assets":
		return []*ledger.Asset{s.Assets.Get(0)}
	case "get_miner_by_account":
		return s.Miners.OfAccount(argument[ledger.AccountID](t, line))
	case "get_proposed_transactions":
		return s.Proposals.Of(argument[ledger.AccountID](t, line))
	case "get_account_balances":
		return holdingsOf(s, argument[ledger.AccountID](t, line))
	case "get_feeds_by_miner":
		return s.Assets.FeedsBy(argument[ledger.AccountID](t, line), 5)
	case "price_to_dct":
		amount, _ := evaluate.InCore(s, argument[ledger.AssetAmount](t, line))
		return amount
	case "lookup_miner_accounts":
		return minersByName(s)
	}
	t.Fatalf("case %d: nobody answers %s", line.Case, line.Method)
	return nil
}

func argument[T any](t testing.TB, line recordedLine) (v T) {
	t.Helper()
	if err := codec.Unmarshal(line.Params[0], &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func rowsOf[K, V any](t testing.TB, line recordedLine, get func(K) *V) []*V {
	var list []*V
	for _, key := range argument[[]K](t, line) {
		list = append(list, get(key))
	}
	return list
}

func holdingsOf(s *state.State, id ledger.AccountID) []ledger.AssetAmount {
	list := []ledger.AssetAmount{}
	for _, b := range s.Balances.OfAccount(id) {
		list = append(list, ledger.AssetAmount{Amount: b.Balance, AssetID: b.AssetType})
	}
	return list
}

func minersByName(s *state.State) (list [][]any) {
	for _, name := range s.Accounts.Names("", 1000) {
		if m := s.Miners.OfAccount(s.Accounts.ByName(name).ID); m != nil {
			list = append(list, []any{name, m.ID})
		}
	}
	return list
}

// unlike are members that a replay cannot have: ids of blocks that others
// signed, and how far behind the head a block is final.
var unlike = []string{"head_block_id", "last_irreversible_block_num"}

// plain reads JSON, takes out what cannot be alike, and makes numbers text.
func plain(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return withoutUnlike(v)
}

func withoutUnlike(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range unlike {
			delete(v, name)
		}
		for name := range v {
			v[name] = withoutUnlike(v[name])
		}
	case []any:
		for i := range v {
			v[i] = withoutUnlike(v[i])
		}
	case float64:
		return fmt.Sprintf("%.0f", v)
	}
	return v
}
