package linear

import (
	"context"
	"slices"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore/txbuild"
)

// intro is the first sentence of every review in linear mode.
const intro = "Review. Read back from the bytes that will be signed."

// signingLife is the text that says until when a signed transaction is valid.
const signingLife = "30 s after signing"

// choice is a further word that a review accepts.
type choice struct {
	word, help string
	do         func(ctx context.Context) error // runs and ends the review; nil if of does
	of         func(ctx context.Context, reviewed screen.Built) error
}

// choicesOf returns choices that act on what is under review.
func choicesOf(reviewed screen.Built, choices []choice) []choice {
	choices = slices.Clone(choices)
	for i, c := range choices {
		if c.do == nil {
			choices[i].do = func(ctx context.Context) error { return c.of(ctx, reviewed) }
		}
	}
	return choices
}

// reviewer shows operations for review and has them signed.
type reviewer struct {
	*Conversation
	chosen bool // the signers were already chosen one by one
}

// confirm prints the whole review, asks for what it requires to be typed, and waits for word. It returns false and
// nil for that word only. done reports that one of the choices in more ended the review.
func (s reviewer) confirm(ctx context.Context, page *review.Page, word, what string, more ...choice) (done bool, err error) {
	s.sayReview(page)
	if err := s.answerChecks(ctx, page); err != nil {
		return false, err
	}
	prompt := "Type " + word + " to " + what
	hint := word + ", json, "
	for _, c := range more {
		prompt += ", " + c.word + " to " + c.help
		hint += c.word + ", "
	}
	prompt += ", " + s.backHint()
	for {
		line, err := s.AskFresh(ctx, prompt, hint+"back")
		if err != nil {
			return false, err
		}
		prompt = hint + "back" // the long form was heard
		line = strings.TrimSpace(line)
		for _, c := range more {
			if line == c.word {
				return true, c.do(ctx)
			}
		}
		switch line {
		case word:
			ready, err := s.ready(ctx, page, word)
			if ready || err != nil {
				return false, err
			}
		case "json":
			if strings.Contains(page.Shown.JSON, unsetExpiration) {
				s.Say("The reference block and the expiration are set at signing; here they are empty.")
			}
			s.sayRaw(page.Shown)
		default:
			if err := s.sayUndecided("the word " + word); err != nil {
				return false, err
			}
		}
	}
}

// sayReview prints all rows of a review and keeps them for repeat.
func (s reviewer) sayReview(page *review.Page) {
	for _, r := range page.Rows(s.env()) {
		s.sayRowOf(r)
	}
	page.MarkRead(s.env())
	s.review = slices.Clone(s.said) // including what was printed before it
}

func (s reviewer) sayRowOf(r review.Row) {
	label := strings.TrimSpace(r.Label)
	if label != "" {
		label = strings.ToUpper(label[:1]) + label[1:]
	}
	switch {
	case label == "" && r.Line.Width() == 0:
	case label == "":
		s.Under(r.Line)
	default:
		s.Fact(label, r.Line)
	}
}

// answerChecks asks for everything that the review requires to be typed, until each answer is right.
func (s reviewer) answerChecks(ctx context.Context, page *review.Page) error {
	for {
		what, why, left := page.Question()
		if !left {
			return nil
		}
		s.Tell("Check", sentence(why))
		line, err := s.AskFresh(ctx, "To go on, type the "+what, "the "+what+", or back")
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			if err := s.sayUndecided("the " + what); err != nil {
				return err
			}
			continue
		}
		if wrong := page.Answer(line); wrong != "" {
			if err := s.report(misuse(sentence(wrong), "type the "+what+", or back.")); err != nil {
				return err
			}
		}
	}
}

// unsetExpiration is the expiration of an unsigned transaction in its JSON.
const unsetExpiration = `"expiration": "1970-01-01T00:00:00"`

// sayRaw prints a transaction as JSON and as bytes.
func (s reviewer) sayRaw(r txbuild.Review) {
	for _, l := range review.Raw(r, lineWidth) {
		if text := strings.TrimRight(l.String(), " "); text != "" {
			s.put(fact{Text: ascii(text)})
		}
	}
}

// ready reports whether the transaction can be signed or sent now. It unlocks a locked wallet first, shows the review
// again and returns false, so that word is asked for again.
func (s reviewer) ready(ctx context.Context, page *review.Page, word string) (bool, error) {
	env := s.env()
	if !env.Unlocked() && page.Blocked(env) != "" {
		if err := s.needUnlock(ctx); err != nil {
			return false, err
		}
		s.Forget()
		s.Say("Nothing was done yet.")
		s.sayReview(page)
		s.Say("Type " + word + " again.")
		return false, nil
	}
	if why := page.Blocked(env); why != "" {
		r := &Refusal{
			What:  word + " is off: " + format.Clean(why) + ".",
			Money: "nothing was sent.",
			Next:  "back, or " + word + " again later.",
			Code:  Refused,
		}
		if !env.Online() {
			r.Code = NoDaemon
		}
		return false, s.report(r)
	}
	return true, nil
}
