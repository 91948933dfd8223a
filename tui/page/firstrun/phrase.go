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

// blankAfter is how long the phrase stays readable without a key.
const blankAfter = 2 * time.Minute

// phrase is the page that shows a new recovery phrase. It is in no field, can not be copied, and is in no file.
type phrase struct {
	words  string
	keys   []shownKey // private keys instead of words
	hidden bool
	seen   time.Time // of the last key
}

// phrasePlace is that of the phrase in the key table.
const phrasePlace = "firstrun.phrase"

func phrasePlaces() []action.Place {
	return []action.Place{{ID: phrasePlace, Title: "Recovery phrase", Modal: true, Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "I wrote it down", Help: "go on; you type three of the words", Hint: 1},
		{ID: "phrase.hide", Keys: []string{"v"}, Word: "hide, show", Help: "hide, show the phrase", Hint: 2},
		{ID: "phrase.new", Keys: []string{"r"}, Word: "new phrase", Help: "make another phrase; this one is forgotten", Hint: 3},
		{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "one step back; the phrase is forgotten", Hint: 4},
		{ID: "help", Keys: []string{"?"}, Help: "this help"},
	}}}
}

// open shows a phrase; an empty one is made anew.
func (p *phrase) open(env screen.Env, words string) error {
	if words == "" {
		made, err := vault.SuggestBrainKey()
		if err != nil {
			return err
		}
		words = made.BrainKey
	}
	p.words, p.keys, p.hidden, p.seen = words, nil, false, env.Now
	return nil
}

// shownKey is a private key that is to be written down.
type shownKey struct {
	roles, text string
}

// openKeys shows private keys.
func (p *phrase) openKeys(env screen.Env, held []screen.HeldKey, from Prover) error {
	p.words, p.keys, p.hidden, p.seen = "keys", nil, false, env.Now
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

// drawKeys shows the private keys, one below the other.
func (p *phrase) drawKeys(to *page) {
	const roomy = 16 // rows; with less, all keys stand before what is said about them
	if to.in.H >= roomy {
		to.put(canvas.Text("Whoever reads these private keys can use the account for ever."))
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

// tick blanks the page that nobody looks at.
func (p *phrase) tick(now time.Time) {
	if p.words != "" && now.Sub(p.seen) >= blankAfter {
		p.hidden = true
	}
}

const perLine = 4 // words in a line of the phrase

// draw shows the words in a grid, four to a line.
func (p *phrase) draw(to *page) {
	if p.keys != nil {
		p.drawKeys(to)
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
	n := asked()
	to.put(canvas.In(theme.Muted, fmt.Sprintf("Next: you type words %d, %d and %d to prove the copy is right.", n[0], n[1], n[2])))
}
