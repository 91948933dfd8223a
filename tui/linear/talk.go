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
	"billfold/tui/format"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
)

// Lines is what a person types. Both return io.EOF at its end.
type Lines interface {
	Line(ctx context.Context) (string, error)
	// Secret is a line of which nothing is shown; ask is called once it would not be.
	Secret(ctx context.Context, ask func()) (string, error)
	// Fresh drops what a person typed before now; dropped reports that there was any. A script types nothing ahead.
	DropTyped(ctx context.Context) (dropped bool, err error)
	// Ahead reports that a line waits which was typed, and seen, before now.
	TypedAhead() bool
	// Unseen has nothing shown of what a person types until heard is called, which drops it.
	NoEcho() (restore func())
}

// Talk asks and hears answers.
type Talk struct {
	Voice
	in     Lines
	echo   bool // what is heard is not on the screen: it is written
	script bool // nobody is there to answer an error: the first one ends the run

	everywhere func(ctx context.Context, line string) (heard bool, err error) // words that work at every prompt
	notify     func(ctx context.Context)                                      // is called between prompts
	review     []fact                                                         // what repeat says while its question is open
	hint       string                                                         // what fits at the prompt that is open
	lastPrompt string                                                         // the latest prompt
	questions  int                                                            // how many were put
	stepsBack  int                                                            // how many of the form can be gone back to
	guarded    bool                                                           // a secret is asked for later in the form: see guard
}

// Ask asks for a line. Words that work everywhere are done, and it asks again.
func (t *Talk) Ask(ctx context.Context, prompt, hint string) (string, error) {
	return t.ask(ctx, prompt, hint, func(context.Context) error { return nil })
}

// AskFresh is Ask for what is decided: a line counts that was typed after everything was said, not one that was pasted or
// typed ahead.
func (t *Talk) AskFresh(ctx context.Context, prompt, hint string) (string, error) {
	return t.ask(ctx, prompt, hint, t.dropTyped)
}

// fresh drops what was typed before.
func (t *Talk) dropTyped(ctx context.Context) error {
	dropped, err := t.in.DropTyped(ctx)
	if dropped {
		t.Say("What you had typed before this question was dropped.")
	}
	return err
}

// ask asks for a line. before is done each time before the prompt is put.
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
		heard, err := t.everywhere(ctx, word)
		switch {
		case err != nil:
			return "", err
		case !heard:
			t.Forget()
			return line, nil
		}
	}
}

// hear shows a prompt and reads a line.
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
	if t.echo || ahead {
		t.writeEcho(canvas.Width(lastLine(prompt))+3, line)
	}
	return line, nil
}

// prompt writes a prompt; its last line stays open.
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

// echoed writes what was heard behind the prompt, where nobody else did.
func (t *Talk) writeEcho(at int, line string) {
	if t.json {
		return
	}
	line = ascii(format.Clean(line))
	if holdsKey(line) {
		line = "(a private key, not shown)"
	}
	for canvas.Width(line) > lineWidth-at {
		n := bytesThatFit(line, lineWidth-at)
		t.raw(line[:n] + "\n")
		line, at = line[n:], 0
	}
	t.raw(line + "\n")
}

// holdsKey reports whether a private key is among the words of a line.
func holdsKey(line string) bool {
	for _, word := range strings.Fields(line) {
		if key, err := ledger.ParseWIF(word); err == nil {
			key.Wipe()
			return true
		}
	}
	return false
}

// endLine closes a prompt that nobody answered.
func (t *Talk) endLine() {
	if !t.json {
		t.raw("\n")
	}
}

// ended is the end of the input, or what of it could not be taken.
func inputError(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errOver
	case errors.Is(err, bufio.ErrTooLong):
		return misuse("The line is longer than 64 KiB.", "type a shorter one.")
	}
	return err
}

// Secret asks for what nobody may see. The words that are heard at every prompt are heard here as well, and text between
// quotes; an empty line is asked again.
func (t *Talk) Secret(ctx context.Context, label string) (string, error) {
	t.hint = "what is asked for, which is not shown, or back"
	for {
		line, err := t.readSecret(ctx, label)
		if err != nil {
			return "", err
		}
		heard, err := t.everywhere(ctx, line)
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

// SecretWords is Secret for words that may be pasted as several lines: those which are there already belong to them, and answer nothing.
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

// NewSecret asks for a secret that is set, twice: nobody sees a slip of the finger. Nothing typed ahead is one. back at the
// second goes to the first.
func (t *Talk) NewSecret(ctx context.Context, label string) (string, error) {
	for {
		if err := t.dropTyped(ctx); err != nil {
			return "", err
		}
		first, err := t.Secret(ctx, label)
		if err != nil {
			return "", err
		}
		if isEverywhere(first) {
			if err := t.report(misuse("That is a word that does something at every prompt.", "choose another.")); err != nil {
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

// Text asks for free text; empty gives what is usual. A word that works everywhere is text between quotes.
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

// unquote takes the quotes from a word that would be heard as a command.
func unquote(line string) (string, bool) {
	if len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' || !isEverywhere(line[1:len(line)-1]) {
		return line, false
	}
	return line[1 : len(line)-1], true
}

// Choose asks for a number from 1 to n; empty gives the usual one, 0 is none. Where none is usual the choice is a decision,
// which nothing typed ahead makes. With an error it is the usual one.
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
		if err := t.report(misuse("That is no choice here.", "type "+hint+", or back.")); err != nil {
			return usual, err
		}
	}
}

// ConfirmWord asks for one whole word before something is signed, approved or deleted. Nothing else is a yes.
func (t *Talk) ConfirmWord(ctx context.Context, word, what string) error {
	return t.confirmWord(word, func() (string, error) {
		return t.AskFresh(ctx, t.confirmPrompt(word, what), word+", or back")
	})
}

// ConfirmWordUnseen is ConfirmWord for a question that nobody expects before a secret: whoever types that without a look does not have
// it shown.
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

// unseen has nothing shown of what is typed while what was answered in a guarded form is looked up.
func (t *Talk) hideTyping() (heard func()) {
	if !t.guarded {
		return func() {}
	}
	return t.in.NoEcho()
}

// undone prints that what was typed decides nothing. A script whose lines do not fit the questions ends.
func (t *Talk) sayUndecided(what string) error {
	if t.script {
		return t.report(misuse("Nothing was done: only "+what+" goes on.", "check that each line answers its question."))
	}
	t.Say("Nothing was done. Only " + what + " goes on.")
	return nil
}

// refused prints an error. It returns it where nobody is there to answer: a script ends with it.
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

// taken counts a question that was answered before it was asked: back goes to it.
func (t *Talk) countAnswered() { t.questions++ }

// leaving returns what back does at the question that is open.
func (t *Talk) backHint() string {
	if t.stepsBack > 0 {
		return "back to change"
	}
	return "back to leave"
}

// questionMark is heard as help at every prompt but that of a secret; between quotes it is text.
const questionMark = "?"

// isEverywhere reports that a word is heard at every prompt.
func isEverywhere(name string) bool {
	return slices.Contains([]string{"back", "stop", "help", "repeat", "spell", "where", "lock", "hide", "quit"}, name)
}
