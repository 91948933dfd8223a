package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/walletcore/vault"

	"github.com/spf13/cobra"
)

func importCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Import the keys and accounts of a cli_wallet wallet.json",
		Long: `Import the keys and accounts of a cli_wallet wallet.json. The file is only read.
It asks for the file's password, and then for the wallet's own: twice for a new
wallet, once to unlock an existing one.`,
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(cmd, s, givenPath(args[0])) },
	}
}

func runImport(cmd *cobra.Command, s *settings, file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return shell.Unreadable("file", file, err)
	case err != nil:
		return fmt.Errorf("the file to import cannot be read: %w", err)
	case info.IsDir():
		return shell.Misuse(fmt.Errorf("%s is a folder; name the wallet.json in it", file))
	}
	return runOnce(cmd, s, func(ctx context.Context, p *program) error {
		return p.importLegacy(ctx, file, newSecrets(cmd), cmd.OutOrStdout())
	})
}

func (p *program) importLegacy(ctx context.Context, file string, ask *secrets, out io.Writer) error {
	if err := p.wallet.Import.CheckLegacyFile(ctx, file); err != nil { // each answer is checked when it is given
		return err
	}
	old, err := ask.ask("Password of " + file)
	if missing, is := errors.AsType[*missingError](err); is && missing.line > 0 { // cli_wallet takes an empty password
		err = nil
	}
	if err != nil {
		return err
	}
	if _, err := p.wallet.Import.CheckLegacy(ctx, file, old); err != nil {
		return err
	}
	var fresh string
	if p.wallet.Vault.IsNew() {
		fresh, err = ask.askTwice("Password for the new wallet")
	} else {
		err = p.unlockForCall(ctx, ask)
	}
	if err != nil {
		return err
	}
	got, err := p.wallet.Import.ImportLegacy(ctx, file, old, fresh)
	if err != nil {
		return err
	}
	if fresh != "" {
		ask.warnOfWeak(p.judgePassword(fresh))
	}
	printImported(out, got, p.settings.keystorePath())
	return nil
}

func printImported(out io.Writer, got vault.Imported, path string) {
	fmt.Fprintf(out, "imported %s and %s into %s\n", printable.Many(got.Keys, "key"), printable.Many(len(got.Accounts), "account"), path)
	for _, a := range got.Accounts {
		fmt.Fprintf(out, "  account %s %s\n", printable.Text(a.Name), a.ID)
	}
	for _, k := range got.Unlisted {
		fmt.Fprintf(out, "  key of no account in the file: %s\n", k)
	}
	for _, name := range got.Pending {
		fmt.Fprintf(out, "  registration waiting for: %s\n", printable.Text(name))
	}
	for _, name := range got.Miners {
		fmt.Fprintf(out, "  registration of a miner waiting for: %s\n", printable.Text(name))
	}
	for _, m := range got.Missing {
		fmt.Fprintf(out, "  MISSING: a key of %s that the file lists and does not hold: %s\n", cmp.Or(printable.Text(m.Name), m.Account.String()), m.Key)
	}
	fmt.Fprintf(out, "chain id %s\n", got.ChainID)
}
