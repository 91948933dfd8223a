package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/walletcore/fault"
)

// fileApproval is how a person approves a transaction file: at a terminal by typing what the page Sign would ask for, and yes; elsewhere by
// flags.
type fileApproval struct {
	yes   bool
	given []string // texts that are asked for otherwise
}

func (c *fileApproval) define(cmd *cobra.Command, deed string) {
	cmd.Flags().BoolVar(&c.yes, "yes", false, deed+" without asking for a yes")
	cmd.Flags().StringArrayVar(&c.given, "confirm", nil,
		"a text that would have to be typed, such as the id of a new recipient or the total of a large payment; once for each")
}

// approve shows what a file does and has everything typed that is asked about it; deed is what is done then.
func (c *fileApproval) approve(ctx context.Context, page *review.Page, text, deed string, out io.Writer, ask *secrets) error {
	for _, to := range page.Shown.Gets { // with the ids that are typed
		text += fmt.Sprintf("  %-12s %s\n", "for", format.Account(to))
	}
	if err := writeColumns(out, printable.Lines(text)); err != nil {
		return err
	}
	if err := page.Shown.Readable(); err != nil {
		return err
	}
	for _, given := range c.given {
		if !page.Given(given) {
			return denied("--confirm "+fault.Quote(given)+" is not what this transaction does",
				"nothing was done; read what is above, and leave it out if that is meant")
		}
	}
	left := page.Left()
	switch {
	case len(left) > 0 && !isTerminal():
		return unconfirmed(left, deed)
	case c.yes && len(left) == 0:
		return nil
	case !isTerminal():
		return denied("nobody can be asked here whether to "+deed, "nothing was done; read what is above, then add --yes")
	}
	for _, one := range left {
		if err := ask.typed(ctx, out, page, one); err != nil {
			return err
		}
	}
	if c.yes {
		return nil
	}
	return ask.yes(ctx, out, deed)
}

// unconfirmed returns an error that lists the missing texts where nobody can be asked for them.
func unconfirmed(left []review.Confirmation, deed string) error {
	var what, flags []string
	for _, one := range left {
		what = append(what, fmt.Sprintf("the %s (%s)", one.What, one.Why))
		flags = append(flags, "--confirm "+quotedFlag(one.Want))
	}
	return denied("nobody can be asked here whether to "+deed+", and a yes is not enough for it: it takes "+strings.Join(what, ", and "),
		"nothing was done; read what is above, then add --yes "+strings.Join(flags, " "))
}

// quotedFlag is a text as a shell takes it.
func quotedFlag(text string) string {
	if strings.ContainsAny(text, " '\"$`\\") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

func denied(message, hint string) error {
	return &fault.Error{Code: fault.Denied, Op: "tx", Message: message, Hint: hint}
}

// typed has a text typed that a review asks for.
func (s *secrets) typed(ctx context.Context, out io.Writer, page *review.Page, one review.Confirmation) error {
	if err := s.fresh(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "careful: %s\nto go on, type the %s: ", one.Why, one.What)
	answer, _, err := s.line()
	if err != nil || strings.TrimSpace(answer) == "" || page.Answer(answer) != "" {
		return denied("that is not the "+one.What, "nothing was done")
	}
	return nil
}

// yes asks for the whole word.
func (s *secrets) yes(ctx context.Context, out io.Writer, deed string) error {
	if err := s.fresh(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s? type yes: ", deed)
	answer, _, err := s.line()
	if err != nil || strings.TrimSpace(answer) != "yes" {
		return denied("you did not agree", "nothing was done")
	}
	return nil
}
