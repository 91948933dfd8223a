package walletcore_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/proposal"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// stranger is a hostile issuer. Each of his actions uses a new wallet, which has pinned nothing.
type stranger struct {
	t     *testing.T
	alice *testwallet.Wallet
	asset ledger.AssetID
}

func (s *stranger) act(do func(w *testwallet.Wallet)) {
	s.t.Helper()
	w := testwallet.On(s.t, s.alice.Box, s.alice.Box.URL(), nil)
	w.Hold("bobby")
	do(w)
	s.alice.Mine()
}

func (s *stranger) sends(body ledger.Body) {
	s.t.Helper()
	s.act(func(w *testwallet.Wallet) { w.Send(ledger.NewOperation(body)) })
}

// create creates BOBFOUR, with four decimals, and issues none of it.
func (s *stranger) create() {
	s.t.Helper()
	s.act(func(w *testwallet.Wallet) {
		_, err := w.Payments.Spend(w.Ctx, txbuild.NewRequest("create_user_issued_asset", txbuild.CreateUserIssuedAssetParams{
			Issuer: "bobby", Symbol: "BOBFOUR", Precision: 4, Description: "x", MaxSupply: 1_0000_0000_0000,
			Rate: ledger.Price{Base: ledger.AssetAmount{Amount: 1}, Quote: ledger.AssetAmount{Amount: 1, AssetID: 1}},
		}, txbuild.CreateUserIssuedAsset), payment.Sending{Broadcast: true})
		testwallet.Must(s.t, err)
	})
	s.act(func(w *testwallet.Wallet) {
		a, err := w.View.Assets.Get(w.Ctx, "BOBFOUR")
		testwallet.Must(s.t, err)
		s.asset = a.ID
	})
}

// propose proposes that alice pays 0.0005 BOBFOUR.
func (s *stranger) propose() {
	s.t.Helper()
	s.act(func(w *testwallet.Wallet) {
		_, err := w.Payments.Spend(w.Ctx, txbuild.NewRequest("propose_transfer", txbuild.ProposeTransferParams{
			Proposer: "bobby", From: "alice", To: "bobby", Amount: "0.0005", Asset: "BOBFOUR",
			Expiration: ledger.TimeOf(time.Now().Add(time.Hour)),
		}, txbuild.ProposeTransfer), payment.Sending{Broadcast: true})
		testwallet.Must(s.t, err)
	})
}

// change removes the decimals, which is allowed while nothing is issued, and then issues 7 units to alice.
func (s *stranger) change() {
	s.t.Helper()
	bobby := s.alice.Account("bobby").ID
	s.sends(&ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: bobby, AssetToUpdate: s.asset})
	s.sends(&ledger.AssetIssueOp{Issuer: bobby, IssueToAccount: s.alice.Account("alice").ID,
		AssetToIssue: ledger.AssetAmount{Amount: 7, AssetID: s.asset}})
	s.alice.View.Chain.Forget()
}

// A stranger who changes his own asset puts only the amounts of that asset in doubt.
func TestAssetInDoubtAffectsNothingElse(t *testing.T) {
	for known, learn := range map[string]func(*stranger, *historyindex.Index){
		"looked up": func(s *stranger, _ *historyindex.Index) {
			_, err := s.alice.View.Assets.Get(s.alice.Ctx, "BOBFOUR")
			testwallet.Must(t, err)
		},
		"in the history": func(s *stranger, x *historyindex.Index) {
			s.alice.Until("the name in the index", func() bool {
				_, err := s.alice.Box.Mine()
				testwallet.Must(t, err)
				all, err := x.Assets(s.alice.Ctx)
				return err == nil && all[s.asset].Symbol == "BOBFOUR"
			})
		},
	} {
		t.Run(known, func(t *testing.T) {
			index, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
			testwallet.Must(t, err)
			t.Cleanup(func() { _ = index.Close() })
			box := testwallet.Ledger(t, sandbox.Options{})
			alice := testwallet.On(t, box, box.URL(), func(c *walletcore.Config) { c.Index = index })
			alice.Hold("alice")
			alice.Mine()
			s := &stranger{t: t, alice: alice}
			s.create()
			s.propose()
			learn(s, index)
			s.change()
			s.seen()
			s.refused()
		})
	}
}

// inDoubt is the text shown for 7 units of the stranger's asset.
const inDoubt = "7 BOBFOUR (smallest units, decimals in doubt)"

// seen checks what the wallet still shows and pays.
func (s *stranger) seen() {
	s.t.Helper()
	w, t := s.alice, s.t
	latest, err := w.History.Latest(w.Ctx, "alice", 10)
	testwallet.Must(t, err)
	entries, err := w.History.Entries(w.Ctx, w.Account("alice").ID, 0, 10)
	testwallet.Must(t, err)
	if len(latest) == 0 || len(entries) == 0 || !strings.Contains(entries[0].Sentence, inDoubt) {
		t.Errorf("the history says %+v", entries)
	}
	rows, err := w.View.Assets.Balances(w.Ctx, w.Account("alice").ID)
	testwallet.Must(t, err)
	var shown []string
	for _, row := range rows {
		shown = append(shown, row.Asset.Format(row.Amount))
	}
	all := strings.Join(shown, "; ")
	for _, part := range []string{inDoubt, " DCT; ", " ALX.GOLD"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not in the balances %s", part, all)
		}
	}
	pretty, err := w.View.PrettyBalances(w.Ctx, "alice")
	testwallet.Must(t, err)
	if last := pretty[len(pretty)-1]; last.Pretty != inDoubt || last.Amount != 7 {
		t.Errorf("list_account_balances: %+v", last)
	}
	listed, err := w.View.Assets.List(w.Ctx, "", 100)
	testwallet.Must(t, err)
	for _, row := range listed {
		if strings.Contains(string(row), `"BOBFOUR"`) != strings.Contains(string(row), `"in_doubt":"`) {
			t.Errorf("list_assets: %s", row)
		}
	}
	proposals, err := proposal.NewReader(w.View, w.Vault, w.Build).Own(w.Ctx)
	testwallet.Must(t, err)
	if text := proposals[0].Operations[0].Sentence; !strings.Contains(text, "5 BOBFOUR (smallest units, decimals in doubt)") {
		t.Errorf("the proposal says %q", text)
	}
	w.Pay("alice", "bobby", "1", "")
	gold := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "ALX.GOLD"}
	_, err = w.Transfer(gold, payment.Sending{Broadcast: true})
	testwallet.Must(t, err)
}

// refused checks that what is in doubt cannot be paid, looked up or approved.
func (s *stranger) refused() {
	s.t.Helper()
	w, t := s.alice, s.t
	proposals, err := proposal.NewReader(w.View, w.Vault, w.Build).Own(w.Ctx)
	testwallet.Must(t, err)
	shown := w.View.Pins.AssetOr(ledgerview.AssetRef{ID: s.asset}).Symbol
	for name, try := range map[string]func() error{
		"transfer": func() error {
			_, err := w.Transfer(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "BOBFOUR"}, payment.Sending{})
			return err
		},
		"as it is shown": func() error {
			_, err := w.Transfer(txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: shown}, payment.Sending{})
			return err
		},
		"operation": func() error {
			_, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("operations", txbuild.OperationsParams{Operations: []ledger.Operation{
				ledger.NewOperation(&ledger.TransferOp{From: w.Account("alice").ID, To: w.Account("bobby").ID.Object(),
					Amount: ledger.AssetAmount{Amount: 5, AssetID: s.asset}}),
			}}, txbuild.Operations))
			return err
		},
		"approval": func() error {
			_, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("approve_proposal", txbuild.ApproveProposalParams{
				Payer: "alice", Proposal: proposals[0].ID.String(), Delta: txbuild.ApprovalDelta{ActiveAdd: []string{"alice"}},
			}, txbuild.ApproveProposal))
			return err
		},
		"look-up": func() error { _, err := w.View.Assets.Get(w.Ctx, s.asset.String()); return err },
	} {
		text := faulttest.Refused(t, try(), fault.DaemonContradicts).Error()
		for _, part := range []string{"0 decimals", "4 decimals", "issuer", "pins forget BOBFOUR"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in %q", name, part, text)
			}
		}
	}
}
