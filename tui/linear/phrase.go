package linear

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"billfold/walletcore/vault"
)

// dictation makes a recovery phrase that the person writes down.
type dictation struct{ *Desk }

// perLine is how many words of a phrase one line has.
const perLine = 4

// errOther means that the person wants another phrase.
var errOther = errors.New("another phrase")

// read reads a phrase in parts, as often as the person wants; its error is errOther where another is wanted.
func (s dictation) read(ctx context.Context, words []string) error {
	s.Say(
		"Recovery phrase, " + plural(len(words), "word") + ", " + plural(len(words)/perLine, "line") + ". Nobody else should hear this.",
	)
	if err := s.Agree(ctx, "ready", "read it"); err != nil {
		return err
	}
	s.say(words)
	for {
		line, err := s.AskFresh(ctx, "Type again to repeat, new for another phrase, next to go on", "again, new, next, or stop")
		if err != nil {
			return err
		}
		switch strings.TrimSpace(line) {
		case "next":
			return nil
		case "again":
			s.say(words)
		case "new":
			return errOther
		default: // it is not said aloud once more
			s.Say("Only again says the words again, and only next goes on.")
		}
	}
}

// say says the words of a phrase. repeat does not say them.
func (s dictation) say(words []string) {
	for i := 0; i < len(words); i += perLine {
		end := min(i+perLine, len(words))
		s.Tell("Words "+strconv.Itoa(i+1)+" to "+strconv.Itoa(end), strings.Join(words[i:end], " "))
	}
	s.Forget()
}

// asked are the words of a phrase that are typed to show that the copy is right, counted from 1.
func asked() []int { return []int{3, 9, 14} }

// phrase makes a phrase that the person reads, and proves to have.
func (s dictation) phrase(ctx context.Context) (string, error) {
	for {
		phrase, err := vault.SuggestBrainKey()
		if err != nil {
			return "", err
		}
		words := strings.Fields(phrase.BrainKey)
		if heardElsewise(words) {
			continue
		}
		err = s.read(ctx, words)
		if errors.Is(err, errOther) {
			continue
		}
		if err != nil {
			return "", err
		}
		return phrase.BrainKey, s.quiz(ctx, words)
	}
}

// heardElsewise reports whether a word that is asked for is one that does something at every prompt, such as quit: typed as an
// answer, it would not be heard as one.
func heardElsewise(words []string) bool {
	return slices.ContainsFunc(asked(), func(n int) bool { return isEverywhere(strings.ToLower(words[n-1])) })
}

// quiz has words of a phrase typed.
func (s dictation) quiz(ctx context.Context, words []string) error {
	for _, n := range asked() {
		for {
			line, err := s.AskFresh(ctx, "Word "+strconv.Itoa(n), "word "+strconv.Itoa(n)+" of the phrase, or back")
			if err != nil {
				return err
			}
			if strings.EqualFold(strings.TrimSpace(line), words[n-1]) {
				s.Say("Right.")
				break
			}
			if err := s.refused(misuse("That is not word "+strconv.Itoa(n)+".", "type it again, or back.")); err != nil {
				return err
			}
		}
	}
	return nil
}
