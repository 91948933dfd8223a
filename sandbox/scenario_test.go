package sandbox

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

// scenario is the recorded ledger made again: every transaction that the
// recording shows, in the block it was in, at the time it was made.
type scenario struct {
	t     *testing.T
	s     *Sandbox
	clock time.Time
	keys  []ledger.PrivateKey

	publics []ledger.PublicKey // of keys, in their order

	wallet *client // has every set
}

// The keys of conformance/README.md, and those made from bobby's brain key.
func recordedKeys(t *testing.T) (keys []ledger.PrivateKey) {
	t.Helper()
	for _, text := range []string{
		"5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3", "5JwBTDLFnb7jMwibLX75zbXVYn9cv6KoVjM76YNoM2GunA5LbrX",
		"5KEndUCX4AhTVscE8Xn9QG6Mp1DUEYhU5VrcYzZd6i8gmKP9Jmd", "5J9bWm2ThenDm3tjvmUgHtWCVMUdjRR1pxnRtnJjvKA4b2ut5WK",
	} {
		key, err := ledger.ParseWIF(text)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	owner := ledger.DeriveKey(ledger.NormalizeBrainKey("a very long brain key indeed for bobby"), 0)
	active := ledger.DeriveKey(owner.WIF(), 0)
	return append(keys, owner, active, ledger.DeriveKey(active.WIF(), 0))
}

// newScenario begins it, kept in the state file unless that is "".
func newScenario(t *testing.T, state string) *scenario {
	t.Helper()
	sc := &scenario{t: t, keys: recordedKeys(t)}
	for _, key := range sc.keys {
		sc.publics = append(sc.publics, key.Public())
	}
	sc.s = start(t, Options{
		Genesis: readGenesisFile(t), MinerKeys: sc.keys, Access: fullAccess(t), State: state,
		Now: func() time.Time { return sc.clock },
	})
	sc.wallet = dial(t, sc.s)
	sc.wallet.get(nil, 1, "login", "", "")
	for _, set := range []string{"database", "network_broadcast", "history", "network_node", "crypto", "messaging", "monitoring"} {
		sc.wallet.get(new(int), 1, set)
	}
	return sc
}

// fullAccess is that of the recorded node.
func fullAccess(t *testing.T) *api.Access {
	t.Helper()
	a, err := api.ReadAccess([]byte(`{"permission_map":[["*",{"password_hash_b64":"*","password_salt_b64":"*","allowed_apis":[
		"database_api","network_broadcast_api","history_api","network_node_api","crypto_api","messaging_api","monitoring_api"]}]]}`))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// walletCase is one wallet operation of the recording, with what the wallet
// asked the node meanwhile.
type walletCase struct {
	Case   int
	Daemon []nodeCall
}

type nodeCall struct {
	Set    string          `json:"set"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func readWalletCases(t *testing.T) (list []walletCase) {
	t.Helper()
	eachLine(t, "../testdata/conformance/wallet.jsonl", func(line []byte) {
		var x walletCase
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	})
	return list
}

// head is the block number the node had when it answered, 0 when the call does
// not tell.
func (c *nodeCall) head(t *testing.T) uint32 {
	switch c.Method {
	case "get_dynamic_global_properties":
		var d ledger.DynamicGlobalProperties
		if err := json.Unmarshal(c.Result, &d); err != nil {
			t.Fatal(err)
		}
		return d.HeadBlockNumber
	case "broadcast_transaction":
		return uint32(c.transaction(t).RefBlockNum)
	}
	return 0
}

func (c *nodeCall) transaction(t *testing.T) ledger.SignedTransaction {
	var params [1]ledger.SignedTransaction
	if err := json.Unmarshal(c.Params, &params); err != nil {
		t.Fatal(err)
	}
	return params[0]
}

// blockTime returns the time of the recorded block num.
func blockTime(num uint32) time.Time {
	first := time.Date(2026, 11, 20, 10, 42, 18, 0, time.UTC)
	if num < 2 {
		return first
	}
	return first.Add(4*time.Second + 2*time.Second*time.Duration(num))
}

// mineTo makes blocks up to the number.
func (sc *scenario) mineTo(num uint32) {
	sc.t.Helper()
	for next := sc.s.head().HeadBlockNumber + 1; next <= num; next++ {
		sc.clock = blockTime(next)
		mine(sc.t, sc.s)
	}
}

// current is the transaction on this ledger: when the reference block is not
// the recorded one, it is signed again.
func (sc *scenario) current(tx *ledger.SignedTransaction) *ledger.SignedTransaction {
	sc.t.Helper()
	num, prefix := ledger.BlockRef(sc.s.head().HeadBlockID)
	if num != tx.RefBlockNum || prefix != tx.RefBlockPrefix || len(tx.Signatures) == 0 {
		tx.RefBlockNum, tx.RefBlockPrefix = num, prefix
		sc.sign(tx)
	}
	return tx
}

func (sc *scenario) sign(tx *ledger.SignedTransaction) {
	sc.t.Helper()
	tx.Signatures = nil
	p, err := sc.s.chain.Prepare(tx)
	if err != nil {
		sc.t.Fatal(err)
	}
	var needed []ledger.PublicKey
	sc.s.chain.View(func(st *state.State) { needed = evaluate.RequiredSignatures(st, p, sc.publics) })
	digest, err := tx.Digest(sc.s.ChainID())
	if err != nil {
		sc.t.Fatal(err)
	}
	for _, public := range needed {
		for i, key := range sc.keys {
			if sc.publics[i] == public {
				tx.Signatures = append(tx.Signatures, key.Sign(digest))
			}
		}
	}
}

// manyTransfers returns the 150 transfers that the recording does not list, as
// the history of case 505 shows them, oldest first.
func manyTransfers(t *testing.T) (list []ledger.HistoryRecord) {
	t.Helper()
	eachLine(t, "../testdata/conformance/wallet.jsonl", func(line []byte) {
		var x struct {
			Case     int
			Response struct{ Result json.RawMessage }
		}
		if json.Unmarshal(line, &x) != nil || x.Case != 505 {
			return
		}
		var rows []struct {
			Op ledger.HistoryRecord `json:"op"`
		}
		if err := json.Unmarshal(x.Response.Result, &rows); err != nil {
			t.Fatal(err)
		}
		seen := map[ledger.HistoryID]bool{}
		for _, row := range rows {
			if !seen[row.Op.ID] && row.Op.BlockNum > 47 {
				seen[row.Op.ID] = true
				list = append([]ledger.HistoryRecord{row.Op}, list...)
			}
		}
	})
	return list
}

func eachLine(t *testing.T, path string, do func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// transferMany makes the 150 transfers that the recording does not list. The
// histories show all but the first two; the memo of the second is made up, so
// from block 50 on the ids are not the recorded ones.
func (sc *scenario) transferMany() {
	sc.t.Helper()
	shown := manyTransfers(sc.t)
	memo, err := ledger.EncryptMemo(sc.keys[0], sc.keys[3].Public(), 1, "payment 1")
	if err != nil {
		sc.t.Fatal(err)
	}
	sc.mineTo(49)
	sc.transfer(&ledger.TransferOp{Amount: ledger.AssetAmount{Amount: 1000_0000}})
	sc.transfer(&ledger.TransferOp{Amount: ledger.AssetAmount{Amount: 2000_0000}, Memo: &memo})
	for _, r := range shown {
		sc.mineTo(r.BlockNum - 1)
		sc.transfer(r.Op.Body.(*ledger.TransferOp))
	}
	sc.mineTo(52)
}

// transfer pays from nathan to alice. Some of the payments are the same; as the
// reference wallet does, each then expires a second later.
func (sc *scenario) transfer(op *ledger.TransferOp) {
	sc.t.Helper()
	op.Fee.Amount, op.From, op.To = 100000, 16, ledger.AccountID(17).Object()
	tx := &ledger.SignedTransaction{}
	tx.Operations = []ledger.Operation{ledger.NewOperation(op)}
	tx.Expiration = sc.s.head().Time + 30
	for id, err := sc.current(tx).ID(); err == nil && sc.s.chain.Knows(id); id, err = sc.current(tx).ID() {
		tx.Expiration, tx.Signatures = tx.Expiration+1, nil
	}
	sc.wallet.get(nil, "network_broadcast", "broadcast_transaction", sc.current(tx))
}
