package firstrun

import (
	"fmt"
	"strings"
	"time"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/vault"
)

// blankAfter is the time for which the phrase stays readable while no key is pressed.
const blankAfter = 2 * time.Minute

// phrase is the page that shows a new recovery phrase. The phrase is in no field and no file, and cannot be copied.
type phrase struct {
	words      string     // empty: nothing is shown
	keys       []shownKey // private keys instead of words
	hidden     bool
	askAnother bool      // the page asks whether to make another one
	lastPress  time.Time // when a key was last pressed
}

// The places of the phrase in the key table: while it is shown, and while the page asks whether to make another one.
const (
	phrasePlace  = "firstrun.phrase"
	anotherPlace = "firstrun.another"
)

func phrasePlaces() []action.Place {
	return []action.Place{{ID: phrasePlace, Title: "Recovery phrase", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "I wrote it down", Help: "go on; you type three of the words", Hint: 1},
		{ID: "phrase.hide", Keys: []string{"v"}, Word: "hide, show", Help: "hide, show the phrase", Hint: 2},
		{ID: "phrase.new", Keys: []string{"r"}, Word: "new phrase", Help: "make another phrase; it asks first", Hint: 3},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "one step back; the phrase stays the same", Hint: 4},
		{ID: "help", Keys: []string{"?"}, Help: "this help"},
	}}, {ID: anotherPlace, Title: "Another phrase", Modal: true, Actions: []action.Action{
		{ID: "phrase.make", Keys: []string{"X"}, Word: "make another", Help: "forget this phrase and make another", Hint: 1, Money: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "keep it", Help: "keep this phrase", Hint: 2, Typing: true},
	}}}
}

// showWords shows a phrase; if it is empty, a new one.
func (p *phrase) showWords(env screen.Env, words string) error {
	if words == "" {
		made, err := vault.SuggestBrainKey()
		if err != nil {
			return err
		}
		words = made.BrainKey
	}
	*p = phrase{words: words, lastPress: env.Now}
	return nil
}

// show shows the private keys of a step, or else the new phrase, which it makes if newPhrase is empty.
func (p *phrase) show(env screen.Env, newPhrase *string, held []screen.HeldKey, from Prover) error {
	if held != nil {
		return p.showKeys(env, held, from)
	}
	err := p.showWords(env, *newPhrase)
	*newPhrase = p.words
	return err
}

// shownKey is a private key that is to be written down.
type shownKey struct {
	roles, text string
}

// showKeys shows private keys.
func (p *phrase) showKeys(env screen.Env, held []screen.HeldKey, from Prover) error {
	*p = phrase{words: "keys", lastPress: env.Now}
	for _, one := range held {
		private, err := from.PrivateKeyOf(one.Key)
		if err != nil {
			*p = phrase{}
			return err
		}
		p.keys = append(p.keys, shownKey{one.Roles, string(private)})
		private.Wipe()
	}
	return nil
}

// drawKeys draws the private keys, one below the other.
func (p *phrase) drawKeys(to *page) {
	const roomy = 16 // rows; with fewer, the keys come first, without gaps
	if to.in.H >= roomy {
		to.put(canvas.Text("Anyone who reads these private keys can use the account for ever."))
		to.y++
	} else {
		to.y = 0
	}
	for _, key := range p.keys {
		text := key.text
		if p.hidden {
			text = strings.Repeat(theme.SignDots, 12)
		}
		to.put(canvas.Join(canvas.In(theme.Muted, key.roles+"  "), canvas.Bold(theme.Text, text)))
		if to.in.H >= roomy {
			to.y++
		}
	}
	if p.hidden {
		to.put(canvas.In(theme.Warn, theme.SignCareful+" Hidden. v shows them."))
		return
	}
	to.put(canvas.In(theme.Muted, "Write them on paper; they cannot be copied. Next: you type the last six characters of each. "+
		"The page blanks after 2 min."))
}

// blankIdle hides the phrase if no key was pressed for some time.
func (p *phrase) blankIdle(now time.Time) {
	if p.words != "" && now.Sub(p.lastPress) >= blankAfter {
		p.hidden = true
	}
}

// drawAnother draws the question whether to make another phrase.
func (p *phrase) drawAnother(to *page) {
	to.put(canvas.Text("Make another phrase?"))
	to.y++
	to.put(canvas.Bold(theme.Warn, theme.SignCareful+" The one you were shown is forgotten: your written copy restores nothing."))
	to.y++
	to.put(canvas.In(theme.Muted, "X makes another. esc shows the same one again."))
}

const perLine = 4 // words in a line of the phrase

// draw draws the words in a grid, four to a line; or the private keys, or the question.
func (p *phrase) draw(to *page) {
	switch {
	case p.keys != nil:
		p.drawKeys(to)
		return
	case p.askAnother:
		p.drawAnother(to)
		return
	}
	to.put(canvas.Text("This phrase is the whole wallet. Anyone who reads it can spend your money; " +
		"without it nobody can bring the wallet back."))
	to.y++
	words := strings.Fields(p.words)
	cell := (to.in.W - 4) / perLine
	gap := 1
	if to.in.H >= 16 {
		gap = 2
	}
	for i, word := range words {
		if p.hidden {
			word = strings.Repeat(theme.SignDots, 6)
		}
		l := canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%2d ", i+1)), canvas.Bold(theme.Text, word))
		to.in.Put(2+i%perLine*cell, to.y+i/perLine*gap, l)
	}
	to.y += (len(words)+perLine-1)/perLine*gap + 2 - gap
	to.put(canvas.Text("Write it on paper. It is on screen only: not in a file, not in a log."))
	if p.hidden {
		to.put(canvas.In(theme.Warn, theme.SignCareful+" Hidden. v shows it."))
	} else {
		to.put(canvas.In(theme.Muted, "It cannot be copied. The page blanks after 2 min without a key."))
	}
	n := AskedWords()
	to.put(canvas.In(theme.Muted, fmt.Sprintf("Next: you type words %d, %d and %d to prove the copy is right.", n[0], n[1], n[2])))
}
