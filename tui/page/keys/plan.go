package keys

import (
	"time"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/txbuild"
)

// plan shows a change before anything is built: who may sign now, next to who may then.
type plan struct {
	change  *Change      // nil: no change is shown
	form    ask.Work     // the form that the change came from, to go back to
	signers *signersForm // the form's, if it asks for signers

	focus       int // 0: now, 1: then
	cursors     [2]list.Cursor
	builtReview txbuild.Review // of what was built
	builtAt     time.Time      // when it was built; zero: it was not
}

// open shows a change.
func (p *plan) open(change *Change, form *form) {
	p.discard()
	*p = plan{change: change, form: form.Work, signers: form.signers, focus: 1}
}

// discard drops the change.
func (p *plan) discard() { *p = plan{} }

// sent reports whether what was built has been signed and sent.
func (p *plan) sent(env screen.Env) bool {
	for _, one := range env.Payments {
		if !p.builtAt.IsZero() && !one.Prepared.Before(p.builtAt) && one.Review.Sentence == p.builtReview.Sentence {
			return true
		}
	}
	return false
}

// side returns what a panel shows.
func (p *plan) side(panel int) *XRay { return []*XRay{p.change.Now, p.change.Then}[panel] }

func (p *plan) parties(panel int) []party { return p.side(panel).tree.partyRows(p.change.id) }

// click puts the focus on a row of one side.
func (p *plan) click(c screen.Click) {
	if c.Panel < 0 || c.Panel > 1 {
		return
	}
	p.focus = c.Panel
	p.cursors[c.Panel].Pick(c.At, len(p.parties(c.Panel)))
}
