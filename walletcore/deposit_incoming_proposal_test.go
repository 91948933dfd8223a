package walletcore_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// logged is a log that a test can read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

func (l *logged) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// pool returns a wallet of alice and bobby with two daemons, of which it asks quorum. The relay in
// front of the second may lie.
func pool(t *testing.T, quorum int) (*testwallet.Wallet, *testwallet.Relay, *logged) {
	t.Helper()
	log := &logged{}
	s, r := testwallet.OpenOnTwo(t, quorum, slog.New(slog.NewTextHandler(log, nil)), "alice", "bobby")
	return s, r, log
}

// payByProposal makes alice pay bobby by a proposal that she approves.
func payByProposal(s *testwallet.Wallet, amount int64) {
	s.T.Helper()
	byProposal(s, &ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 1_0000_0000}, From: s.Account("alice").ID, To: s.Account("bobby").ID,
		Amount: ledger.AssetAmount{Amount: amount}})
}

// byProposal makes alice do something by a proposal that she approves.
func byProposal(s *testwallet.Wallet, body ledger.Body) {
	s.T.Helper()
	alice, op := s.Account("alice").ID, ledger.NewOperation(body)
	for _, body := range []ledger.Body{
		&ledger.ProposalCreateOp{FeePayingAccount: alice, ExpirationTime: ledger.Time(time.Now().Add(time.Hour).Unix()), ProposedOps: []ledger.ProposedOperation{{Op: op}}},
		&ledger.ProposalUpdateOp{FeePayingAccount: alice, ActiveApprovalsToAdd: []ledger.AccountID{alice}},
	} {
		s.Send(ledger.NewOperation(body))
		s.Mine()
	}
}

// incoming returns bobby's row with an amount.
func incoming(s *testwallet.Wallet, amount int64) history.Entry {
	s.T.Helper()
	rows, err := s.History.Entries(s.Ctx, s.Account("bobby").ID, 0, 20)
	testwallet.Must(s.T, err)
	for _, row := range rows {
		if row.Amount == amount {
			return row
		}
	}
	s.T.Fatalf("there is no row of %d", amount)
	return history.Entry{}
}

// What a proposal did is in no block. It can be relied on if proposals execute at its
// position and several daemons agree on it.
func TestDepositByProposal(t *testing.T) {
	for quorum, want := range map[int]history.Proof{1: history.ProofWithheld, 2: history.ProofDaemons} {
		s, r, log := pool(t, quorum)
		payByProposal(s, 7_0000_0000)
		s.Pay("alice", "bobby", "8", "")
		for range 5 {
			s.Mine()
		}
		bobby := s.Account("bobby").ID
		s.Until("the proof", func() bool { return s.Status().Irreversible >= incoming(s, 8_0000_0000).Block })
		judge := func(change func(*history.Entry)) (history.Proof, error) {
			row := incoming(s, 7_0000_0000)
			change(&row)
			rows := []history.Entry{row, incoming(s, 8_0000_0000)}
			n, err := s.Deposits.Prove(s.Ctx, bobby, rows)
			if err == nil && (n != 2 || rows[1].Proof != history.ProofSignatures) {
				t.Errorf("quorum %d: of both %d are judged, the second by %d", quorum, n, rows[1].Proof)
			}
			return rows[0].Proof, err
		}
		for range 2 {
			if got, err := judge(func(*history.Entry) {}); got != want || err != nil {
				t.Errorf("quorum %d: what the proposal paid is proven by %d, want %d (%v)", quorum, got, want, err)
			}
		}
		if told := log.count("a deposit is withheld"); told != map[int]int{1: 1, 2: 0}[quorum] {
			t.Errorf("quorum %d: the log tells %d times of it:\n%s", quorum, told, log.all())
		}
		if got, err := judge(func(e *history.Entry) { e.Amount = 999_0000_0000 }); got != history.ProofWithheld || err != nil {
			t.Errorf("quorum %d: more than the proposal paid is proven by %d, %v", quorum, got, err)
		}
		for name, change := range map[string]func(*history.Entry){
			"a transaction that there is not": func(e *history.Entry) { e.TrxInBlock, e.VirtualOp = 65535, 1 },
			"no operation of it":              func(e *history.Entry) { e.OpInTrx = 9 },
			"an ordinary transfer": func(e *history.Entry) {
				*e = incoming(s, 8_0000_0000)
				e.VirtualOp = 1
			},
		} {
			if _, err := judge(change); fault.CodeOf(err) != fault.DaemonContradicts {
				t.Errorf("quorum %d: %s paid by a proposal: %v", quorum, name, err)
			}
		}
		if quorum == 2 {
			r.Set(func(r *testwallet.Relay) {
				r.Swap = func(answer string) string { return strings.ReplaceAll(answer, "700000000", "900000000") }
			})
			if got, err := judge(func(*history.Entry) {}); got != history.ProofWithheld || err != nil || log.count(r.URL) == 0 {
				t.Errorf("what daemons disagree on is proven by %d, %v", got, err)
			}
			r.Set(func(r *testwallet.Relay) { r.Swap = nil })
		}
		for name, change := range map[string]func(*history.Entry){
			"the record of something else": func(e *history.Entry) { e.ID-- },
			"a record that there is not":   func(e *history.Entry) { e.ID += 1000 },
			"another virtual operation":    func(e *history.Entry) { e.VirtualOp++ },
			"another payer":                func(e *history.Entry) { e.From.ID++ },
			"another asset":                func(e *history.Entry) { e.Asset.ID++ },
			"a memo that it has not":       func(e *history.Entry) { e.Memo, e.MemoState = "rent", vault.MemoPlain },
		} {
			if got, err := judge(change); got != history.ProofWithheld || err != nil {
				t.Errorf("quorum %d: with %s, it is proven by %d, %v", quorum, name, got, err)
			}
		}
		if told := log.count("the daemons agree that there is no such record"); told == 0 != (quorum < 2) {
			t.Errorf("quorum %d: the log tells %d times that there is no such record", quorum, told)
		}
		if quorum < 2 {
			continue
		}
		r.HangUp(true)
		rows := []history.Entry{incoming(s, 7_0000_0000)}
		if n, err := s.Deposits.Prove(s.Ctx, bobby, rows); n != 0 || err == nil || rows[0].Proof == history.ProofDaemons {
			t.Errorf("while they cannot be asked, %d rows are judged, %v", n, err)
		}
	}
}

// What changed an account is what its block has, or, for the result of a proposal, what a quorum of daemons has under the number of
// the row; a row that is nothing of both is a contradiction.
func TestAChangeOfAnAccountIsProven(t *testing.T) {
	s, r, _ := pool(t, 2)
	alice := s.Account("alice")
	changed := alice.Options
	changed.AllowSubscription, changed.SubscriptionPeriod, changed.PricePerSubscribe.Amount = true, 30, 5
	update := &ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 1_0000_0000}, Account: alice.ID, NewOptions: &changed}
	byProposal(s, update)
	s.Send(ledger.NewOperation(&ledger.AccountUpdateOp{Account: alice.ID, NewOptions: &alice.Options}))
	last := s.Mine().Num()
	for range 5 {
		s.Mine()
	}
	s.Until("the proof", func() bool { return s.Status().Irreversible >= last+1 })
	var rows []history.Entry // the newer one first
	all, err := s.History.Entries(s.Ctx, alice.ID, 0, 20)
	testwallet.Must(t, err)
	for _, row := range all {
		if row.Code == ledger.CodeAccountUpdate {
			rows = append(rows, row)
		}
	}
	if len(rows) < 2 {
		t.Fatalf("the history has %d changes", len(rows))
	}
	direct, proposed := rows[0], rows[1]
	text, op, err := s.Deposits.Update(s.Ctx, alice.ID, direct)
	if _, bad := ledger.ParseTransactionID(text); err != nil || bad != nil || op.NewOptions.AllowSubscription {
		t.Errorf("of a change in a block it says %s, %+v, %v", text, op, err)
	}
	text, op, err = s.Deposits.Update(s.Ctx, alice.ID, proposed)
	if err != nil || text != proposed.ID.String() || !op.NewOptions.AllowSubscription {
		t.Errorf("of a change by a proposal it says %s, %+v, %v", text, op, err)
	}
	for name, change := range map[string]func(*history.Entry){
		"no record":          func(e *history.Entry) { e.ID += 1000 },
		"another block":      func(e *history.Entry) { e.Block, e.TrxInBlock, e.OpInTrx = last+1, 0, 0 },
		"another record":     func(e *history.Entry) { e.ID = all[len(all)-1].ID },
		"a place for no one": func(e *history.Entry) { e.OpInTrx = 9 },
	} {
		row := proposed
		change(&row)
		if text, op, err := s.Deposits.Update(s.Ctx, alice.ID, row); fault.CodeOf(err) != fault.DaemonContradicts || op != nil || text != "" {
			t.Errorf("with %s it says %s, %+v, %v", name, text, op, err)
		}
	}
	if _, op, err := s.Deposits.Update(s.Ctx, bobby, proposed); fault.CodeOf(err) != fault.DaemonContradicts || op != nil {
		t.Errorf("of another account it says %+v, %v", op, err)
	}
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			return strings.ReplaceAll(answer, `"subscription_period":30`, `"subscription_period":3`)
		}
	})
	if _, op, err := s.Deposits.Update(s.Ctx, alice.ID, proposed); fault.CodeOf(err) != fault.DaemonsDisagree || op != nil {
		t.Errorf("where daemons disagree it says %+v, %v", op, err)
	}
}

// Rows are judged in their order, and each by all that it says, the memo too; those before the first one that its block does not have
// are proven.
func TestRowsAreJudgedUpToTheFirstThatIsWrong(t *testing.T) {
	s, _, _ := testwallet.OpenBehindRelay(t)
	for n, memo := range []string{"rent", "", "order 7"} {
		s.Pay("alice", "bobby", fmt.Sprint(n+1), memo)
		s.Mine()
	}
	for range 6 {
		s.Mine()
	}
	var rows []history.Entry
	for n := range 3 {
		rows = append(rows, incoming(s, int64(n+1)*1_0000_0000))
	}
	s.Until("the proof", func() bool { return s.Status().Irreversible >= rows[2].Block })
	bobby := s.Account("bobby").ID
	if n, err := s.Deposits.Prove(s.Ctx, bobby, slices.Clone(rows)); n != 3 || err != nil {
		t.Fatalf("%d rows are judged, %v", n, err)
	}
	for name, change := range map[string]func(*history.Entry){
		"another memo":        func(e *history.Entry) { e.Memo = "order 8" },
		"no memo":             func(e *history.Entry) { e.Memo, e.MemoState = "", vault.MemoNone },
		"a memo for no one":   func(e *history.Entry) { e.MemoState = vault.MemoPlain },
		"another amount":      func(e *history.Entry) { e.Amount++ },
		"another asset":       func(e *history.Entry) { e.Asset.ID++ },
		"another payer":       func(e *history.Entry) { e.From.ID++ },
		"another operation":   func(e *history.Entry) { e.OpInTrx++ },
		"a virtual operation": func(e *history.Entry) { e.VirtualOp++ },
	} {
		for _, at := range []int{0, 2} {
			wrong := slices.Clone(rows)
			if at == 0 {
				wrong[0] = rows[2]
			}
			change(&wrong[at])
			n, err := s.Deposits.Prove(s.Ctx, bobby, wrong)
			if n != at || (err != nil) != (at == 0) || err != nil && fault.CodeOf(err) != fault.DaemonContradicts {
				t.Errorf("with %s in row %d, %d rows are judged, %v", name, at, n, err)
			}
		}
	}
	if n, err := s.Deposits.Prove(s.Ctx, s.Account("carol").ID, slices.Clone(rows)); n != 0 || fault.CodeOf(err) != fault.DaemonContradicts {
		t.Errorf("for another account %d rows are judged, %v", n, err)
	}
	locked := rows[2] // read while the wallet was locked
	locked.Memo, locked.MemoState = "", vault.MemoLocked
	plain := rows[1]
	plain.MemoState = vault.MemoLocked
	for want, row := range map[int]history.Entry{1: locked, 0: plain} {
		if n, err := s.Deposits.Prove(s.Ctx, bobby, []history.Entry{row}); n != want {
			t.Errorf("of a row whose memo was not read, %d are judged, want %d (%v)", n, want, err)
		}
	}
}

// A block whose transactions are not those that its miner signed is a fault of the daemon: it is told, and not waited for.
func TestABlockWithOtherTransactionsIsToldOf(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	s.Pay("alice", "bobby", "8", "")
	for range 6 {
		s.Mine()
	}
	row := incoming(s, 8_0000_0000)
	s.Until("the proof", func() bool { return s.Status().Irreversible >= row.Block })
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			return strings.ReplaceAll(answer, `"amount":800000000`, `"amount":900000000`)
		}
	})
	rows := []history.Entry{row}
	if n, err := s.Deposits.Prove(s.Ctx, s.Account("bobby").ID, rows); n != 0 || err == nil {
		t.Errorf("%d rows are judged: %v", n, err)
	}
	r.Set(func(r *testwallet.Relay) { r.Swap = nil })
	if n, err := s.Deposits.Prove(s.Ctx, s.Account("bobby").ID, rows); n != 1 || err != nil || rows[0].Proof != history.ProofSignatures {
		t.Errorf("once the daemon is honest %d rows are judged: %v", n, err)
	}
}
