package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/walletcore/fault"

	"github.com/spf13/cobra"
)

// fileApproval is a person's approval of a transaction file: at a terminal by typing the texts that the Sign page would ask for, and yes;
// elsewhere by flags.
type fileApproval struct {
	yes   bool
	given []string // texts given as flags, which are not asked for
}

func (c *fileApproval) define(cmd *cobra.Command, action string) {
	cmd.Flags().BoolVar(&c.yes, "yes", false, action+" without asking for a yes")
	cmd.Flags().StringArrayVar(&c.given, "confirm", nil,
		"a text that would have to be typed, such as the id of a new recipient or the total of a large payment; once for each")
}

// approve shows what a file does and asks for all confirmations that the flags do not give; deed names the action to approve.
func (c *fileApproval) approve(ctx context.Context, page *review.Page, text, action string, out io.Writer, ask *secrets) error {
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
		if !page.Confirm(given) {
			return denied("--confirm "+fault.Quote(given)+" is not what this transaction does",
				"nothing was done; read what is above, and leave it out if that is meant")
		}
	}
	left := page.Remaining()
	switch {
	case len(left) > 0 && !isTerminal():
		return unconfirmedError(left, action)
	case c.yes && len(left) == 0:
		return nil
	case !isTerminal():
		return denied("nobody can be asked here whether to "+action, "nothing was done; read what is above, then add --yes")
	}
	for _, one := range left {
		if err := ask.confirmTyped(ctx, out, page, one); err != nil {
			return err
		}
	}
	if c.yes {
		return nil
	}
	return ask.confirmYes(ctx, out, action)
}

// unconfirmedError returns an error that lists the missing texts when nobody can be asked for them.
func unconfirmedError(left []review.Confirmation, action string) error {
	var what, flags []string
	for _, one := range left {
		what = append(what, fmt.Sprintf("the %s (%s)", one.What, one.Why))
		flags = append(flags, "--confirm "+shellQuote(one.Want))
	}
	return denied("nobody can be asked here whether to "+action+", and a yes is not enough for it: it takes "+strings.Join(what, ", and "),
		"nothing was done; read what is above, then add --yes "+strings.Join(flags, " "))
}

// shellQuote quotes a text for a shell if necessary.
func shellQuote(text string) string {
	if strings.ContainsAny(text, " '\"$`\\") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

func denied(message, hint string) error {
	return &fault.Error{Code: fault.Denied, Op: "tx", Message: message, Hint: hint}
}

// confirmTyped asks for a text that a review requires.
func (s *secrets) confirmTyped(ctx context.Context, out io.Writer, page *review.Page, one review.Confirmation) error {
	answer, err := s.answer(ctx, out, fmt.Sprintf("careful: %s\nto go on, type the %s: ", one.Why, one.What))
	if ctx.Err() != nil {
		return err
	}
	if err != nil || strings.TrimSpace(answer) == "" || page.Answer(answer) != "" {
		return denied("that is not the "+one.What, "nothing was done")
	}
	return nil
}

// confirmYes asks for the whole word yes.
func (s *secrets) confirmYes(ctx context.Context, out io.Writer, action string) error {
	answer, err := s.answer(ctx, out, action+"? type yes: ")
	if ctx.Err() != nil {
		return err
	}
	if err != nil || strings.TrimSpace(answer) != "yes" {
		return denied("you did not agree", "nothing was done")
	}
	return nil
}
