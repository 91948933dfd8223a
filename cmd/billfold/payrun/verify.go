package payrun

import (
	"context"
	"fmt"
	"io"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

// Verify checks the form, digest and signature of a receipt, and asks the ledger whether the key that signed it is the payer's.
func Verify(ctx context.Context, w shell.Wallet, out io.Writer, path string) error {
	text, err := readFile(ctx, path)
	if err != nil {
		return shell.Unreadable("receipt", path, err)
	}
	r, err := payout.ReadReceipt(text)
	if err != nil {
		return &fault.Error{Code: fault.Denied, Op: "pay", Message: path + ": " + err.Error(), Err: err}
	}
	final := 0
	for _, row := range r.Rows {
		if row.State == "irreversible" {
			final++
		}
	}
	fmt.Fprintf(out, "plan %s: %s (%s) paid %d of %s, %d of them irreversible as of %s\n", r.Head.Plan, r.Head.Payer, r.Head.PayerID,
		len(r.Rows), printable.Many(r.Head.Payments, "payment"), final, r.Head.Made)
	fmt.Fprintf(out, "the digest holds, and %s signed it\n", r.End.Key)
	info, err := call[struct {
		ChainID ledger.ChainID `json:"chain_id"`
	}](ctx, w, "info")
	if err != nil {
		return prefixError(err, "it was not checked whose key that is: ", "run it again when a daemon answers")
	}
	if info.ChainID != r.Head.Chain {
		return refusal(fault.WrongChain, "the receipt is of chain "+r.Head.Chain.String()+", and the daemon of another",
			"ask a daemon of that chain with --daemon-url")
	}
	payer, err := call[struct {
		Active ledger.Authority `json:"active"`
	}](ctx, w, "get_account", r.Head.PayerID.String())
	if err != nil {
		return err
	}
	if !payer.Active.HasKey(r.End.Key) {
		return refusal(fault.Denied, fmt.Sprintf("the key is not among the active keys that %s has now", r.Head.Payer),
			"a stranger signed it, or the account changed its keys since")
	}
	fmt.Fprintf(out, "it is an active key of %s\n", r.Head.Payer)
	return nil
}
