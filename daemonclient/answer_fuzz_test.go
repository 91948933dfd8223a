package daemonclient

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
)

// recordedCall is a call of testdata/daemon.jsonl that has a rule, and its answer.
type recordedCall struct {
	set      Set
	method   string
	params   string
	response string // the whole message
}

func recordedCalls(t testing.TB) []recordedCall {
	t.Helper()
	text, err := os.ReadFile("testdata/daemon.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []recordedCall
	for line := range bytes.Lines(text) {
		var row struct {
			Request struct {
				Method string
				Params []json.RawMessage
			}
			Response json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Request.Method != "call" {
			continue
		}
		method := strings.Trim(string(row.Request.Params[1]), `"`)
		for set, methods := range answerRules {
			if _, known := methods[method]; known {
				all = append(all, recordedCall{set, method, string(row.Request.Params[2]), string(row.Response)})
			}
		}
	}
	if len(all) < 30 {
		t.Fatalf("only %d recorded calls have a rule", len(all))
	}
	return all
}

// typed returns a pointer to the type of a method's result.
func typed(method string) any {
	switch method {
	case "get_accounts", "lookup_account_names":
		return new([]*ledger.Account)
	case "lookup_accounts":
		return new([]NamedAccount)
	case "get_account_balances":
		return new([]ledger.AssetAmount)
	case "get_key_references":
		return new([][]ledger.AccountID)
	case "get_assets", "lookup_asset_symbols", "list_assets":
		return new([]*ledger.Asset)
	case "get_block_header":
		return new(*ledger.BlockHeader)
	case "get_block":
		return new(*ledger.Block)
	case "get_account_history", "get_relative_account_history":
		return new([]ledger.HistoryRecord)
	case "get_transaction_by_id", "get_transaction":
		return new(*ledger.ProcessedTransaction)
	case "get_global_properties":
		return new(ledger.GlobalProperties)
	case "get_dynamic_global_properties":
		return new(ledger.DynamicGlobalProperties)
	}
	return new(json.RawMessage)
}

// receiveAs receives a message that answers a call: judged is false when it is refused
// on the way.
func receiveAs(t testing.TB, r recordedCall, message []byte) (result json.RawMessage, judged bool) {
	c := callOf(t, r.set, r.method, r.params)
	c.request.accept = func(raw json.RawMessage) error { return decode(raw, typed(r.method)) }
	if len(message) > max(minReadLimit, c.maxSize+envelope, c.maxError+envelope) {
		return nil, false
	}
	f, err := parseFrame(message)
	if err != nil || len(f.result) > c.maxSize || len(f.failure) > errorSize {
		return nil, false
	}
	if f.failure != nil {
		if inspect(f.failure) == nil {
			_ = newRemoteError(r.method, f.failure).Reason()
		}
		return nil, false
	}
	return f.result, f.result != nil && c.judge(f.result) == nil
}

// Memory that the handling of one message may take.
const (
	maxPerByte = 64
	maxFixed   = 512 << 10
)

// FuzzDaemonAnswers: whatever a daemon answers to a recorded call, its handling takes
// memory in proportion to its size, and what is believed fits what was asked, as the
// standard decoder reads it.
func FuzzDaemonAnswers(f *testing.F) {
	calls := recordedCalls(f)
	const short = 3000 // long inputs take the fuzzer's time
	for i, r := range calls {
		for _, seed := range []string{r.response, calls[(i+1)%len(calls)].response} {
			if len(seed) <= short {
				f.Add(uint(i), []byte(seed))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint, message []byte) {
		r := calls[which%uint(len(calls))]
		if result, believed := receiveMeasured(t, r, message); believed {
			checkBelieved(t, r, result)
		}
	})
}

// receiveMeasured is receiveAs under the ceiling of memory.
func receiveMeasured(t testing.TB, r recordedCall, message []byte) (json.RawMessage, bool) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result, believed := receiveAs(t, r, message)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(maxFixed+maxPerByte*len(message)) {
		t.Fatalf("%s: %d bytes were allocated for a message of %d", r.method, took, len(message))
	}
	return result, believed
}

// Short members that would become large are refused before they do.
func TestBombsTakeLittleMemory(t *testing.T) {
	const n = 20_000
	shapes, number := map[string]bool{}, regexp.MustCompile(`[0-9a-f]+`)
	calls := slices.DeleteFunc(recordedCalls(t), func(r recordedCall) bool { // that asks the same of another number
		shape := r.method + number.ReplaceAllString(r.params, "#")
		twice := shapes[shape]
		shapes[shape] = true
		return twice
	})
	for _, bomb := range []string{
		`[` + strings.Repeat(`{},`, n) + `{}]`, `[` + strings.Repeat(`[],`, n) + `[]]`, strings.Repeat(`[`, n) + strings.Repeat(`]`, n),
		`[` + strings.Repeat(`null,`, n) + `null]`, `{"transactions":[` + strings.Repeat(`null,`, n) + `null]}`,
		`[{"id":"1.2.16","name":"nathan","active":{"key_auths":[` + strings.Repeat(`[],`, n) + `[]]}}]`,
		`[{"id":"1.7.9","op":[22,{"proposed_ops":[` + strings.Repeat(`{},`, n) + `{}]}]}]`,
		`{"operations":[` + strings.Repeat(`[0,{}],`, n) + `[0,{}]]}`, `{"id":"2.0.0","active_miners":[` + strings.Repeat(`"1.4.1",`, n) + `"1.4.1"]}`,
	} {
		for _, r := range calls {
			receiveMeasured(t, r, []byte(`{"id":7,"result":`+bomb+`}`))
		}
		receiveMeasured(t, calls[0], []byte(`{"id":7,"error":`+bomb+`}`)) // an error is read alike for all
	}
}

// checkBelieved compares an answer with its question by other means.
func checkBelieved(t *testing.T, r recordedCall, result json.RawMessage) {
	var params []any
	var got any
	if json.Unmarshal([]byte(r.params), &params) != nil || json.Unmarshal(result, &got) != nil {
		t.Fatalf("%s: %s is not JSON", r.method, result)
	}
	rows, _ := got.([]any)
	member := map[string]string{"get_accounts": "id", "get_assets": "id", "get_objects": "id", "lookup_account_names": "name"}[r.method]
	if member == "" {
		return
	}
	asked := params[0].([]any)
	if len(rows) != len(asked) {
		t.Fatalf("%s: %d rows for %d", r.method, len(rows), len(asked))
	}
	for i, row := range rows {
		if object, ok := row.(map[string]any); row != nil && (!ok || object[member] != asked[i]) {
			t.Fatalf("%s: asked for %v, %v is believed", r.method, asked[i], row)
		}
	}
}

// What the real node answered is believed for its own call, and for no other unless
// it would be the same answer.
func TestRecordedAnswersFitTheirCalls(t *testing.T) {
	calls := recordedCalls(t)
	held := 0
	for _, r := range calls {
		for _, other := range calls {
			result, believed := receiveAs(t, r, []byte(other.response))
			if r == other && result != nil && !believed {
				t.Errorf("%s%s: the node's own answer is refused", r.method, r.params)
			}
			if r.method == other.method && r.params == other.params {
				continue
			}
			if believed {
				checkBelieved(t, r, result)
			} else {
				held++
			}
		}
	}
	if all := len(calls) * (len(calls) - 1); held < all*9/10 {
		t.Errorf("of %d answers to other calls only %d are refused", all, held)
	}
}
