package walletcore_test

import (
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// payByProposal makes alice pay bobby by proposals that she approves, without the wallet.
func (s *queueFixture) payByProposal(amounts ...int64) {
	s.Helper()
	client := daemonclient.New(daemonclient.Config{URL: s.Box.URL()})
	testwallet.Run(s, client.Run)
	must(s, client.WaitOnline(s.Ctx))
	alice, err := s.Wallet.View.Accounts.Get(s.Ctx, "alice")
	must(s, err)
	push := func(body ledger.Body) {
		d, err := client.DynamicGlobalProperties(s.Ctx)
		must(s, err)
		tx := ledger.SignedTransaction{
			Transaction: ledger.Transaction{Expiration: d.Time + 600, Operations: []ledger.Operation{ledger.NewOperation(body)}},
		}
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(d.HeadBlockID)
		digest, err := tx.Digest(s.Box.ChainID())
		must(s, err)
		tx.Signatures = []ledger.Signature{ledger.DeriveKey("billfold sandbox alice", 0).Sign(digest)}
		must(s, client.BroadcastTransaction(s.Ctx, &tx))
		s.mine(1)
	}
	fee := ledger.AssetAmount{Amount: 1_0000_0000}
	for n, amount := range amounts {
		op := &ledger.TransferObsoleteOp{Fee: fee, From: alice.ID, To: ledger.AccountID(bobby), Amount: ledger.AssetAmount{Amount: amount}}
		push(&ledger.ProposalCreateOp{Fee: fee, FeePayingAccount: alice.ID, ExpirationTime: ledger.Time(time.Now().Add(time.Hour).Unix()),
			ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(op)}}})
		push(
			&ledger.ProposalUpdateOp{
				Fee: fee, FeePayingAccount: alice.ID, Proposal: ledger.ProposalID(n),
				ActiveApprovalsToAdd: []ledger.AccountID{alice.ID},
			},
		)
	}
}

// Deposits by proposals are only one daemon's word here. They are skipped, however many
// there are, and do not hold up later deposits.
func TestDepositsByProposalsHoldUpNothing(t *testing.T) {
	bothWays(t, func(s *queueFixture) {
		s.clear()
		s.payByProposal(7_0000_0000, 8_0000_0000, 9_0000_0000)
		s.pay("12.25", "order 77")
		s.mine(6)
		rows, err := s.Wallet.History.Entries(s.Ctx, bobby, 0, 4)
		must(s, err)
		if len(rows) < 4 || rows[1].Amount != 9_0000_0000 {
			t.Fatalf("the proposals paid nothing: %+v", rows)
		}
		for _, limit := range []uint32{1, 2, 10} {
			list := s.next(limit)
			if len(list) != 1 || list[0].Amount != "1225000000" || list[0].Proof != "signatures" {
				t.Errorf("at most %d: %+v", limit, list)
			}
		}
		s.ack(s.next(1)[0].Position)
		if list := s.next(10); len(list) != 0 {
			t.Errorf("left: %+v", list)
		}
	})
}
