package linear

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/page/firstrun"
	"billfold/walletcore/vault"
)

// dictation makes a recovery phrase and checks that the person has written it down.
type dictation struct {
	*Conversation
	words []string
}

// perLine is the number of words of a phrase on one line.
const perLine = 4

// phrase returns the words of the phrase as one text.
func (s *dictation) phrase() string { return strings.Join(s.words, " ") }

// steps returns the steps that print the phrase and ask for some of its words. The phrase stays the same while the
// person goes back and forth.
func (s *dictation) steps() []step {
	out := []step{s.sayPhrase, s.confirmHeard}
	for _, n := range firstrun.AskedWords() {
		out = append(out, func(ctx context.Context) error { return s.askWord(ctx, n) })
	}
	return out
}

// sayPhrase makes the phrase, unless it was made already, and prints it once the person is ready to hear it.
func (s *dictation) sayPhrase(ctx context.Context) error {
	for s.words == nil || hasPromptWord(s.words) {
		made, err := vault.SuggestBrainKey()
		if err != nil {
			return err
		}
		s.words = strings.Fields(made.BrainKey)
	}
	s.Say("Recovery phrase, " + printable.Many(len(s.words), "word") + ", " + printable.Many(len(s.words)/perLine, "line") +
		". Nobody else should hear this.")
	if err := s.ConfirmWord(ctx, "ready", "read it"); err != nil {
		return err
	}
	s.sayWords(s.words)
	return nil
}

// confirmHeard repeats the phrase, or makes another one, until the person goes on.
func (s *dictation) confirmHeard(ctx context.Context) error {
	for {
		line, err := s.AskFresh(ctx, "Type again to repeat, new for another phrase, next to go on", "again, new, next, back, or stop")
		if err != nil {
			return err
		}
		switch strings.TrimSpace(line) {
		case "next":
			return nil
		case "again":
			s.sayWords(s.words)
		case "new":
			if err := s.replacePhrase(ctx); err != nil {
				return err
			}
		default: // the answer is not repeated: it may be part of the phrase
			s.Say("Type again to hear the words again, next to go on.")
		}
	}
}

// replacePhrase makes a new phrase, after the person agreed to forget the one that was printed; back keeps that.
func (s *dictation) replacePhrase(ctx context.Context) error {
	s.Say("The phrase you heard will be forgotten: what you wrote down restores nothing.")
	switch err := s.ConfirmWord(ctx, "another", "make another phrase"); {
	case errors.Is(err, errBack):
		return nil
	case err != nil:
		return err
	}
	s.words = nil
	return s.sayPhrase(ctx)
}

// sayWords prints the words of a phrase; repeat does not print them.
func (s *dictation) sayWords(words []string) {
	for i := 0; i < len(words); i += perLine {
		end := min(i+perLine, len(words))
		s.Tell("Words "+strconv.Itoa(i+1)+" to "+strconv.Itoa(end), strings.Join(words[i:end], " "))
	}
	s.Forget()
}

// hasPromptWord reports whether a word that will be asked for also works at every prompt, such as quit: typed as an
// answer, it would be taken as that command.
func hasPromptWord(words []string) bool {
	return slices.ContainsFunc(firstrun.AskedWords(), func(n int) bool { return isCommonWord(strings.ToLower(words[n-1])) })
}

// askWord asks for word n of the phrase until it is right.
func (s *dictation) askWord(ctx context.Context, n int) error {
	for {
		line, err := s.AskFresh(ctx, "Word "+strconv.Itoa(n), "word "+strconv.Itoa(n)+" of the phrase, or back")
		if err != nil {
			return err
		}
		if strings.EqualFold(strings.TrimSpace(line), s.words[n-1]) {
			s.Say("Right.")
			return nil
		}
		if err := s.report(misuse("That is not word "+strconv.Itoa(n)+".", "type it again, or back.")); err != nil {
			return err
		}
	}
}
