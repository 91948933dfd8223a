package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
	"billfold/walletcore/store"

	"github.com/spf13/cobra"
)

// foundCommand lists what was found after a loss: in the store that servers share, or in the wallet's own journal.
func foundCommand(s *settings, of holder) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{Use: "found", Args: exactly(),
		Short: "List the payments that were found after a loss and that nobody has claimed",
		Long: `List the payments that were found after a loss and that nobody has claimed.

Each line has the id, the block and what was paid, with the ids of accounts: names are on
the ledger, which is not asked. Compare them with your orders, and say with
` + of.command("claim") + ` which of them was which.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := of.read(s); err != nil {
				return err
			}
			kept, err := s.openStoreReadOnly(cmd.Context())
			if err != nil {
				return err
			}
			list, err := kept.Journal.Found(cmd.Context())
			if err = errors.Join(err, kept.Close()); err != nil {
				return err
			}
			return printFound(cmd.OutOrStdout(), list, asJSON)
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// foundRow is the JSON of a payment that was found after a loss.
type foundRow struct {
	ID         ledger.TransactionID `json:"transaction_id"`
	Block      uint32               `json:"block_num"`
	Text       string               `json:"text"`
	Operations []ledger.Operation   `json:"operations"` // amounts in smallest units
}

func printFound(out io.Writer, list []store.Entry, asJSON bool) error {
	rows := make([]foundRow, len(list))
	for i := range list {
		var err error
		if rows[i], err = foundRowOf(&list[i]); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(out).Encode(rows)
	}
	for _, r := range rows {
		where := fmt.Sprintf("in block %d", r.Block)
		if r.Block == 0 {
			where = "in a block that is looked for"
		}
		fmt.Fprintf(out, "%s %s: %s\n", r.ID, where, r.Text)
	}
	if len(rows) == 0 {
		fmt.Fprintln(out, "no payment waits to be claimed")
	}
	return nil
}

func foundRowOf(e *store.Entry) (r foundRow, err error) {
	var tx ledger.SignedTransaction
	if err := codec.Unpack(e.Bytes, &tx); err != nil {
		return r, fmt.Errorf("payment %s cannot be read: %w", e.ID, err)
	}
	texts := make([]string, len(tx.Operations))
	for i, op := range tx.Operations {
		texts[i] = printable.Text(ledger.Sentence(op, idNames{}))
	}
	return foundRow{e.ID, e.Block, strings.Join(texts, "; "), tx.Operations}, nil
}

// describeClaimed describes the payment of a claim.
func describeClaimed(ctx context.Context, kept *store.Store, id ledger.TransactionID) (text string, err error) {
	e, err := kept.Journal.Get(ctx, id)
	if err != nil {
		return "", err
	}
	r, err := foundRowOf(&e)
	return r.Text, err
}

// idNames names objects without a ledger: by their ids, except for DCT, whose decimals are known.
type idNames struct{}

func (idNames) AccountName(id ledger.AccountID) string { return id.String() }
func (idNames) KindName(id ledger.NFTID) string        { return id.String() }

func (idNames) AssetName(id ledger.AssetID) string {
	if id == ledger.CoreAsset {
		return ledger.CoreSymbol
	}
	return id.String()
}

func (idNames) AmountText(a ledger.AssetAmount) string {
	if a.AssetID == ledger.CoreAsset {
		return ledger.FormatDecimals(a.Amount, ledger.CorePrecision) + " " + ledger.CoreSymbol
	}
	return strconv.FormatInt(a.Amount, 10) + " smallest units of asset " + a.AssetID.String()
}
