package walletapi

import (
	"context"

	"billfold/walletcore"
	"billfold/walletcore/fault"
)

func keyMethods() []Method {
	const group = "Wallet and keys"
	account := Param{Name: "account_name_or_id", Kind: Text}
	importing := Question{Sentence: "store a private key for {account_name_or_id}"}
	wif := Param{Name: "wif_key", Kind: Text, Help: "private key 5…", Secret: true}
	return []Method{
		{Name: "is_new", Group: group, Touches: Reads, Reach: ReachChain, Pace: PaceInstant, Result: "bool", Help: "Tells whether the wallet has no password yet.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.IsNew(), nil
			}},
		{Name: "is_locked", Group: group, Touches: Reads, Reach: ReachChain, Pace: PaceInstant, Result: "bool", Help: "Tells whether the wallet is locked.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.IsLocked(), nil
			}},
		{Name: "set_password", Group: group, Touches: Password | Lock, Reach: ReachWallet, Result: "null", Secret: true,
			Params: []Param{{Name: "password", Kind: Text, Help: "the new one", Secret: true},
				{Name: "old_password", Kind: Text, Optional: true, Help: "the present one; needed over RPC when a policy or tokens are on", Secret: true}},
			Question: Question{"set the password of this wallet", "password"},
			Help:     "Sets the first password of a new wallet, or another one of an unlocked wallet; saved at once, and the wallet is locked then.",
			handle:   setPassword},
		{Name: "unlock", Group: group, Touches: Lock, Reach: ReachWallet, Result: "null", Secret: true, Help: "Unlocks the wallet, for a time if one is given.",
			Params: []Param{{Name: "password", Kind: Text, Secret: true}, {Name: "seconds", Kind: Uint32, Optional: true, Help: "lock again after so many seconds, at most 7 days; 0 = until lock"}},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				if seconds := a.uint32(1); seconds > 0 {
					return nil, w.UnlockFor(ctx, a.text(0), walletcore.OpenSeconds(int64(seconds)))
				}
				return nil, w.Unlock(ctx, a.text(0))
			}},
		{Name: "lock", Group: group, Pace: PaceUrgent, Touches: Lock, Reach: ReachWallet, Result: "bool: false if it was locked already", Help: "Locks the wallet and wipes its keys from memory.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) { return w.Lock(), nil }},
		{Name: "import_key", Group: group, Touches: Keys, Reach: ReachWallet, Params: []Param{account, wif}, NeedsUnlock: true, Secret: true, Question: importing, Result: "bool: the key belongs to the account now",
			Help: "Stores a private key for an account; of an owner key also the active and memo keys derived from it.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.ImportKey(ctx, a.text(0), a.text(1))
			}},
		{Name: "import_single_key", Group: group, Touches: Keys, Reach: ReachWallet, Params: []Param{account, wif}, NeedsUnlock: true, Secret: true, Question: importing, Result: "bool: the key belongs to the account now",
			Help: "Stores a private key for an account, that key alone.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.ImportSingleKey(ctx, a.text(0), a.text(1))
			}},
		{Name: "list_my_accounts", Group: group, Touches: Reads, Reach: ReachWallet, Result: "list of accounts", Help: "Lists the accounts whose keys were imported.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.MyAccounts(ctx)
			}},
		{Name: "remove_account", Group: group, Touches: Writes, Reach: ReachWallet, Params: []Param{account}, NeedsUnlock: true, Result: "null",
			Help: "Takes an account off the wallet's list; its keys stay, and importing one of them lists it again.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return nil, w.RemoveAccount(a.text(0))
			}},
		{Name: "dump_private_keys", Group: group, Touches: Keys, Reach: ReachWallet, NeedsUnlock: true, Secret: true, Question: Question{"export all private keys", "export"}, Result: "{ec_keys, el_gamal_keys}: lists of [public, private]",
			Help: "Shows every private key in clear text.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.DumpPrivateKeys()
			}},
		{Name: "get_private_key", Group: group, Touches: Keys, Reach: ReachWallet, Params: []Param{{Name: "pubkey", Kind: Key}}, NeedsUnlock: true, Secret: true, Question: Question{"export the private key of {pubkey}", "export"}, Result: "private key as text",
			Help: "Shows the private key of a public key in this wallet.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.PrivateKeyOf(a.key(0))
			}},
		{Name: "get_public_key", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "wif_private_key", Kind: Text, Secret: true}}, Secret: true, Result: "public key",
			Help: "Gives the public key of a private key; nothing is stored.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.PublicKeyOf(a.text(0))
			}},
		{Name: "suggest_brain_key", Group: group, Touches: Reads, Reach: ReachChain, Secret: true, Result: "{brain_priv_key, wif_priv_key, pub_key}", Help: "Makes a new random brain key; nothing is stored.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.SuggestBrainKey()
			}},
		{Name: "get_brain_key_info", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "brain_key", Kind: Text, Secret: true}}, Secret: true,
			Result: "{brain_priv_key, wif_priv_key, pub_key}", Help: "Normalises a brain key and shows the owner key it gives.",
			handle: func(_ context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.BrainKeyInfo(a.text(0)), nil
			}},
	}
}

// setPassword changes a password with the old one where that was given, or has to be.
func setPassword(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
	switch old := a.text(1); {
	case old != "" && !w.IsNew():
		return nil, w.ChangePassword(ctx, old, a.text(0))
	case a.guarded && !w.IsNew():
		if err := w.CheckOpen("set_password"); err != nil {
			return nil, err
		}
		return nil, &fault.Error{Code: fault.TooFewParameters, Message: "set_password needs the old password as well here",
			Hint: "give it as the second parameter, or as old_password; the password is as it was"}
	}
	return nil, w.SetPassword(a.text(0))
}
