package tui_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
)

// typist does what a hurried person does around Send, and remembers the amounts that were typed and never given up.
type typist struct {
	*uitest.Driver
	w     *uitest.World
	dice  *rand.Rand
	typed []string
	did   []string
}

// amount is one that was never typed before.
func (p *typist) amount() string {
	p.typed = append(p.typed, fmt.Sprintf("%d.25", 100+len(p.typed)))
	return p.typed[len(p.typed)-1]
}

// steps are what may be done, each from any page and without a field in focus.
func (p *typist) steps() map[string]func() {
	line := func(text string) {
		p.Press("ctrl+k")
		p.Type(text)
		p.Press("enter")
	}
	list := func() {
		p.Press("3 esc esc esc 3 esc d")
		p.Wait(time.Second)
		for range p.dice.IntN(4) {
			p.Press("down")
		}
	}
	return map[string]func(){
		"a line":          func() { line("send carol " + p.amount()) },
		"a payment again": func() { p.Press("2 b") },
		"a contact":       func() { p.Press("7 s") },
		"an asset":        func() { p.Press("9 down s") },
		"a link": func() {
			p.Press("3 esc esc esc 3 ctrl+u")
			p.Paste("dcore:carol?amount=" + p.amount())
		},
		"take or save": func() { list(); p.Press("enter") },
		"delete and undo": func() {
			list()
			p.Press("X")
			p.Press("u")
		},
		"another account": func() {
			p.Press("@")
			p.Press([]string{"home", "down", "down down"}[p.dice.IntN(3)] + " enter")
		},
		"lock": func() {
			p.Press("ctrl+l")
			p.Wait(time.Second)
			p.Type(uitest.Password)
			p.Press("enter")
			p.Wait(3 * time.Second)
		},
		"clear and back": func() { p.Press("3 esc esc esc 3 ctrl+x ctrl+x") },
	}
}

// step does something, and leaves its field.
func (p *typist) step() {
	steps := p.steps()
	names := make([]string, 0, len(steps))
	for name := range steps {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[p.dice.IntN(len(names))]
	p.did = append(p.did, name)
	steps[name]()
	p.Press("esc")
	if p.dice.IntN(2) == 0 { // else the next thing is done at once
		p.Wait(time.Second)
	}
}

// amounts are those of all drafts.
func (p *typist) amounts() (all []string) {
	for _, of := range []ledger.AccountID{uitest.Alice.ID, uitest.Savings.ID, uitest.Merchant.ID} {
		kept, err := p.w.Wallet.Drafts.List(p.w.Ctx, of)
		uitest.Must(p.T, err)
		for _, k := range kept {
			all = append(all, k.Request.Amount)
		}
	}
	return all
}

// walks is how many walks are taken: make properties takes more.
func walks() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("WALKS"), 10, 64); err == nil {
		return n
	}
	return 2
}

// Whatever is done around Send, each amount that was typed is a draft in the end, and only once.
func TestNothingTypedIsLostOnTheWay(t *testing.T) {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		w.Hold(uitest.Merchant, uitest.KeyOf(uitest.Merchant.Name))
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
	}
	for seed := range walks() {
		uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
			p := &typist{Driver: d, w: w, dice: rand.New(rand.NewPCG(seed, 1))}
			for range 25 {
				p.step()
			}
			d.Wait(time.Second)
			uitest.Must(t, d.Model.Keep(w.Ctx))
			kept := p.amounts()
			for _, amount := range p.typed {
				if n := len(kept) - len(slices.DeleteFunc(slices.Clone(kept), func(a string) bool { return a == amount })); n != 1 {
					t.Errorf("seed %d: %s is kept %d times after %q", seed, amount, n, p.did)
				}
			}
		})
	}
}
