package walletapi

import (
	"context"

	"billfold/walletcore/vault"
)

type fileParams struct {
	Name string `json:"wallet_filename" default:"\"\"" help:"name of the file; empty = the wallet"`
}

// walletFileMethods returns the operations on the key file. Every change is saved when it is made.
func walletFileMethods() []*Method {
	return []*Method{
		read("get_wallet_filename", doc{Help: "Returns the path of the key file.", Reach: ReachWallet},
			func(_ context.Context, w *Core, _ struct{}) (string, error) { return w.Vault.Path, nil }),
		write("load_wallet_file", doc{Help: "Reads the key file again; an empty name is that of the wallet.",
			Result: "false for any other name: a wallet is chosen with --data-dir", Reach: ReachWallet, Examples: []string{`""`}},
			func(_ context.Context, w *Core, p fileParams) (bool, error) { return vault.Reload(w.Vault, p.Name) }),
		write("save_wallet_file", doc{Help: "Writes an encrypted copy of the key file into the folder backups beside it; with an empty " +
			"name it does nothing, since every change is saved at once.", Unlocked: true, Reach: ReachWallet,
			Examples: []string{`""`, "monday.keys"}},
			func(_ context.Context, w *Core, p fileParams) (null, error) {
				return nil, vault.SaveCopy(w.Vault, p.Name)
			}),
	}
}
