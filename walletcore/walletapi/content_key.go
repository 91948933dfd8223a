package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

type elGamalParams struct {
	Consumer string `json:"consumer" role:"account" help:"account name or id; it must have one active key"`
}

type restoreKeyParams struct {
	Account string          `json:"account" role:"account" help:"name or id of the account that bought it"`
	Buying  ledger.BuyingID `json:"buying" help:"the purchase, as search_my_purchases shows it"`
}

// contentKeyMethods returns the operations that restore the keys of bought content.
func contentKeyMethods() []*Method {
	return []*Method{
		// It changes nothing, but who may only read has no use for it: like the package that it opens, it is for those who may extract.
		write("restore_encryption_key", doc{Help: "Restores the key of content that an account bought, once it was delivered.", Unlocked: true, Secret: true,
			Result: "a number followed by a dot", Examples: []string{"alice 2.12.0"}}, restoreContentKey),
	}
}

// elGamalMethods returns the operations that show the El Gamal key pair of an account.
func elGamalMethods() []*Method {
	return []*Method{
		keys("get_el_gammal_key", doc{Help: "Shows the El Gamal key pair of an account, with which content is bought and decrypted.",
			Question: Question{"export the El Gamal key of {consumer}", "export"}, Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p elGamalParams) (none vault.ElGamalNumbers, err error) {
				account, err := w.View.Accounts.Get(ctx, p.Consumer)
				if err != nil {
					return none, err
				}
				key, err := txbuild.ReadingKey("get_el_gammal_key", account)
				if err != nil {
					return none, err
				}
				return vault.ElGamalOf(w.Vault, "get_el_gammal_key", key)
			}),
	}
}

// restoreContentKey restores a content key with the El Gamal key pair that the content was bought with, which must be in the wallet. Error:
// fault.NoSuchPurchase for that of another account, also of one in this wallet: a token may be limited to the first.
func restoreContentKey(ctx context.Context, w *Core, p restoreKeyParams) (ledger.KeyText, error) {
	account, err := w.View.Accounts.Get(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	bought, err := w.View.Purchases.ByID(ctx, p.Buying)
	if err != nil {
		return nil, err
	}
	if bought.Consumer != account.ID {
		return nil, &fault.Error{Code: fault.NoSuchPurchase, Op: "restore_encryption_key", Message: "the account " + account.Name + " did not make the purchase " + p.Buying.String(),
			Hint: "name the account that did; search_my_purchases shows what an account bought"}
	}
	content, err := w.View.Contents.Get(ctx, bought.URI)
	if err != nil {
		return nil, err
	}
	return vault.RestoreContentKey(w.Vault, "restore_encryption_key", bought.PubKey, bought.KeyParticles, content.Quorum)
}
