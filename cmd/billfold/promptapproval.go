package main

import (
	"context"
	"fmt"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// Approve implements shell.Person. It shows the same review as the UI and asks for the same texts, and then for yes. If a server has the
// wallet, only the words of the review are known here.
func (p *prompt) Approve(ctx context.Context, r txbuild.Review) error {
	if p.reviewEnv == nil {
		return p.Confirm(ctx, shell.Describe(r))
	}
	text, page := reviewText(p.reviewEnv(), r)
	if err := p.show(text); err != nil {
		return err
	}
	if err := r.Readable(); err != nil {
		return err
	}
	for _, one := range page.Remaining() {
		if err := p.confirmTyped(&page, one); err != nil {
			return err
		}
	}
	return p.confirmYes()
}

// reviewText returns the review that the UI would show as lines, with the page that knows what has to be typed.
func reviewText(env screen.Env, r txbuild.Review) (string, review.Page) {
	page := review.New(env, r, review.Prompt{Life: "30 s after you agree"})
	var text strings.Builder
	for _, row := range page.Rows(env) {
		if row.Line != nil {
			fmt.Fprintf(&text, "  %-11s %s\n", row.Label, row.Line.String())
		}
	}
	return printable.Lines(text.String()), page
}

// confirmTyped asks for a text until it is typed correctly. An empty line denies the review.
func (p *prompt) confirmTyped(page *review.Page, one review.Confirmation) error {
	fmt.Fprintln(p.out, "careful:", one.Why)
	for {
		answer, err := p.answer("to go on, type the " + one.What + ": ")
		if err != nil || strings.TrimSpace(answer) == "" {
			return notApproved("the " + one.What + " was not typed")
		}
		wrong := page.Answer(answer)
		if wrong == "" {
			return nil
		}
		fmt.Fprintln(p.out, wrong+"; an empty line signs nothing")
	}
}

// Confirm implements shell.Person.
func (p *prompt) Confirm(_ context.Context, text string) error {
	if err := p.show(text); err != nil {
		return err
	}
	return p.confirmYes()
}

func (p *prompt) show(text string) error { return writeColumns(p.out, printable.Lines(text)) }

// confirmYes asks for the whole word yes.
func (p *prompt) confirmYes() error {
	answer, err := p.answer("sign it? type yes: ")
	if err != nil || strings.TrimSpace(answer) != "yes" {
		return notApproved("you did not agree")
	}
	return nil
}

// answer asks a question and reads a line that was typed after it was shown.
func (p *prompt) answer(label string) (string, error) {
	if err := p.discardInput(); err != nil {
		return "", err
	}
	return p.line(label)
}

func notApproved(message string) error {
	return &fault.Error{Code: fault.Denied, Message: message, Hint: "nothing was signed"}
}
