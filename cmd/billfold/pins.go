package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/store"
)

func pinsCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "pins",
		Short: "Look at what the wallet holds daemons to, and forget what was wrong",
		Long: `Look at what the wallet holds daemons to, and forget what was wrong.

An account's id and name never change, nor do an asset's id, symbol and decimals.
They are kept when something is built with them for the first time, and a daemon
that says something else later is refused. So are payments that nobody is asked
about, to an account whose memo key or authorities changed. The miners whose
signatures prove what is irreversible are kept too, with the last block they proved.`,
	})
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "Print what is kept", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withPins(s, func(kept *store.Store, chain ledger.ChainID) error {
				return listPins(cmd.Context(), cmd.OutOrStdout(), kept, chain)
			})
		},
	}, &cobra.Command{
		Use: "forget NAME", Short: "Forget an account or an asset, by name, symbol or id, or the miners", Args: exactly("NAME"),
		Long: `Forget an account or an asset, by name, symbol or id; or, with the word miners, who
the miners are and what they proved: for a test network that was begun anew.

What the next daemon says of it is believed and kept, its keys included. A wallet
that is running goes on with what it knows until it is started again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPins(s, func(kept *store.Store, chain ledger.ChainID) error {
				indexed, err := forgetIndexed(cmd.Context(), filepath.Join(s.dataDir, indexName), chain, args[0])
				if err != nil {
					return err
				}
				return forgetPin(cmd.Context(), cmd.OutOrStdout(), kept, chain, args[0], indexed)
			})
		},
	})
	return cmd
}

// withPins opens the store beside the key file.
func withPins(s *settings, act func(*store.Store, ledger.ChainID) error) error {
	if err := s.readOwn("pins", keystoreName, storeName); err != nil {
		return err
	}
	chain, err := walletcore.ChainOf(s.keystorePath())
	if err != nil {
		return err
	}
	kept, err := store.Open(filepath.Join(s.dataDir, storeName))
	if err != nil {
		return err
	}
	return errors.Join(act(kept, chain), kept.Close())
}

func listPins(ctx context.Context, out io.Writer, kept *store.Store, chain ledger.ChainID) error {
	accounts, err := kept.ListAccounts(ctx, chain)
	if err != nil {
		return err
	}
	assets, err := kept.ListAssets(ctx, chain)
	if err != nil {
		return err
	}
	anchor, err := kept.Anchor(ctx, chain)
	if err != nil {
		return err
	}
	if len(accounts)+len(assets) == 0 && anchor == nil {
		_, err := fmt.Fprintln(out, "nothing is kept yet")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, a := range accounts {
		fmt.Fprintf(table, "account\t%s\t%q\t%s\t%s\n", a.ID, a.Name, day(a.Since), a.Source)
	}
	for _, a := range assets {
		fmt.Fprintf(table, "asset\t%s\t%q with %d decimals\t%s\t%s\n", a.ID, a.Symbol, a.Precision, day(a.Since), a.Source)
	}
	if anchor != nil {
		fmt.Fprintf(table, "miners\t%d\tproved block %d\n", len(anchor.Miners)+anchor.Unnamed, anchor.Block.Num())
	}
	return table.Flush()
}

func day(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

// miners is the word for the anchor of finality. An account of that name is
// forgotten by its id.
const miners = "miners"

// forgetIndexed has the history index forget a name, which counts like a pin; false
// when it does not know it.
func forgetIndexed(ctx context.Context, path string, chain ledger.ChainID, word string) (bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	index, err := historyindex.Open(path)
	if err != nil {
		return false, err
	}
	if index.Chain() != chain {
		return false, index.Close()
	}
	found, err := index.ForgetName(ctx, word)
	return found, errors.Join(err, index.Close())
}

// forgetPin forgets whatever word names. Indexed says that the history index knew
// it, and has forgotten it.
func forgetPin(ctx context.Context, out io.Writer, kept *store.Store, chain ledger.ChainID, word string, indexed bool) error {
	if word == miners {
		found, err := kept.ForgetAnchor(ctx, chain)
		if err == nil && !found {
			err = errors.New("no miners are kept yet")
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, "forgot the miners; those that the next daemon names are trusted")
		return err
	}
	accounts, err := kept.ListAccounts(ctx, chain)
	if err != nil {
		return err
	}
	assets, err := kept.ListAssets(ctx, chain)
	if err != nil {
		return err
	}
	forgotten := 0
	for _, a := range accounts {
		if a.Name != word && a.ID.String() != word {
			continue
		}
		if _, err := kept.ForgetAccount(ctx, chain, a.ID); err != nil {
			return err
		}
		fmt.Fprintf(out, "forgot account %s %q and its keys\n", a.ID, a.Name)
		forgotten++
	}
	for _, a := range assets {
		if a.Symbol != word && a.ID.String() != word {
			continue
		}
		if _, err := kept.ForgetAsset(ctx, chain, a.ID); err != nil {
			return err
		}
		fmt.Fprintf(out, "forgot asset %s %q\n", a.ID, a.Symbol)
		forgotten++
	}
	if id, err := ledger.ParseObjectID(word); err == nil {
		if gone, err := kept.ForgetContent(ctx, chain, id); err != nil {
			return err
		} else if gone {
			fmt.Fprintf(out, "forgot the author of content %s\n", id)
			forgotten++
		}
	}
	if indexed {
		fmt.Fprintf(out, "forgot what the history says of %q\n", word)
		forgotten++
	}
	if forgotten == 0 {
		return fmt.Errorf("nothing is kept of %q; billfold pins list shows what is", word)
	}
	return nil
}
