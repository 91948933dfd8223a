package main

import (
	"context"
	"fmt"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/tui/overlay/review"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
)

// Approve implements shell.Person: it shows the review that the UI shows, and has typed what that would have typed, then yes. Of what a
// server would sign only its words are known.
func (p *prompt) Approve(ctx context.Context, r build.Review) error {
	if p.env == nil {
		return p.Confirm(ctx, shell.Describe(r))
	}
	env := p.env()
	page := review.New(env, r, review.Prompt{Life: "30 s after you agree"})
	var text strings.Builder
	for _, row := range page.Rows(env) {
		if row.Line != nil {
			fmt.Fprintf(&text, "  %-11s %s\n", row.Label, row.Line.String())
		}
	}
	if err := p.show(text.String()); err != nil {
		return err
	}
	if err := r.Readable(); err != nil {
		return err
	}
	for _, one := range page.Left() {
		if err := p.typed(&page, one); err != nil {
			return err
		}
	}
	return p.yes()
}

// typed has a text typed, again where it was another; an empty line signs nothing.
func (p *prompt) typed(page *review.Page, one review.Confirmation) error {
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
	return p.yes()
}

func (p *prompt) show(text string) error { return writeColumns(p.out, printable.Lines(text)) }

// yes asks for the whole word.
func (p *prompt) yes() error {
	answer, err := p.answer("sign it? type yes: ")
	if err != nil || strings.TrimSpace(answer) != "yes" {
		return notApproved("you did not agree")
	}
	return nil
}

// answer reads what is typed after the question was shown.
func (p *prompt) answer(label string) (string, error) {
	if err := p.fresh(); err != nil {
		return "", err
	}
	return p.line(label)
}

func notApproved(message string) error {
	return &fault.Error{Code: fault.Denied, Message: message, Hint: "nothing was signed"}
}
