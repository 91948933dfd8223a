package daemonclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"

	"github.com/gorilla/websocket"
)

// recording is testdata/daemon.jsonl: calls made to a real node and its
// answers. Keys are method and parameters.
type recording map[string]struct{ member, value string }

func recorded(t testing.TB) recording {
	t.Helper()
	text, err := os.ReadFile("testdata/daemon.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all := recording{}
	for line := range bytes.Lines(text) {
		var row struct {
			Request struct {
				Method string
				Params []json.RawMessage
			}
			Response struct{ Result, Error json.RawMessage }
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Request.Method != "call" {
			continue
		}
		var method string
		if err := json.Unmarshal(row.Request.Params[1], &method); err != nil {
			t.Fatal(err)
		}
		entry := struct{ member, value string }{"result", string(row.Response.Result)}
		if row.Response.Error != nil {
			entry.member, entry.value = "error", string(row.Response.Error)
		}
		all[method+compact(row.Request.Params[2])] = entry
	}
	return all
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}

// node answers from the recording.
func (r recording) node(t testing.TB) func(int, *websocket.Conn) {
	return welcoming(func(_ int, conn *websocket.Conn) {
		for {
			call, err := receive(conn)
			if err != nil {
				return
			}
			entry, ok := r[call.Method+compact(call.Args)]
			if !ok {
				t.Errorf("never recorded: %s %s", call.Method, call.Args)
				return
			}
			answer(conn, call.ID, entry.member, entry.value)
		}
	})
}

func (r recording) client(t testing.TB) *daemonclient.Client {
	c := start(t, daemonclient.Config{URL: serve(t, r.node(t))})
	online(t, c)
	return c
}

// must reports a call that failed.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestRecordedAccounts(t *testing.T) {
	c, ctx := recorded(t).client(t), within(t)
	accounts := must[[]*ledger.Account](t)(c.GetAccounts(ctx, []ledger.AccountID{16, 9999}))
	if len(accounts) != 2 || accounts[0].Name != "nathan" || accounts[1] != nil {
		t.Errorf("GetAccounts: %+v", accounts)
	}
	raws := must[[]json.RawMessage](t)(c.GetAccountsRaw(ctx, []ledger.AccountID{16, 9999}))
	if len(raws) != 2 || !bytes.Contains(raws[0], []byte(`"rights_to_publish"`)) || raws[1] != nil {
		t.Errorf("GetAccountsRaw: %s", raws)
	}
	named := must[[]*ledger.Account](t)(c.LookupAccountNames(ctx, []string{"nathan", "nobody-here"}))
	if len(named) != 2 || named[0].ID != 16 || named[1] != nil {
		t.Errorf("LookupAccountNames: %+v", named)
	}
	rows := must[[]daemonclient.NamedAccount](t)(c.LookupAccounts(ctx, "a", 5))
	if len(rows) != 5 || rows[1].Name != "bobby" || rows[1].ID != 19 {
		t.Errorf("LookupAccounts: %+v", rows)
	}
	key, err := ledger.ParsePublicKey("DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV")
	if err != nil {
		t.Fatal(err)
	}
	references := must[[][]ledger.AccountID](t)(c.KeyReferences(ctx, []ledger.PublicKey{key}))
	if len(references) != 1 || len(references[0]) != 2 || references[0][1] != 20 {
		t.Errorf("KeyReferences: %v", references)
	}
	if n := must[uint64](t)(c.AccountCount(ctx)); n != 21 {
		t.Errorf("AccountCount: %d", n)
	}
}

func TestRecordedBalancesAndAssets(t *testing.T) {
	c, ctx := recorded(t).client(t), within(t)
	balances := must[[]ledger.AssetAmount](t)(c.GetAccountBalances(ctx, 16, 0, 1, 99))
	if len(balances) != 3 || balances[0].Amount != 499854661992940 || balances[1].Amount != 25000 || balances[2].Amount != 0 {
		t.Errorf("GetAccountBalances: %v", balances)
	}
	assets := must[[]*ledger.Asset](t)(c.GetAssets(ctx, []ledger.AssetID{0, 99}))
	if len(assets) != 2 || assets[0].Symbol != "DCT" || assets[0].Precision != 8 || assets[1] != nil {
		t.Errorf("GetAssets: %+v", assets)
	}
	symbols := must[[]*ledger.Asset](t)(c.LookupAssetSymbols(ctx, []string{"DCT", "GOLDX", "NOPE", "1.3.0"}))
	if len(symbols) != 4 || symbols[1].Symbol != "GOLDX" || symbols[2] != nil || symbols[3].ID != 0 {
		t.Errorf("LookupAssetSymbols: %+v", symbols)
	}
	list := must[[]*ledger.Asset](t)(c.ListAssets(ctx, "", 10))
	if len(list) == 0 || list[0].Symbol != "DCT" {
		t.Errorf("ListAssets: %+v", list)
	}
}

func TestRecordedChain(t *testing.T) {
	c, ctx := recorded(t).client(t), within(t)
	if id := must[ledger.ChainID](t)(c.ChainID(ctx)); id != chainID(t, chainText) {
		t.Errorf("ChainID: %v", id)
	}
	if p := must[ledger.GlobalProperties](t)(c.GlobalProperties(ctx)); p.Parameters.BlockInterval != 2 {
		t.Errorf("GlobalProperties: %+v", p)
	}
	if p := must[ledger.DynamicGlobalProperties](t)(c.DynamicGlobalProperties(ctx)); p.HeadBlockNumber != 52 || p.HeadBlockID.Num() != 52 {
		t.Errorf("DynamicGlobalProperties: %+v", p)
	}
	if raw := must[json.RawMessage](t)(c.About(ctx)); !bytes.Contains(raw, []byte("1.4.2-89-g0f045ef2")) {
		t.Errorf("About: %s", raw)
	}
	ids := []ledger.ObjectID{}
	for _, text := range []string{"1.2.16", "2.5.16", "1.3.0", "2.0.0", "2.1.0", "1.2.99999", "2.3.0"} {
		ids = append(ids, must[ledger.ObjectID](t)(ledger.ParseObjectID(text)))
	}
	objects := must[[]json.RawMessage](t)(c.GetObjects(ctx, ids))
	if len(objects) != 7 || objects[5] != nil || !bytes.HasPrefix(objects[6], []byte(`{"id": "2.3.0"`)) {
		t.Errorf("GetObjects: %s", objects)
	}
	header := must[*ledger.BlockHeader](t)(c.GetBlockHeader(ctx, 2))
	if header.Miner != 10 || header.Timestamp.String() != "2026-11-20T10:42:26" {
		t.Errorf("GetBlockHeader: %+v", header)
	}
	if raw := must[json.RawMessage](t)(c.GetBlock(ctx, 99999999)); raw != nil {
		t.Errorf("GetBlock of the future: %s", raw)
	}
}

func TestRecordedHistory(t *testing.T) {
	c, ctx := recorded(t).client(t), within(t)
	rows := must[[]ledger.HistoryRecord](t)(c.AccountHistory(ctx, 16, 0, 2, 0))
	if len(rows) != 2 || rows[0].ID != 189 || rows[0].BlockNum != 53 || rows[0].TrxInBlock != 1 {
		t.Fatalf("AccountHistory: %+v", rows)
	}
	transfer, ok := rows[0].Op.Body.(*ledger.TransferOp)
	if !ok || transfer.Amount.Amount != 50000000 || transfer.Memo == nil {
		t.Errorf("operation: %+v", rows[0].Op)
	}
	raws := must[[]json.RawMessage](t)(c.RelativeAccountHistoryRaw(ctx, 16, 0, 3, 0))
	if len(raws) != 3 || !bytes.HasPrefix(raws[0], []byte(`{"id": "1.7.189"`)) {
		t.Errorf("RelativeAccountHistoryRaw: %s", raws)
	}
	relative := must[[]ledger.HistoryRecord](t)(c.RelativeAccountHistory(ctx, 16, 0, 3, 0))
	if len(relative) != 3 || relative[2].ID != 187 {
		t.Errorf("RelativeAccountHistory: %+v", relative)
	}
	var remote *daemonclient.RemoteError
	if _, err := c.AccountHistory(ctx, 16, 0, 101, 0); !errors.As(err, &remote) || remote.Code != 208 {
		t.Errorf("too many: %v", err)
	}
	if _, err := c.AccountHistory(ctx, 99999, 0, 2, 0); !errors.As(err, &remote) || !remote.IsNoSuchObject() {
		t.Errorf("no account: %v", err)
	}
}

// TestRecordedTransactionsSurviveTheirForm reads each broadcast transaction of
// the recording and sends it again: the node's recorded parameters are met only
// if not a byte of meaning was lost.
func TestRecordedTransactionsSurviveTheirForm(t *testing.T) {
	all := recorded(t)
	c, ctx := all.client(t), within(t)
	seen := map[string]int{}
	for key := range all {
		args, found := strings.CutPrefix(key, "broadcast_transaction[")
		if !found {
			continue
		}
		var tx ledger.SignedTransaction
		if err := codec.Unmarshal([]byte(strings.TrimSuffix(args, "]")), &tx); err != nil {
			t.Fatal(err)
		}
		err := c.BroadcastTransaction(ctx, &tx)
		var remote *daemonclient.RemoteError
		if !errors.As(err, &remote) {
			t.Fatalf("got %v", err)
		}
		switch {
		case remote.IsDuplicate():
			seen["duplicate"]++
		case remote.IsMissingAuthority():
			seen["authority"]++
		case remote.IsInsufficientBalance():
			seen["balance"]++
			want := "Insufficient Balance: 0 DCT, unable to transfer '1 DCT' from account 'init1' to 'alice'"
			if remote.Reason() != want {
				t.Errorf("reason is %q", remote.Reason())
			}
		}
		if remote.IsExpired() || remote.IsTaPoS() {
			t.Errorf("taken for expired or unreferenced: %v", err)
		}
	}
	if seen["duplicate"] == 0 || seen["authority"] == 0 || seen["balance"] == 0 {
		t.Errorf("refusals met: %v", seen)
	}
}

func TestInclusionNotice(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, script(t, "inclusion.wire"))})
	online(t, c)
	text, err := os.ReadFile("testdata/included.json")
	if err != nil {
		t.Fatal(err)
	}
	var tx ledger.SignedTransaction
	if err := codec.Unmarshal(text, &tx); err != nil {
		t.Fatal(err)
	}
	included, stop, err := c.BroadcastTransactionWithCallback(within(t), &tx)
	if err != nil {
		t.Fatal(err)
	}
	notice, ok := <-included
	if !ok || notice.BlockNum != 53 || notice.TrxNum != 1 || notice.ID.String() != "03401e144827592c665b85fcc5c71138472cae70" {
		t.Errorf("notice is %+v, %v", notice, ok)
	}
	if id, err := notice.Transaction.ID(); err != nil || len(notice.Transaction.Operations) != 1 || id == (ledger.TransactionID{}) {
		t.Errorf("transaction is %+v, %v", notice.Transaction, err)
	}
	stop() // after the notice it has nothing left to do

	included, _, err = c.BroadcastTransactionWithCallback(within(t), &ledger.SignedTransaction{})
	if err != nil {
		t.Fatal(err)
	}
	if notice, ok := <-included; ok {
		t.Errorf("a broken line gave %+v", notice)
	}
}

func TestInclusionStopped(t *testing.T) {
	c := start(t, daemonclient.Config{URL: serve(t, welcoming(func(_ int, conn *websocket.Conn) {
		if call, err := receive(conn); err == nil {
			answer(conn, call.ID, "result", "null")
			drain(conn)
		}
	}))})
	online(t, c)
	included, stop, err := c.BroadcastTransactionWithCallback(within(t), &ledger.SignedTransaction{})
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if _, ok := <-included; ok {
		t.Error("a notice came from nowhere")
	}
	stop()
}
