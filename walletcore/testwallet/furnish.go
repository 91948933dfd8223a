package testwallet

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// Furnish has alice, whose key the wallet must hold, create the objects that spends refer to, and mines them: her asset
// ART and tokens CARDS, the token 1.11.0, her subscription 2.15.0 to herself, the vesting balance 1.9.0, a vote, the
// proposal 1.6.0, the account pickaxe with her keys, which is a miner, and the transaction of Construct, whose handle it
// returns. The miners' account receives money for the fee of what it alone can pay.
func (w *Wallet) Furnish() (handle string) {
	w.T.Helper()
	spendAndMine(w, "create_user_issued_asset", txbuild.CreateUserIssuedAssetParams{
		Issuer: "alice", Symbol: "ART", Precision: 4, Description: "art", MaxSupply: 1_000_0000, Exchangeable: true,
		Rate: ledger.Price{Base: ledger.AssetAmount{Amount: 1}, Quote: ledger.AssetAmount{Amount: 1, AssetID: 1}},
	}, txbuild.CreateUserIssuedAsset)
	title := "title"
	spendAndMine(w, "create_non_fungible_token", txbuild.CreateNFTParams{
		Issuer: "alice", Symbol: "CARDS", Description: "cards", MaxSupply: 10, Transferable: true,
		Definitions: []ledger.NFTDataDefinition{{Modifiable: 3, Name: &title}},
	}, txbuild.CreateNFT)
	spendAndMine(w, "set_subscription",
		txbuild.SetSubscriptionParams{Account: "alice", Allow: true, Period: 30, Price: "1", Asset: "DCT"}, txbuild.SetSubscription)
	spendAndMine(w, "issue_asset", txbuild.IssueAssetParams{To: "alice", Amount: "5", Symbol: "ART"}, txbuild.IssueAsset)
	spendAndMine(w, "issue_non_fungible_token",
		txbuild.IssueNFTParams{To: "alice", Symbol: "CARDS", Data: []ledger.Variant{{Value: "first"}}}, txbuild.IssueNFT)
	spendAndMine(w, "subscribe_to_author", txbuild.SubscribeToAuthorParams{From: "alice", To: "alice", Price: "1", Asset: "DCT"},
		txbuild.SubscribeToAuthor)
	spendAndMine(w, "vote_for_miner", txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-b", Approve: true}, txbuild.VoteForMiner)
	spendAndMine(w, "vest", vestParams{Owner: "alice", Amount: "5"}, vest)
	head, err := w.View.Chain.Head(w.Ctx)
	Must(w.T, err)
	spendAndMine(w, "propose_transfer", txbuild.ProposeTransferParams{
		Proposer: "alice", From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Expiration: head.Time + aDay,
	}, txbuild.ProposeTransfer)
	KeepPackage(w.T, w.Wallet, ledger.Hash160{1}) // nobody can fetch it from there
	spendAndMine(w, "submit_content", txbuild.SubmitContentParams{Author: "alice", URI: "http://shop.example/song", Size: 1, Hash: ledger.Hash160{1},
		Prices:     []txbuild.PriceText{{Amount: []byte(`"1"`), Symbol: "DCT"}},
		Expiration: head.Time + 30*aDay, FeeAsset: "DCT", FeeAmount: "0", Synopsis: "{}"}, txbuild.SubmitContent)
	w.furnishMiner()
	spendAndMine(w, "transfer", txbuild.TransferParams{From: "alice", To: "miner-account", Amount: "1", Asset: "DCT"}, txbuild.Transfer)
	return w.Construct()
}

// furnishMiner creates an account that alice's key controls, and makes it a miner.
func (w *Wallet) furnishMiner() {
	w.T.Helper()
	alice, err := w.View.Accounts.Get(w.Ctx, "alice")
	Must(w.T, err)
	key := alice.Options.MemoKey
	spendAndMine(w, "register_account", txbuild.RegisterAccountParams{Name: "pickaxe", Owner: key, Active: key, Registrar: "alice"},
		txbuild.RegisterAccount)
	spendAndMine(w, "transfer", txbuild.TransferParams{From: "alice", To: "pickaxe", Amount: "5", Asset: "DCT"}, txbuild.Transfer)
	spendAndMine(w, "create_miner", mineParams{Account: "pickaxe", Key: key}, mine)
}

// mineParams are the parameters of mine.
type mineParams struct {
	Account string
	Key     ledger.PublicKey
}

// mine makes an account a miner with a given signing key.
func mine(ctx context.Context, b *txbuild.Builder, p mineParams) ([]ledger.Operation, error) {
	account, err := b.Payer(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	return []ledger.Operation{ledger.NewOperation(&ledger.MinerCreateOp{MinerAccount: account.ID, BlockSigningKey: p.Key})}, nil
}

const aDay = 24 * 3600 // seconds

// vestParams are the parameters of vest.
type vestParams struct{ Owner, Amount string }

// vest locks an amount that is free at once; no operation of the wallet does.
func vest(ctx context.Context, b *txbuild.Builder, p vestParams) ([]ledger.Operation, error) {
	owner, err := b.Payer(ctx, p.Owner)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, "DCT")
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	return []ledger.Operation{ledger.NewOperation(&ledger.VestingBalanceCreateOp{Creator: owner.ID, Owner: owner.ID, Amount: amount,
		Policy: ledger.VestingPolicy{Linear: &ledger.LinearVesting{}}})}, nil
}

// Construct puts a transfer of the smallest amount from alice to bobby under construction and returns its handle.
func (w *Wallet) Construct() (handle string) {
	w.T.Helper()
	const op = "begin_builder_transaction"
	person := w.Building.Of("")
	number, err := person.Begin(w.Ctx, op)
	Must(w.T, err)
	pay := ledger.NewOperation(&ledger.TransferObsoleteOp{From: w.Account("alice").ID, To: w.Account("bobby").ID,
		Amount: ledger.AssetAmount{Amount: 1}})
	_, err = w.Build.SetFees(w.Ctx, []ledger.Operation{pay})
	Must(w.T, err)
	Must(w.T, person.Add(w.Ctx, op, number, pay))
	return strconv.FormatUint(number, 10)
}

// spendAndMine makes a spend and mines it.
func spendAndMine[P any](w *Wallet, op string, p P, spend txbuild.Spend[P]) {
	w.T.Helper()
	_, err := w.Payments.Spend(w.Ctx, txbuild.NewRequest(op, p, spend), payment.Sending{Broadcast: true})
	Must(w.T, err)
	w.Mine()
}

// WatchMany puts n accounts that the ledger does not have on the list of the wallet whose keystore is at path, as
// another program would.
func WatchMany(t testing.TB, path string, n int) {
	t.Helper()
	keys, err := keystore.OpenWith(path, CheapKeys())
	Must(t, err)
	Must(t, keys.Unlock(Password))
	Must(t, keys.Update(func(c *keystore.Contents) error {
		for i := range n {
			c.AddAccount(ledger.AccountID(1_000_000+i), fmt.Sprintf("customer-%06d", i))
		}
		return nil
	}))
}
