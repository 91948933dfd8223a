package main

import (
	"context"
	"fmt"
	"io"

	"billfold/ledger/printable"
	"billfold/osfile"
	"billfold/walletcore/history"
	"billfold/walletcore/vault"
)

const (
	plainRows = 5 // of history per account
)

// printPlain prints accounts, balances and the latest history as lines, and the next
// steps. A pipe or a CI run gets it instead of the UI.
func (p *program) printPlain(ctx context.Context, out io.Writer) error {
	if p.box != nil {
		if err := p.wallet.Vault.Unlock(ctx, sandboxPassword); err != nil {
			return err
		}
		fmt.Fprintln(out, "Billfold sandbox: play money on an embedded ledger")
	} else {
		fmt.Fprintf(out, "Billfold wallet in %s\n", p.settings.dataDir)
	}
	p.printAccounts(ctx, out)
	fmt.Fprintln(out, "This is not a terminal, so the UI does not start. To go on:")
	for _, line := range p.nextSteps() {
		fmt.Fprintln(out, "  "+line)
	}
	return nil
}

func (p *program) nextSteps() []string {
	flag := ""
	if usual, err := defaultFolder(); err != nil || p.settings.dataDir != usual {
		flag = " --data-dir " + printable.Text(osfile.ShellWord(p.settings.dataDir))
	}
	if p.box != nil {
		flag += " --sandbox"
	}
	return []string{
		"billfold" + flag + "              in a terminal: the UI",
		"billfold" + flag + " --rpc-http   the wallet API on http://" + defaultHTTP + "/rpc",
		"billfold" + flag + " call help    the wallet operations, one at a time",
	}
}

func (p *program) printAccounts(ctx context.Context, out io.Writer) {
	accounts := p.wallet.Own.List()
	if len(accounts) == 0 {
		fmt.Fprintln(out, "There is no account in this wallet yet.")
		return
	}
	if why := p.awaitDaemon(ctx); why != "" {
		for _, a := range accounts {
			fmt.Fprintf(out, "account %s %s\n", printable.Text(a.Name), a.ID)
		}
		fmt.Fprintln(out, "No daemon answers, so balances are not known: "+printable.Text(why))
		return
	}
	for _, a := range accounts {
		p.printAccount(ctx, out, a)
	}
}

func (p *program) printAccount(ctx context.Context, out io.Writer, a vault.OwnAccount) {
	fmt.Fprintf(out, "account %s %s\n", printable.Text(a.Name), a.ID)
	if p.settings.hide {
		fmt.Fprintln(out, "  balances and history are hidden; --hide-amounts=false shows them")
		return
	}
	balances, err := p.wallet.View.Assets.Balances(ctx, a.ID)
	if err != nil {
		fmt.Fprintln(out, "  balances are not known: "+printable.Text(sentence(err)))
	}
	for _, b := range balances {
		fmt.Fprintln(out, "  balance "+printable.Text(b.Asset.Format(b.Amount)))
	}
	rows, err := p.wallet.History.Entries(ctx, a.ID, 0, plainRows)
	if err != nil {
		fmt.Fprintln(out, "  the history is not known: "+printable.Text(sentence(err)))
	}
	for _, r := range rows {
		fmt.Fprintf(out, "  %s  %s%s\n", r.Time, printable.Text(r.Sentence), plainMemo(r))
	}
}

func plainMemo(r history.Entry) string {
	switch r.MemoState {
	case vault.MemoNone:
		return ""
	case vault.MemoOpen, vault.MemoPlain:
		return "  memo |" + printable.Text(r.Memo) + "|"
	case vault.MemoLocked:
		return "  memo locked"
	case vault.MemoForeign, vault.MemoDamaged:
	}
	return "  memo encrypted"
}
