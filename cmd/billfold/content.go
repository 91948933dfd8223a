package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"billfold/cmd/billfold/contentrun"
	"billfold/cmd/billfold/shell"
	"billfold/tui"
	"billfold/tui/overlay/review"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"

	"github.com/spf13/cobra"
)

func contentCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "content",
		Short: "Publish, buy and list content",
		Long: `Publish, buy and list content.

Packages are exchanged over the IPFS daemon that --ipfs-api names, and the keys of what is
sold are kept, in parts, by seeders. A command that was interrupted goes on when it is
given again, and pays nothing twice. See docs/content.md.
` + whereHelp + exitHelp,
	})
	cmd.AddCommand(contentPublishCommand(s), contentBuyCommand(s), contentListCommand(s), contentCancelCommand(s))
	return cmd
}

// contentFlags are the flags of all commands about content.
type contentFlags struct {
	target

	from        string
	yes, asJSON bool
	dryRun      bool
}

func (f *contentFlags) define(cmd *cobra.Command, deed string) {
	cmd.Flags().Var(namedFlag{&f.from}, "from", "the account that "+deed+"; needed if the wallet has several")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON, and everything else to standard error")
	f.target.define(cmd)
}

func (f *contentFlags) defineSpend(cmd *cobra.Command, deed string) {
	f.define(cmd, deed)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "check everything and show what would be signed; sign nothing")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "sign without asking")
}

// with calls do with the wallet that the flags select.
func (f *contentFlags) with(cmd *cobra.Command, s *settings, do func(ctx context.Context, run *contentrun.Run) error) error {
	return withWallet(cmd, s, f.target, true, func(ctx context.Context, w shell.Wallet, ask *secrets) error {
		run := contentrun.Run{Wallet: w, Out: cmd.OutOrStdout(), Told: cmd.OutOrStdout(), From: f.from, JSON: f.asJSON,
			Here: !strings.Contains(f.to, "://"), Flags: walletFlags(cmd)}
		if f.asJSON {
			run.Told = cmd.ErrOrStderr()
		}
		looked := false
		run.Approve = func(ctx context.Context, r txbuild.Review) error {
			err := ask.approveReview(ctx, w, run.Told, r, f)
			looked = f.dryRun && err == nil
			if looked {
				err = &fault.Error{Code: fault.Denied, Op: "content", Message: "this was a dry run", Hint: "nothing was signed"}
			}
			return err
		}
		err := do(ctx, &run)
		if looked {
			return nil
		}
		return err
	})
}

func contentPublishCommand(s *settings) *cobra.Command {
	var f contentFlags
	var p contentrun.Publication
	cmd := &cobra.Command{
		Use:   "publish PATH",
		Short: "Pack a folder or file, upload it and offer it for sale",
		Long: `Pack a folder or file, upload it and offer it for sale.

  billfold content publish song --price "default=2 DCT" --price "AT=1.5 DCT" --until 90d

You approve the most that it can cost before anything is done. The size of the package, and
what the seeders are paid for it, are known when it is packed; more than was approved is
not signed. --title is how the same publication is recognised, in this wallet and on the ledger.

Two seeders or more keep parts of the key: the cheapest two, unless you choose others with
--seeders, --seeders-by and --seeder-region, or name each with --seeder. docs/content.md says
what the scheme does not protect from.

A server packs only what is below its --content-dir; with --to http://… PATH may be relative to it.
` + whereHelp + exitHelp,
		Args: exactly("PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Path, p.DryRun = args[0], f.dryRun
			if len(p.Seeders) > 0 && cmd.Flags().Changed("seeders") {
				return shell.Misuse(errors.New("--seeders has no effect with --seeder, which names each; leave one of them out"))
			}
			return f.with(cmd, s, func(ctx context.Context, run *contentrun.Run) error {
				if run.Here {
					if err := contentrun.CheckPath(p.Path); err != nil {
						return err
					}
				}
				return run.Publish(ctx, p)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&p.Prices, "price", nil, `the price, such as "2 DCT"; "AT=1.5 DCT" in one country, "default=2 DCT" in those without their own; may be repeated`)
	flags.StringVar(&p.About.Title, "title", "", "the title (default: the name of PATH)")
	flags.StringVar(&p.About.Description, "description", "", "what buyers read about it")
	flags.StringVar(&p.About.Type, "type", "", "the content type that marketplaces sort by, such as 1.5.5.0")
	flags.StringVar(&p.Until, "until", "30d", "until when it is offered and kept: 30d, 2027-01-31, or a time (UTC)")
	flags.StringVar(&p.Preview, "preview", "", "a folder of files that anybody may read without buying")
	flags.StringArrayVar(&p.CoAuthors, "co-author", nil, "who shares the price, such as bobby=10%; may be repeated")
	flags.StringArrayVar(&p.Seeders, "seeder", nil, "an account that keeps the content; may be repeated")
	flags.IntVar(&p.Count, "seeders", content.MinSeeders, "how many seeders to choose; 0 = none")
	flags.StringVar(&p.Order, "seeders-by", content.ByPrice, "price, rating or upload: which seeders are chosen first")
	flags.StringVar(&p.Region, "seeder-region", "", "choose seeders of this region: default, or a country's code")
	flags.BoolVar(&p.Again, "again", false, "offer it once more although the account offers content with this title")
	f.defineSpend(cmd, "publishes")
	completeWords(cmd, "seeders-by", content.ByPrice, content.ByRating, content.ByUpload)
	return cmd
}

// completeWords has a flag completed from words.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
}

func contentBuyCommand(s *settings) *cobra.Command {
	var f contentFlags
	var p contentrun.Purchase
	cmd := &cobra.Command{
		Use:   "buy ADDRESS FOLDER",
		Short: "Buy content, download it, and extract it into a new folder",
		Long: `Buy content, download it, and extract it into a new folder.

  billfold content buy ipfs:QmfS3zGGqtpMv8cSN2mrgZfbnzjBArZbmAvvYG5c2rJ7fB song

The price is held by the ledger until the seeders have delivered the key, and given back if
they do not within a day. What the account bought before is not bought again: its package
and key are fetched and extracted.

A server extracts only below its --content-dir; with --to http://… FOLDER may be relative to it.
` + whereHelp + exitHelp,
		Args: exactly("ADDRESS", "FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.URI, p.Folder, p.DryRun = args[0], args[1], f.dryRun
			return f.with(cmd, s, func(ctx context.Context, run *contentrun.Run) error { return run.Buy(ctx, p) })
		},
	}
	cmd.Flags().StringVar(&p.Region, "region", "", "buy at the price of this region: default, or a country's code")
	f.defineSpend(cmd, "buys")
	return cmd
}

func contentListCommand(s *settings) *cobra.Command {
	var f contentFlags
	var term, author, region, order string
	var search bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what the account published and bought, or search what is offered",
		Long: `List what the account published and bought, or search what is offered.

  billfold content list
  billfold content list --search music --author alice

Without --search it lists the account's own, and what this wallet is doing with packages.
` + whereHelp + exitHelp,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			search = cmd.Flags().Changed("search") || author != ""
			if !search && (region != "" || cmd.Flags().Changed("order")) {
				return shell.Misuse(errors.New("--region and --order are for --search; add it, or leave them out"))
			}
			return f.with(cmd, s, func(ctx context.Context, run *contentrun.Run) error {
				if search {
					return run.Search(ctx, term, author, region, order)
				}
				return run.List(ctx)
			})
		},
	}
	cmd.Flags().StringVar(&term, "search", "", `list what anybody offers with this in its title or description; "" = all`)
	cmd.Flags().StringVar(&author, "author", "", "list what this author offers")
	cmd.Flags().StringVar(&region, "region", "", "with --search: only what is sold in this region, at its price")
	cmd.Flags().StringVar(&order, "order", "-created", "with --search: + or - before author, rating, size, price, created or expiration")
	f.define(cmd, "published and bought")
	return cmd
}

func contentCancelCommand(s *settings) *cobra.Command {
	var f contentFlags
	cmd := &cobra.Command{
		Use:   "cancel TASK",
		Short: "End a download or a publication that is under way, or forget one that failed",
		Args:  exactly("TASK"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd, s, func(ctx context.Context, run *contentrun.Run) error { return run.Cancel(ctx, args[0]) })
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	f.target.define(cmd)
	return cmd
}

// approveReview shows what would be signed, and asks for the texts that the UI asks for, and for a yes, unless the flags say that nobody is asked.
func (s *secrets) approveReview(ctx context.Context, w shell.Wallet, out io.Writer, r txbuild.Review, f *contentFlags) error {
	text, page := shell.Describe(r), review.Page{}
	if own, here := w.(ownWallet); here {
		text, page = reviewText(tui.ReviewEnv(own.p.wallet), r)
	}
	if err := writeColumns(out, text); err != nil {
		return err
	}
	if err := r.Readable(); err != nil {
		return err
	}
	switch {
	case f.dryRun, f.yes:
		return nil
	case !isTerminal():
		return &fault.Error{Code: fault.Denied, Op: "content", Message: "nobody can be asked here whether this may be signed",
			Hint: "nothing was signed; look at it with --dry-run, then add --yes"}
	}
	for _, one := range page.Remaining() {
		if err := s.confirmTyped(ctx, out, &page, one); err != nil {
			return err
		}
	}
	return s.confirmYes(ctx, out, "sign it")
}
