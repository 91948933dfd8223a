package linear

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/ledger/usertext"
	"billfold/tui/format"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
)

// Lines is the input. Its methods return io.EOF at the end.
type Lines interface {
	Line(ctx context.Context) (string, error)
	// Secret reads a line without echo; ask is called once the echo is off.
	Secret(ctx context.Context, ask func()) (string, error)
	// DropTyped drops what was typed before now; dropped reports whether there was any. It keeps the input of a script.
	DropTyped(ctx context.Context) (dropped bool, err error)
	// TypedAhead reports whether a line is waiting that was typed, and echoed, before now.
	TypedAhead() bool
	// NoEcho turns the echo off until restore is called, which also drops what was typed.
	NoEcho() (restore func())
}

// Talk asks questions and reads the answers.
type Talk struct {
	Voice
	in     Lines
	echo   bool // the input does not appear on the screen, so it is written to the output
	script bool // the input is a script: the first error ends the run

	// runCommonWord runs a line that is a word of every prompt; heard reports whether it was.
	runCommonWord func(ctx context.Context, line string) (heard bool, err error)
	notify        func(ctx context.Context) // prints what happened, before each prompt

	review     []fact // what repeat prints while the review waits for its answer
	hint       string // what can be typed at the current prompt
	lastPrompt string
	questions  int  // how many questions were asked
	stepsBack  int  // how many questions of the form back can return to
	guarded    bool // a secret is asked for later in the form: see runGuardedSteps
}

// Ask asks for a line. Words that work everywhere are carried out, and it asks again.
func (t *Talk) Ask(ctx context.Context, prompt, hint string) (string, error) {
	return t.ask(ctx, prompt, hint, func(context.Context) error { return nil })
}

// AskFresh is Ask for decisions: it drops what was typed ahead, so that only a line typed after everything was
// printed counts.
func (t *Talk) AskFresh(ctx context.Context, prompt, hint string) (string, error) {
	return t.ask(ctx, prompt, hint, t.dropTyped)
}

// dropTyped drops what was typed ahead and says so.
func (t *Talk) dropTyped(ctx context.Context) error {
	dropped, err := t.in.DropTyped(ctx)
	if dropped {
		t.Say("What you had typed before this question was dropped.")
	}
	return err
}

// ask asks for a line. before is called each time before the prompt is printed.
func (t *Talk) ask(ctx context.Context, prompt, hint string, before func(context.Context) error) (string, error) {
	t.hint = hint
	for {
		t.notify(ctx)
		if err := before(ctx); err != nil {
			return "", err
		}
		line, err := t.readLine(ctx, prompt)
		if err != nil {
			return "", err
		}
		word := strings.TrimSpace(line)
		if word == questionMark {
			word = "help"
		}
		heard, err := t.runCommonWord(ctx, word)
		switch {
		case err != nil:
			return "", err
		case !heard:
			t.Forget()
			return line, nil
		}
	}
}

// readLine prints a prompt and reads a line.
func (t *Talk) readLine(ctx context.Context, prompt string) (string, error) {
	t.questions++
	ahead := t.in.TypedAhead()
	t.lastPrompt = prompt
	t.prompt(prompt + " > ")
	if t.err != nil {
		return "", t.err
	}
	line, err := t.in.Line(ctx)
	if err != nil {
		t.endLine()
		return "", inputError(err)
	}
	if line, err = usertext.DecodeLine(strings.TrimRight(line, "\x1a")); err != nil {
		return "", inputError(err)
	}
	if t.echo || ahead {
		t.writeEcho(canvas.Width(lastLine(prompt))+3, line)
	}
	return line, nil
}

// prompt prints a prompt and leaves its last line open.
func (t *Talk) prompt(text string) {
	if t.json {
		t.object(fact{Text: plainText(strings.TrimSuffix(text, " > "), t.utf8), kind: isPrompt})
		return
	}
	t.raw(strings.Join(wrap("", plainText(strings.TrimRight(text, " "), t.utf8)), "\n") + " ")
}

func lastLine(prompt string) string {
	lines := wrap("", prompt)
	return lines[len(lines)-1]
}

// writeEcho writes the answer after the prompt, where the terminal does not. A secret is not shown.
func (t *Talk) writeEcho(at int, line string) {
	if t.json {
		return
	}
	line = ascii(format.Clean(line))
	if secret := ledger.SecretIn(line); secret != "" {
		line = "(" + secret + ", not shown)"
	}
	for canvas.Width(line) > lineWidth-at {
		n := bytesThatFit(line, lineWidth-at)
		t.raw(line[:n] + "\n")
		line, at = line[n:], 0
	}
	t.raw(line + "\n")
}

// endLine ends the line of an unanswered prompt.
func (t *Talk) endLine() {
	if !t.json {
		t.raw("\n")
	}
}

// inputError returns what the end of the input, or an unreadable line, means to the session.
func inputError(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errOver
	case errors.Is(err, bufio.ErrTooLong):
		return misuse("The line is longer than 64 KiB.", "type a shorter one.")
	}
	if encoding, is := errors.AsType[*usertext.EncodingError](err); is {
		return misuse("It cannot be read: "+encoding.Error()+".", "save what is piped in as UTF-8.")
	}
	return err
}

// Secret asks for a secret without echo. Words that work at every prompt are carried out here too, unless they are
// quoted; an empty line is asked again.
func (t *Talk) Secret(ctx context.Context, label string) (string, error) {
	t.hint = "what is asked for, which is not shown, or back"
	for {
		line, err := t.readSecret(ctx, label)
		if err != nil {
			return "", err
		}
		heard, err := t.runCommonWord(ctx, line)
		switch {
		case err != nil:
			return "", err
		case heard:
		case line == "":
			if err := t.report(misuse("Nothing was typed.", "type it, or back.")); err != nil {
				return "", err
			}
		default:
			line, _ = unquote(line)
			return line, nil
		}
	}
}

// SecretWords is Secret for words that may be pasted as several lines: lines that are waiting already are part of
// them, not answers to later questions.
func (t *Talk) SecretWords(ctx context.Context, label string) (string, error) {
	text, err := t.Secret(ctx, label)
	for err == nil && t.in.TypedAhead() {
		var more string
		if more, err = t.in.Secret(ctx, func() {}); err != nil {
			return "", inputError(err)
		}
		text += " " + more
	}
	return text, err
}

func (t *Talk) readSecret(ctx context.Context, label string) (string, error) {
	t.notify(ctx)
	t.questions++
	line, err := t.in.Secret(ctx, func() {
		if t.json {
			t.object(fact{Text: label, kind: isSecret})
		} else {
			t.raw(label + " (not shown): ")
		}
	})
	t.endLine()
	if err != nil {
		return "", inputError(err)
	}
	return line, nil
}

// NewSecret asks for a new password twice, to detect typing errors. It ignores what was typed ahead. back at the
// second question returns to the first.
func (t *Talk) NewSecret(ctx context.Context, label string) (string, error) {
	for {
		if err := t.dropTyped(ctx); err != nil {
			return "", err
		}
		first, err := t.Secret(ctx, label)
		if err != nil {
			return "", err
		}
		if isCommonWord(first) {
			if err := t.report(misuse("That word is a command at every prompt.", "choose another.")); err != nil {
				return "", err
			}
			continue
		}
		again, err := t.Secret(ctx, "Again")
		switch {
		case errors.Is(err, errBack):
			continue
		case err != nil:
			return "", err
		case again == first:
			return first, nil
		}
		if err := t.report(misuse("The two passwords differ.", "type both again.")); err != nil {
			return "", err
		}
	}
}

// Text asks for free text; an empty line returns usual. A word that works everywhere is text when it is quoted.
func (t *Talk) Text(ctx context.Context, prompt, hint, usual string) (string, error) {
	if usual != "" {
		prompt += " [" + usual + "]"
	}
	for {
		line, err := t.Ask(ctx, prompt, hint)
		line = strings.TrimSpace(line)
		switch {
		case err != nil:
			return "", err
		case line == "":
			return usual, nil
		}
		wrong := field.InvalidCharacter(line)
		if wrong == "" {
			if line, _ = unquote(line); line == `"`+questionMark+`"` {
				line = questionMark
			}
			return line, nil
		}
		if err := t.report(misuse(sentence(wrong), "type it again, or back.")); err != nil {
			return "", err
		}
	}
}

// unquote removes the quotes from a word that would otherwise be run as a command.
func unquote(line string) (string, bool) {
	if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' || !isCommonWord(line[1:len(line)-1]) {
		return line, false
	}
	return line[1 : len(line)-1], true
}

// Choose asks for a number from 1 to n; an empty line returns usual, unless that is 0. Without a usual number the
// choice is a decision, and what was typed ahead is dropped. With an error it returns usual.
func (t *Talk) Choose(ctx context.Context, prompt string, n, usual int) (int, error) {
	ask := t.AskFresh
	if usual > 0 {
		ask, prompt = t.Ask, prompt+fmt.Sprintf(" [%d]", usual)
	}
	hint := fmt.Sprintf("a number from 1 to %d", n)
	for {
		line, err := ask(ctx, prompt, hint)
		if err != nil {
			return usual, err
		}
		line = strings.TrimSpace(line)
		if line == "" && usual > 0 {
			return usual, nil
		}
		if at, err := strconv.Atoi(line); err == nil && at >= 1 && at <= n {
			return at, nil
		}
		if err := t.report(misuse("That is not a choice here.", "type "+hint+", or back.")); err != nil {
			return usual, err
		}
	}
}

// ConfirmWord asks for one whole word before something is signed, approved or deleted. No other answer confirms.
func (t *Talk) ConfirmWord(ctx context.Context, word, what string) error {
	return t.confirmWord(word, func() (string, error) {
		return t.AskFresh(ctx, t.confirmPrompt(word, what), word+", or back")
	})
}

// ConfirmWordUnseen is ConfirmWord without echo, for a question that may appear where the person expects to type a
// secret.
func (t *Talk) ConfirmWordUnseen(ctx context.Context, word, what string) error {
	return t.confirmWord(word, func() (string, error) {
		if err := t.dropTyped(ctx); err != nil {
			return "", err
		}
		return t.Secret(ctx, t.confirmPrompt(word, what))
	})
}

func (t *Talk) confirmPrompt(word, what string) string {
	return fmt.Sprintf("Type %s to %s, %s", word, what, t.backHint())
}

// confirmWord asks until the word is the answer.
func (t *Talk) confirmWord(word string, ask func() (string, error)) error {
	for {
		line, err := ask()
		if err != nil || strings.TrimSpace(line) == word {
			return err
		}
		if err := t.sayUndecided("the word " + word); err != nil {
			return err
		}
	}
}

// hideTyping turns the echo off while an answer of a guarded form is looked up; restore turns it on again.
func (t *Talk) hideTyping() (restore func()) {
	if !t.guarded {
		return func() {}
	}
	return t.in.NoEcho()
}

// sayUndecided prints that the answer decides nothing. It ends a script, whose lines do not match the questions.
func (t *Talk) sayUndecided(what string) error {
	if t.script {
		return t.report(misuse("Nothing was done: only "+what+" goes on.", "check that each line answers its question."))
	}
	t.Say("Nothing was done. Only " + what + " goes on.")
	return nil
}

// report prints an error. In a script it returns the error, which ends the run.
func (t *Talk) report(err error) error {
	r := refusalOf(err)
	if !r.said {
		r.said = true
		t.Wrong(r)
	}
	if t.script {
		return r
	}
	return nil
}

// countAnswered counts a question that was answered before it was asked, so that back can return to it.
func (t *Talk) countAnswered() { t.questions++ }

// backHint returns what back does at this question.
func (t *Talk) backHint() string {
	if t.stepsBack > 0 {
		return "back to change"
	}
	return "back to leave"
}

// questionMark is a synonym of help at every prompt, except those of secrets; between quotes it is text.
const questionMark = "?"

// isCommonWord reports whether a word works at every prompt.
func isCommonWord(name string) bool {
	return slices.Contains([]string{"back", "stop", "help", "repeat", "spell", "where", "lock", "hide", "quit"}, name)
}
