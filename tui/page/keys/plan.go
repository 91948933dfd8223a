package keys

import (
	"time"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/build"
)

// plan shows what a change comes to, now beside then, before anything is built.
type plan struct {
	change *Change  // nil: there is none
	form   ask.Work // the question that it answers, for the way back
	signs  *signing // of the form

	focus int // 0: now, 1: then
	rows  [2]list.Cursor
	built build.Review // what was built of it
	at    time.Time    // when
}

// begin shows a change.
func (p *plan) begin(change *Change, form *form) {
	p.drop()
	*p = plan{change: change, form: form.Work, signs: form.signs, focus: 1}
}

// drop forgets the change, and keys that were made for it.
func (p *plan) drop() {
	if p.change != nil {
		p.change.Wipe()
	}
	*p = plan{}
}

// sent reports whether what was built of it is on its way.
func (p *plan) sent(env screen.Env) bool {
	for _, one := range env.Payments {
		if !p.at.IsZero() && !one.Prepared.Before(p.at) && one.Review.Sentence == p.built.Sentence {
			return true
		}
	}
	return false
}

// side is what stands in a panel.
func (p *plan) side(panel int) *XRay { return []*XRay{p.change.Now, p.change.Then}[panel] }

func (p *plan) parties(panel int) []party { return p.side(panel).tree.rows(p.change.id) }

// click chooses a row of one side.
func (p *plan) click(c screen.Click) {
	if c.Panel < 0 || c.Panel > 1 {
		return
	}
	p.focus = c.Panel
	p.rows[c.Panel].Pick(c.At, len(p.parties(c.Panel)))
}
