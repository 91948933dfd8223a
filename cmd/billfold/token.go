package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/rpcserver/auth/token"

	"github.com/spf13/cobra"
)

func tokenCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke the tokens of programs that call the wallet",
		Long: `Make, list and revoke the tokens of programs that call the wallet.

A wallet that runs with --rpc-auth requires a token from every program, as
"Authorization: Bearer …" or as the password of basic authentication. Without
--rpc-auth the limits of a token that is sent still apply, and a program without one
may call what the wallet's policies allow. A token that is made or revoked here takes
effect with the next call; nothing needs a restart. With --store it is valid for all
servers that share the store, and each learns of the change within a second.`,
	})
	cmd.AddCommand(tokenNewCommand(s), tokenListCommand(s), tokenRevokeCommand(s))
	return cmd
}

// scopeFlags holds the texts of a scope.
type scopeFlags struct {
	scope              token.Scope
	perPayment, perDay []string
	askAbove, askDay   []string
	sources            []string
	expires            string
	form               bool // from the form on the RPC page, not from flags
}

func tokenNewCommand(s *settings) *cobra.Command {
	f := &scopeFlags{}
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a token; it is shown once",
		Long: `Make a token; it is shown once and stored only as a hash.

Without flags a token may do everything that --rpc-spends and --rpc-keys allow
programs to do. Each flag takes something away.

A group permits only its operations that read. Write what else the token may do after
a colon: Accounts:spends, Deposits:writes, "Wallet and keys:lock", Transfers:all.
The group all stands for every group. billfold call help lists the groups, and
billfold call get_help METHOD shows what an operation touches.

A token that is limited in accounts, destinations, assets or amounts may call what
concerns those, and what the ledger shows to everybody. Whatever reaches the whole
wallet, such as unlock or list_my_accounts, must be named with --methods as well.
With --accounts, get_payment and list_payments report only those accounts' payments.

With --ask-above, the person at the terminal is asked about every larger payment,
and about one that would bring what was paid without asking within 24 hours above
--ask-above-per-day (by default ten times as much). Fees count as DCT, and restarts
change nothing.`,
		Example: `  billfold token new monitor --groups Accounts,General
  billfold token new payout --methods transfer,is_locked,get_payment --accounts merchant-7 --per-payment "50 DCT" --expires 90d
  billfold token new books --groups Deposits:writes --accounts merchant-7
  billfold token new till --groups Transfers:spends --ask-above "5 DCT" --ask-above-per-day "100 DCT"`,
		Args: exactly("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.create(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.scope.Methods, "methods", nil, "operations it may call, or groups")
	flags.StringSliceVar(&f.scope.Groups, "groups", nil,
		"groups of operations that it may call to read; add more after a colon, such as Accounts:spends")
	flags.StringSliceVar(&f.scope.Accounts, "accounts", nil, "accounts it may act for")
	flags.StringSliceVar(&f.scope.Destinations, "destinations", nil, "accounts it may pay")
	flags.StringSliceVar(&f.scope.Assets, "assets", nil, "assets it may pay with")
	flags.StringArrayVar(&f.perPayment, "per-payment", nil, `the most it may pay at once, such as "50 DCT"; may be repeated`)
	flags.StringArrayVar(&f.perDay, "per-day", nil,
		`the most it may pay in any 24 hours, such as "1000 DCT"; fees count as DCT; may be repeated`)
	flags.StringArrayVar(&f.askAbove, "ask-above", nil,
		`what it may pay without the person at the terminal being asked, such as "5 DCT"; may be repeated`)
	flags.StringArrayVar(&f.askDay, "ask-above-per-day", nil, `what it may pay unasked in any 24 hours, such as "50 DCT"; may be repeated`)
	flags.StringVar(&f.expires, "expires", "", "when it ends: 90d, 12h, 2030-12-31 or 2030-12-31T12:00:00Z")
	flags.StringSliceVar(&f.sources, "from", nil, "addresses it may call from, such as 127.0.0.1 or 10.0.0.0/8")
	return cmd
}

func (f *scopeFlags) read(now time.Time) (scope token.Scope, err error) {
	scope = f.scope
	if scope.PerPayment, err = parseAll(f.field("per payment"), f.perPayment, token.ParseLimit); err != nil {
		return scope, err
	}
	if scope.PerDay, err = parseAll(f.field("per day"), f.perDay, token.ParseLimit); err != nil {
		return scope, err
	}
	if scope.AskAbove, err = parseAll(f.field("ask above"), f.askAbove, token.ParseLimit); err != nil {
		return scope, err
	}
	if scope.AskAboveDay, err = parseAll(f.field("ask above per day"), f.askDay, token.ParseLimit); err != nil {
		return scope, err
	}
	if scope.Sources, err = parseAll(f.field("from"), f.sources, token.ParseSource); err != nil {
		return scope, err
	}
	if err := checkWithinDay(f.field("per payment"), scope.PerPayment, scope.PerDay); err != nil {
		return scope, err
	}
	scope.Expires, err = parseExpiry(f.field("expires"), f.expires, now)
	return scope, err
}

// checkWithinDay refuses a limit per payment that is above the limit per day.
func checkWithinDay(field string, once, day []token.Limit) error {
	for _, one := range once {
		for _, all := range day {
			a, failed := ledger.ParseAmount(one.Amount, ledger.MaxPrecision)
			b, broken := ledger.ParseAmount(all.Amount, ledger.MaxPrecision)
			if one.Asset == all.Asset && failed == nil && broken == nil && a > b {
				return fmt.Errorf("%s: %s %s is more than the %s %s per day", field, one.Amount, one.Asset, all.Amount, all.Asset)
			}
		}
	}
	return nil
}

// field returns the name of a field for errors: the flag, or the label in the form.
func (f *scopeFlags) field(label string) string {
	if f.form {
		return label
	}
	return "--" + strings.ReplaceAll(label, " ", "-")
}

// parseAll parses the words of a field. Its error names the field.
func parseAll[T any](field string, words []string, parse func(string) (T, error)) (list []T, err error) {
	for _, word := range words {
		item, err := parse(word)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field, err)
		}
		list = append(list, item)
	}
	return list, nil
}

// maxExpiryDays is the longest lifetime in days; it keeps dates from overflowing.
const maxExpiryDays = 36500

func parseExpiry(field, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= maxExpiryDays {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.Add(d), nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s: %q is not a time; write it like 90d, 12h, 2030-12-31 or 2030-12-31T12:00:00Z", field, text)
}

func (f *scopeFlags) create(cmd *cobra.Command, s *settings, name string) error {
	if err := checkGiven(cmd); err != nil {
		return shell.Misuse(err)
	}
	if err := setting.RefuseSecret(setting.Given{Where: "the name of the token", Text: name}); err != nil { // it would be shown, and kept
		return shell.Misuse(err)
	}
	scope, err := f.read(time.Now())
	if err != nil {
		return shell.Misuse(err)
	}
	if err := checkNames(scope); err != nil {
		return shell.Misuse(err)
	}
	store, done, err := openTokens(cmd, s)
	if err != nil {
		return err
	}
	defer done()
	if err := store.Check(name, scope); err != nil {
		return shell.Misuse(err)
	}
	if err := checkLedger(cmd.Context(), s, scope, cmd.ErrOrStderr()); err != nil {
		return err
	}
	t, credential, err := store.New(name, scope)
	if err != nil {
		return err
	}
	if s.sandbox {
		fmt.Fprintf(cmd.ErrOrStderr(),
			"sandboxes take the tokens of %s, so this one is valid for the wallet there as well; revoke it after playing\n", s.dataDir)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "token %s (%s) permits: %s\nkeep it now, it is not shown again:\n", t.Name, t.ID, t.Scope)
	if _, err := fmt.Fprintln(secretOutput(cmd), credential); err != nil {
		if _, undo := store.Revoke(t.ID); undo != nil {
			return fmt.Errorf("token %s was made, but nobody could read it: %w; revoke it: billfold token revoke %s", t.Name, err, t.ID)
		}
		return fmt.Errorf("the new token cannot be printed: %w; it was revoked again", err)
	}
	return nil
}

func openTokens(cmd *cobra.Command, s *settings) (store *token.Store, done func(), err error) {
	if err := s.read(); err != nil {
		return nil, nil, err
	}
	if store, done, err = s.tokenStore(cmd.Context()); err != nil {
		return nil, nil, err
	}
	printNotes(cmd.ErrOrStderr(), store)
	return store, done, nil
}

func tokenListCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tokens and what they may do", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, done, err := openTokens(cmd, s)
			if err != nil {
				return err
			}
			defer done()
			list, err := store.List()
			if err != nil {
				return err
			}
			return printTokens(cmd.OutOrStdout(), list, time.Now())
		},
	}
}

func printTokens(out io.Writer, list []token.Token, now time.Time) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "There is no token yet; billfold token new NAME makes one.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tMADE\tMAY DO")
	for _, t := range list {
		note := ""
		if !t.Scope.Expires.IsZero() && !now.Before(t.Scope.Expires) {
			note = "EXPIRED; "
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s%s\n", t.ID, t.Name, t.Created.Format(time.DateOnly), note, printable.Text(t.Scope.String()))
	}
	return table.Flush()
}

func tokenRevokeCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID|NAME", Short: "Revoke a token; its next call is refused", Args: exactly("ID|NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, done, err := openTokens(cmd, s)
			if err != nil {
				return err
			}
			defer done()
			t, err := store.Revoke(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "token %s (%s) is revoked\n", t.Name, t.ID)
			return err
		},
	}
}
