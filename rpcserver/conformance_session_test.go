package rpcserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore/testwallet"
)

// TestConformanceOnSandbox replays the recording in order with one wallet on one sandbox,
// which starts from the recorded genesis and makes its blocks at the recorded times.
// Transactions of the reference that the wallet cannot make yet are signed again and
// broadcast as recorded. So ids, balances, fees and histories develop as recorded, and
// each answer is compared with the reference's, except for what depends on the bytes of
// transactions: our payments are operation 0 with different memos.
func TestConformanceOnSandbox(t *testing.T) {
	t.Parallel()
	rec := readRecording(t)
	s := newSession(t, rec)
	names, listed := append(offered(rec), envelopeOnly...), readDifferences(t)
	var out leftOut
	var sum outcomeCount
	for at := range rec.exchanges {
		x := &rec.exchanges[at]
		s.daemon.move(at)
		s.mineTo(headOf(x))
		if x.Case == 505 {
			s.transferMany()
		}
		method := x.call().Method
		if !slices.Contains(names, method) {
			s.applyRecorded(x)
			out.add(x)
			continue
		}
		got, outcome := s.compareHere(x, nextHead(rec.exchanges[at+1:]), listed)
		switch {
		case outcome == "equal":
			sum.equal++
		case outcome == "listed":
			sum.listed++
		case differsOnLedger[x.Case] != "":
			sum.listed++
		default:
			sum.different++
			t.Errorf("case %d %s: %s\n     asked %s\n       got %s", x.Case, method, outcome, short(x.body()), short(string(got.body)))
		}
	}
	t.Logf("in order on a sandbox: %d equal, %d listed, %d DIFFERENT; %s", sum.equal, sum.listed, sum.different, out)
	if out.cases > 0 {
		t.Error("every recorded case must be compared")
	}
}

// differsOnLedger are cases that a wallet on a real ledger answers differently, with the reason.
var differsOnLedger = map[int]string{
	4:   "the sandbox has a version of its own",
	72:  "the sandbox lets nobody ask for its peers unless it is told to",
	68:  "on the sandbox a block is final two blocks later",
	505: "here it has 150 rows; of the reference's 150 two are there twice",
}

// session is a fixture for the whole recording, on a sandbox.
type session struct {
	fixture
	rec    *recording
	box    *sandbox.Sandbox
	client *daemonclient.Client
	clock  time.Time
	head   uint32
	ids    map[string]string // of recorded transactions, and of those made here in their place
}

func newSession(t *testing.T, rec *recording) *session {
	t.Helper()
	s := &session{rec: rec, clock: recordedTime(1), ids: map[string]string{}}
	s.fixture = fixture{t: t, daemon: &recordedDaemon{rec: rec}, path: filepath.Join(testwallet.Folder(t), "keystore")}
	text, err := os.ReadFile("../sandbox/testdata/genesis.json")
	s.must(err)
	genesis, err := sandbox.ReadGenesis(text)
	s.must(err)
	keys := []ledger.PrivateKey{}
	for _, key := range rec.keys {
		keys = append(keys, key)
	}
	s.box, err = sandbox.New(sandbox.Options{
		Genesis: genesis, MinerKeys: keys, Listen: "127.0.0.1:0", Now: func() time.Time { return s.clock },
	})
	s.must(err)
	ctx, cancel := context.WithCancel(t.Context())
	s.client = daemonclient.New(daemonclient.Config{URL: s.box.URL()})
	ended := make(chan error, 4)
	go func() { ended <- s.box.Run(ctx) }()
	go func() { ended <- s.client.Run(ctx) }()
	s.must(s.client.WaitOnline(ctx))
	s.fixture.open(ctx, s.client)
	go func() { ended <- s.wallet.View.Follow(ctx) }()
	go func() { ended <- s.server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		for range 4 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		s.wallet.Vault.Lock()
	})
	return s
}

// recordedTime returns the time of the recorded block num.
func recordedTime(num uint32) time.Time {
	first := time.Date(2026, 11, 20, 10, 42, 18, 0, time.UTC)
	if num < 2 {
		return first
	}
	return first.Add(4*time.Second + 2*time.Second*time.Duration(num))
}

// headOf returns the number of the head block at an exchange, 0 if the exchange does not show it.
func headOf(x *exchange) uint32 {
	for _, c := range x.Daemon {
		var head struct {
			Number uint32 `json:"head_block_number"`
		}
		if c.Method == "get_dynamic_global_properties" && json.Unmarshal(c.Result, &head) == nil {
			return head.Number
		}
	}
	return 0
}

// mineTo makes blocks up to num and waits until the wallet has seen them.
func (s *session) mineTo(num uint32) {
	s.t.Helper()
	var id ledger.BlockID
	for s.head < num {
		s.head++
		s.clock = recordedTime(s.head)
		var err error
		id, err = s.box.Mine()
		s.must(err)
	}
	heard := func() bool { return id.Num() == 0 || s.client.Status().Head == id && s.wallet.Status().Head == num }
	for end := time.Now().Add(10 * time.Second); !heard(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the wallet never heard of block %d", num)
		}
	}
	s.must(s.wallet.Import.Claim(s.t.Context())) // as it does with every block
}

// applyRecorded makes the changes of ledger and wallet that the reference made in an exchange.
func (s *session) applyRecorded(x *exchange) {
	s.t.Helper()
	s.runSteps(changes(x.call()))
	for _, sent := range x.broadcasts() {
		var params [1]ledger.SignedTransaction
		s.must(json.Unmarshal(sent.Params, &params))
		s.send(x.Case, &params[0])
	}
	if len(x.broadcasts()) > 0 && len(changes(x.call())) > 1 {
		s.runSteps(changes(x.call())) // the account exists now
	}
}

// send signs a transaction again and broadcasts it.
func (s *session) send(number int, tx *ledger.SignedTransaction) {
	s.t.Helper()
	ctx := s.t.Context()
	recorded, err := tx.ID()
	s.must(err)
	head, err := s.client.DynamicGlobalProperties(ctx)
	s.must(err)
	tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(head.HeadBlockID)
	tx.Expiration, tx.Signatures = max(tx.Expiration, head.Time+30), nil
	available := []ledger.PublicKey{}
	for key := range s.rec.keys {
		available = append(available, key)
	}
	needed, err := s.client.RequiredSignatures(ctx, tx, available)
	s.must(err)
	digest, err := tx.Digest(s.box.ChainID())
	s.must(err)
	for _, key := range needed {
		tx.Signatures = append(tx.Signatures, s.rec.keys[key].Sign(digest))
	}
	made, err := tx.ID()
	s.must(err)
	s.ids[recorded.String()] = made.String()
	if err := s.client.BroadcastTransaction(ctx, tx); err != nil {
		s.t.Errorf("case %d: the recorded transaction is refused: %v", number, err)
	}
}

// transferMany makes the 150 transfers that the recording does not list.
func (s *session) transferMany() {
	s.t.Helper()
	s.mineTo(49)
	accounts, err := s.client.LookupAccountNames(s.t.Context(), []string{"nathan", "alice"})
	s.must(err)
	nathan, alice := accounts[0].Options.MemoKey, accounts[1].Options.MemoKey
	secret, err := s.rec.secret(nathan, alice)
	s.must(err)
	for i := range int64(150) {
		text := fmt.Sprintf("0.%d", i+1)
		amount, err := ledger.ParseAmount(text, 8)
		s.must(err)
		op := &ledger.TransferOp{
			Fee: ledger.AssetAmount{Amount: 100000}, From: accounts[0].ID, To: accounts[1].ID.Object(),
			Amount: ledger.AssetAmount{Amount: amount},
		}
		if i%3 != 0 {
			memo, err := ledger.EncryptMemoWith(secret, nathan, alice, uint64(i+1), fmt.Sprintf("payment %d", i))
			s.must(err)
			op.Memo = &memo
		}
		tx := &ledger.SignedTransaction{}
		tx.Operations = []ledger.Operation{ledger.NewOperation(op)}
		tx.Expiration = ledger.TimeOf(s.clock.Add(30*time.Second)) + ledger.Time(i)
		s.send(505, tx)
		if i == 138 {
			s.mineTo(50)
		}
	}
	s.mineTo(52)
}

// nextHead returns the first block number that one of the exchanges shows.
func nextHead(later []exchange) uint32 {
	for i := range later {
		if num := headOf(&later[i]); num > 0 {
			return num
		}
	}
	return 0
}

// compareHere makes the call and compares the answer, at the head block or at a later one
// up to until, since the recording does not always show when a block came.
func (s *session) compareHere(x *exchange, until uint32, listed *differences) (got reply, outcome string) {
	s.t.Helper()
	body := s.bodyWithHandle(x)
	for recorded, made := range s.ids {
		body = strings.ReplaceAll(body, recorded, made)
	}
	ask := func() reply {
		if x.Transport == "ws" {
			return s.overWS(body)
		}
		return s.overHTTP(body)
	}
	want := x.recordedReply(x.Transport)
	judge := func() string {
		return listed.judge(x.Case, func() (reference, ours judged) { return s.view(x, want), s.view(x, got) })
	}
	got = ask()
	outcome = judge()
	for len(x.broadcasts()) == 0 && outcome != "equal" && outcome != "listed" && differsOnLedger[x.Case] == "" && s.head < until {
		s.mineTo(s.head + 1)
		got = ask()
		outcome = judge()
	}
	if recorded, made := transactionOf(want), transactionOf(got); recorded != "" && made != "" {
		s.ids[recorded] = made
	}
	if x.call().Method == beginBuilding {
		var answer struct{ Result json.RawMessage }
		s.must(json.Unmarshal(got.body, &answer))
		s.handles = append(s.handles, answer.Result)
	}
	return got, outcome
}

// transactionOf returns the id of the transaction that an answer is about, "" if there is none.
func transactionOf(r reply) string {
	var answer struct {
		Result struct {
			ID string `json:"transaction_id"`
		}
	}
	_ = json.Unmarshal(r.body, &answer)
	return answer.Result.ID
}

// view returns the answer without what depends on the bytes of transactions.
func (s *session) view(x *exchange, r reply) judged {
	v := judged(s.daemon.viewOf(x.call().Method, r))
	if found, ok := v["result"].(map[string]any); ok && x.call().Method == "get_transaction_by_id" {
		found["expiration"] = "any"
	}
	for name := range v {
		v[name] = s.plain(v[name])
	}
	return v
}

// plain blanks ids and signatures, decrypts memos, and gives both forms of a transfer to
// an account the same form.
func (s *session) plain(value any) any {
	switch value := value.(type) {
	case string:
		if (len(value) == 40 || len(value) == 130) && strings.Trim(value, "0123456789abcdef") == "" {
			return "hex"
		}
	case map[string]any:
		var memo ledger.Memo
		if from, ok := value["from"].(string); ok && strings.HasPrefix(from, "DCT") &&
			codec.Unmarshal([]byte(encoded(value)), &memo) == nil {
			value["message"] = s.rec.open(&memo)
		}
		if _, ofMessage := value["receiver_pubkey"]; ofMessage {
			value["data"] = "any"
		}
		for _, name := range []string{"ref_block_prefix", "nonce"} {
			if _, ok := value[name]; ok {
				value[name] = "any"
			}
		}
		for name := range value {
			value[name] = s.plain(value[name])
		}
	case []any:
		if len(value) == 2 && value[0] == number(39) {
			value[0] = number(0)
		}
		for i := range value {
			value[i] = s.plain(value[i])
		}
	}
	return value
}
