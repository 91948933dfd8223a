package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
)

func pinsCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "pins",
		Short: "List what the wallet has pinned, and forget what was wrong",
		Long: `List what the wallet has pinned, and forget what was wrong.

An account's id and name never change, nor do an asset's id and symbol, nor its
decimals once any of it was issued. The wallet pins them when it first builds
something with them, and refuses a daemon that contradicts them later. When nobody
is asked, it also refuses payments to an account whose memo key or authorities
changed, and whatever rests on something else that is not as it was last accepted:
tokens, miners, fees, the chain's parameters. The miners whose signatures prove what
is irreversible are pinned too, with the last block they proved.`,
	})
	cmd.AddCommand(&cobra.Command{
		Use: "list", Short: "List the pins", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			open := func() (*store.Store, error) { return s.openStoreReadOnly(cmd.Context()) }
			return withPins(s, open, func(kept *store.Store, chain ledger.ChainID) error {
				return listPins(cmd.Context(), cmd.OutOrStdout(), kept, chain)
			})
		},
	}, &cobra.Command{
		Use: "forget NAME", Short: "Forget an account, an asset, tokens or a miner, by name, symbol or id, or fees, parameters, miners",
		Args: exactly("NAME"),
		Long: `Forget an account, an asset, a kind of tokens or a miner, by name, symbol or id. The words
fees and parameters forget what was accepted of them. The word miners forgets who the
miners are and what they proved; use it for a test network that was started afresh.

The wallet then trusts and pins what the next daemon says, keys included. A running
wallet or server follows with its next block; names and decimals that it has read it
keeps until it is restarted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			open := func() (*store.Store, error) { return s.openStoreAside(cmd.Context(), s.dataDir, nil) }
			return withPins(s, open, func(kept *store.Store, chain ledger.ChainID) error {
				indexed, err := forgetIndexed(cmd.Context(), s.indexPath(), chain, args[0])
				if err != nil {
					return err
				}
				own, err := keystore.Open(s.keystorePath())
				if err != nil {
					return err
				}
				return forgetPin(cmd.Context(), cmd.OutOrStdout(), kept, chain, args[0], own.Public().Accounts, indexed)
			})
		},
	})
	return cmd
}

// withPins opens the store and calls act with it and the chain id of the key file.
func withPins(s *settings, open func() (*store.Store, error), act func(*store.Store, ledger.ChainID) error) error {
	if err := s.readForStored("pins", keystoreName, sqlite.Name); err != nil {
		return err
	}
	chain, err := walletcore.ChainOf(s.keystorePath())
	if err != nil {
		return err
	}
	kept, err := open()
	if err != nil {
		return err
	}
	return errors.Join(act(kept, chain), kept.Close())
}

// pin is a pinned account or asset.
type pin struct {
	kind, id, name string
	details        string // printed after the name in the list
	since          time.Time
	source         string
	forgotten      string // printed after the name once it is forgotten
	forget         func(context.Context) (bool, error)
}

// pinsOf returns the accounts and assets that are pinned for a chain.
func pinsOf(ctx context.Context, kept *store.Store, chain ledger.ChainID) ([]pin, error) {
	accounts, err := kept.Pins.ListAccounts(ctx, chain)
	if err != nil {
		return nil, err
	}
	assets, err := kept.Pins.ListAssets(ctx, chain)
	if err != nil {
		return nil, err
	}
	var pins []pin
	for _, a := range accounts {
		pins = append(pins, pin{
			kind: "account", id: a.ID.String(), name: a.Name, since: a.Since, source: a.Source, forgotten: " and its keys",
			forget: func(ctx context.Context) (bool, error) {
				if _, err := kept.Objects.Forget(ctx, chain, a.ID.Object()); err != nil {
					return false, err
				}
				return kept.Pins.ForgetAccount(ctx, chain, a.ID)
			},
		})
	}
	for _, a := range assets {
		pins = append(pins, pin{
			kind: "asset", id: a.ID.String(), name: a.Symbol, since: a.Since, source: a.Source,
			details: " with " + printable.Many(a.Precision, "decimal"),
			forget:  func(ctx context.Context) (bool, error) { return kept.Pins.ForgetAsset(ctx, chain, a.ID) },
		})
	}
	return pins, nil
}

func listPins(ctx context.Context, out io.Writer, kept *store.Store, chain ledger.ChainID) error {
	pins, err := pinsOf(ctx, kept, chain)
	if err != nil {
		return err
	}
	anchor, err := kept.Anchors.Anchor(ctx, chain)
	if err != nil {
		return err
	}
	facts, err := kept.Pins.ListFacts(ctx, chain)
	if err != nil {
		return err
	}
	if len(pins)+len(facts) == 0 && anchor == nil {
		_, err := fmt.Fprintln(out, "nothing is pinned yet")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, p := range pins {
		fmt.Fprintf(table, "%s\t%s\t%q%s\t%s\t%s\n", p.kind, p.id, p.name, p.details, day(p.since), p.source)
	}
	for _, f := range facts {
		fmt.Fprintf(table, "fact\t%s\t%s %q\t%s\t%s\n", f.Subject, f.Name, f.Value, day(f.Since), f.Source)
	}
	if anchor != nil {
		fmt.Fprintf(table, "miners\t%d\tproved block %d\n", len(anchor.Miners)+anchor.Unnamed, anchor.Block.Num())
	}
	return table.Flush()
}

func day(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

// miners is the word for the anchor of finality. An account of that name can be
// forgotten by its id.
const miners = "miners"

// forgetIndexed removes a name, which works like a pin, from the history index. It reports
// whether the index knew it.
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

// forgetPin forgets everything that word names. Of the accounts in the key file, own, the last states are forgotten although their
// names need no pin. indexed reports that the history index knew it and has forgotten it.
func forgetPin(ctx context.Context, out io.Writer, kept *store.Store, chain ledger.ChainID, word string, own []keystore.Account, indexed bool) error {
	if word == miners {
		return forgetMiners(ctx, out, kept, chain)
	}
	pins, err := pinsOf(ctx, kept, chain)
	if err != nil {
		return err
	}
	forgotten, words := 0, []string{word}
	for _, p := range pins {
		if p.name != word && p.id != word {
			continue
		}
		words = append(words, p.id, p.name)
		if _, err := p.forget(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "forgot %s %s %q%s\n", p.kind, p.id, p.name, p.forgotten)
		forgotten++
	}
	if id, err := ledger.ParseAccountID(word); err == nil && forgotten == 0 { // a running server has the name in memory, and writes only the keys
		known, err := kept.Pins.ForgetAccount(ctx, chain, id)
		if err != nil {
			return err
		}
		if known {
			fmt.Fprintf(out, "forgot the keys of account %s\n", id)
			forgotten++
		}
	}
	for _, a := range own {
		if a.Name != word && a.ID.String() != word {
			continue
		}
		_, err := kept.Pins.ForgetAccount(ctx, chain, a.ID)
		known, failed := kept.Objects.Forget(ctx, chain, a.ID.Object())
		if err := errors.Join(err, failed); err != nil {
			return err
		}
		if words = append(words, a.ID.String(), a.Name); known {
			fmt.Fprintf(out, "forgot how the own account %s %q was last\n", a.ID, a.Name)
			forgotten++
		}
	}
	subjects, err := subjectsOf(ctx, kept, chain, words)
	if err != nil {
		return err
	}
	for _, subject := range subjects {
		if _, err := kept.Pins.ForgetFacts(ctx, chain, subject); err != nil {
			return err
		}
		fmt.Fprintf(out, "forgot what was accepted of %s\n", subject)
		forgotten++
	}
	if id, err := ledger.ParseObjectID(word); err == nil {
		if gone, err := kept.Pins.ForgetContent(ctx, chain, id); err != nil {
			return err
		} else if gone {
			fmt.Fprintf(out, "forgot the author of content %s\n", id)
			forgotten++
		}
	}
	if indexed {
		fmt.Fprintf(out, "forgot what the history says about %q\n", word)
		forgotten++
	}
	if forgotten == 0 {
		return fmt.Errorf("nothing is pinned for %q; billfold pins list shows the pins", word)
	}
	_, err = fmt.Fprintln(out, "a running wallet or server follows with its next block; names and decimals that it has read it keeps until it is restarted")
	return err
}

// subjectsOf returns the subjects of accepted facts that words name: by their id, or by a value that is theirs alone, such as the symbol
// of tokens, or the account and the vote id of a miner.
func subjectsOf(ctx context.Context, kept *store.Store, chain ledger.ChainID, words []string) (subjects []string, err error) {
	facts, err := kept.Pins.ListFacts(ctx, chain)
	for _, f := range facts {
		named := slices.Contains(words, f.Subject) || f.Own && slices.Contains(words, f.Value)
		if named && !slices.Contains(subjects, f.Subject) {
			subjects = append(subjects, f.Subject)
		}
	}
	return subjects, err
}

func forgetMiners(ctx context.Context, out io.Writer, kept *store.Store, chain ledger.ChainID) error {
	found, err := kept.Anchors.ForgetAnchor(ctx, chain)
	if err == nil && !found {
		err = errors.New("no miners are pinned yet")
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "forgot the miners; those that the next daemon names are trusted")
	return err
}
