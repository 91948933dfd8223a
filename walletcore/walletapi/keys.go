package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

type setPasswordParams struct {
	Password    string `json:"password" secret:"true" help:"the new one"`
	OldPassword string `json:"old_password,omitempty" secret:"true" help:"the current one; required over RPC with tokens or a policy"`
}

type unlockParams struct {
	Password string `json:"password" secret:"true" help:"wallet password"`
	Seconds  uint32 `json:"seconds,omitempty" help:"lock again after so many seconds, at most 604800 (7 days); 0 = only by lock"`
}

type importKeyParams struct {
	Account string `json:"account_name_or_id" help:"name or id of the account that the key controls"`
	WIF     string `json:"wif_key" secret:"true" help:"private key 5…"`
}

type publicKeyParams struct {
	Key ledger.PublicKey `json:"pubkey" help:"public key DCT…"`
}

type wifParams struct {
	WIF string `json:"wif_private_key" secret:"true" help:"private key 5…"`
}

type brainKeyParams struct {
	BrainKey string `json:"brain_key" secret:"true" help:"words of the brain key"`
}

func keyMethods() []*Method {
	importing := Question{Sentence: "store a private key for {account_name_or_id}"}
	return []*Method{
		read("is_new", doc{Help: "Reports whether the wallet has no password yet.", Reach: ReachChain, Pace: PaceInstant},
			func(_ context.Context, w *Core, _ struct{}) (bool, error) { return w.Vault.IsNew(), nil }),
		read("is_locked", doc{Help: "Reports whether the wallet is locked.", Reach: ReachChain, Pace: PaceInstant},
			func(_ context.Context, w *Core, _ struct{}) (bool, error) { return w.Vault.IsLocked(), nil }),
		passwords(
			"set_password",
			doc{
				Help:     "Sets the password of a new or an unlocked wallet, saves it, and locks the wallet.",
				Question: Question{"set the password of this wallet", "password"}, Examples: []string{"-"},
			},
			setPassword,
		),
		locks("unlock", doc{Help: "Unlocks the wallet, for a time if one is given.", Examples: []string{"-", "- 3600"}}, unlock),
		locks("lock",
			doc{Help: "Locks the wallet and wipes its keys from memory.", Result: "false if it was locked already", Pace: PaceUrgent},
			func(_ context.Context, w *Core, _ struct{}) (bool, error) { return w.Vault.Lock(), nil }),
		inOrder(keys("import_key", doc{Help: "Stores a private key for an account, and those derived from it if it is an owner key.",
			Result: "whether the key belongs to the account now", Question: importing, Examples: []string{"alice -"}},
			func(ctx context.Context, w *Core, p importKeyParams) (bool, error) {
				return w.Import.ImportKey(ctx, p.Account, p.WIF)
			})),
		inOrder(keys("import_single_key", doc{Help: "Stores a single private key for an account.",
			Result: "whether the key belongs to the account now", Question: importing, Examples: []string{"alice -"}},
			func(ctx context.Context, w *Core, p importKeyParams) (bool, error) {
				return w.Import.ImportSingleKey(ctx, p.Account, p.WIF)
			})),
		read("list_my_accounts", doc{Help: "Lists the accounts whose keys were imported."},
			func(ctx context.Context, w *Core, _ struct{}) (rawList[ledger.Account], error) {
				return w.Own.Raw(ctx)
			}),
		write(
			"remove_account",
			doc{Help: "Removes an account from the wallet's list; its keys stay, and importing one of them lists it again.", Unlocked: true,
				Examples: []string{"alice"}},
			func(_ context.Context, w *Core, p accountParams) (null, error) {
				return nil, w.Own.Remove(p.NameOrID)
			}),
		keys("dump_private_keys", doc{Help: "Shows every private key in clear text.", Result: "each a list of pairs, the public key first",
			Question: Question{"export all private keys", "export"}},
			func(_ context.Context, w *Core, _ struct{}) (vault.KeyDump, error) { return w.Vault.DumpPrivateKeys() }),
		keys("get_private_key", doc{Help: "Shows the private key of a public key in this wallet.",
			Question: Question{"export the private key of {pubkey}", "export"}, Examples: []string{exampleKey}},
			func(_ context.Context, w *Core, p publicKeyParams) (ledger.KeyText, error) {
				return w.Vault.PrivateKeyOf(p.Key)
			}),
		read(
			"get_public_key",
			doc{Help: "Returns the public key of a private key; nothing is stored.", Reach: ReachChain, Examples: []string{"-"}},
			func(_ context.Context, _ *Core, p wifParams) (ledger.PublicKey, error) {
				return vault.PublicKeyOf(p.WIF)
			}),
		read("suggest_brain_key", doc{Help: "Makes a new random brain key; nothing is stored.", Reach: ReachChain, Secret: true},
			func(_ context.Context, _ *Core, _ struct{}) (vault.BrainKeyInfo, error) {
				return vault.SuggestBrainKey()
			}),
		read(
			"get_brain_key_info",
			doc{Help: "Normalises a brain key and shows the owner key derived from it.", Reach: ReachChain, Examples: []string{"-"}},
			func(_ context.Context, _ *Core, p brainKeyParams) (vault.BrainKeyInfo, error) {
				return vault.BrainKeyInfoOf(p.BrainKey), nil
			}),
	}
}

func unlock(ctx context.Context, w *Core, p unlockParams) (null, error) {
	if p.Seconds == 0 {
		return nil, w.Vault.Unlock(ctx, p.Password)
	}
	open, err := vault.OpenSeconds(p.Seconds)
	if err != nil {
		return nil, err
	}
	return nil, w.Vault.UnlockFor(ctx, p.Password, open)
}

// setPassword sets the password of a new or unlocked wallet. If the old password is given it is checked, locked or
// not. A guarded caller must give it.
func setPassword(ctx context.Context, w *Core, p setPasswordParams, guarded bool) error {
	switch {
	case p.OldPassword != "" && !w.Vault.IsNew():
		return w.Vault.ChangePassword(ctx, p.OldPassword, p.Password)
	case guarded && !w.Vault.IsNew():
		if err := w.Vault.CheckOpen("set_password"); err != nil {
			return err
		}
		return &fault.Error{Code: fault.TooFewParameters, Message: "set_password requires the old password here",
			Hint: "pass it as the second parameter, or as old_password; the password was not changed"}
	}
	return w.Vault.SetPassword(p.Password)
}
