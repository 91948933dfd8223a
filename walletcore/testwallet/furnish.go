package testwallet

import (
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/payment"
)

// Furnish has alice, whose key the wallet must hold, make what spends are about, and
// mines it: the asset ART and the tokens CARDS of hers, the token 1.11.0, her
// subscription 2.15.0 to herself, and the transaction of Construct.
func (w *Wallet) Furnish() {
	w.T.Helper()
	spendHere(w, "create_user_issued_asset", build.CreateUserIssuedAssetParams{
		Issuer: "alice", Symbol: "ART", Precision: 4, Description: "art", MaxSupply: 1_000_0000, Exchangeable: true,
		Rate: ledger.Price{Base: ledger.AssetAmount{Amount: 1}, Quote: ledger.AssetAmount{Amount: 1, AssetID: 1}},
	}, build.CreateUserIssuedAsset)
	title := "title"
	spendHere(w, "create_non_fungible_token", build.CreateNFTParams{
		Issuer: "alice", Symbol: "CARDS", Description: "cards", MaxSupply: 10, Transferable: true,
		Definitions: []ledger.NFTDataDefinition{{Modifiable: 3, Name: &title}},
	}, build.CreateNFT)
	spendHere(w, "set_subscription",
		build.SetSubscriptionParams{Account: "alice", Allow: true, Period: 30, Price: "1", Asset: "DCT"}, build.SetSubscription)
	spendHere(w, "issue_asset", build.IssueAssetParams{To: "alice", Amount: "5", Symbol: "ART"}, build.IssueAsset)
	spendHere(w, "issue_non_fungible_token", build.IssueNFTParams{To: "alice", Symbol: "CARDS", Data: []ledger.Variant{{Value: "first"}}},
		build.IssueNFT)
	spendHere(w, "subscribe_to_author", build.SubscribeToAuthorParams{From: "alice", To: "alice", Price: "1", Asset: "DCT"},
		build.SubscribeToAuthor)
	w.Construct()
}

// Construct puts a transfer of the least amount from alice to bobby under construction, under the handle 0.
func (w *Wallet) Construct() {
	w.T.Helper()
	const op = "begin_builder_transaction"
	handle, err := w.Build.Handles.Begin(op)
	Must(w.T, err)
	pay := ledger.NewOperation(&ledger.TransferObsoleteOp{From: w.Account("alice").ID, To: w.Account("bobby").ID,
		Amount: ledger.AssetAmount{Amount: 1}})
	_, err = w.Build.SetFees(w.Ctx, []ledger.Operation{pay})
	Must(w.T, err)
	Must(w.T, w.Build.Handles.Add(op, handle, pay))
}

// spendHere makes a spend that is in a block when it returns.
func spendHere[P any](w *Wallet, op string, p P, spend build.Spend[P]) {
	w.T.Helper()
	_, err := w.Payments.Spend(w.Ctx, build.NewRequest(op, p, spend), payment.Sending{Broadcast: true})
	Must(w.T, err)
	w.Mine()
}
