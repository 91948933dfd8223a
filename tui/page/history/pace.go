package history

import (
	"time"

	"billfold/walletcore/history"
)

// buildingPause is how often the page reads again while the index is built.
const buildingPause = 400 * time.Millisecond

// paceWindow is how far back the speed of building is measured, paceLeast how
// long must be measured before a time left is told.
const (
	paceWindow = 10 * time.Second
	paceLeast  = 2 * time.Second
)

// pace is how fast the index is built.
type pace struct{ seen []sample }

type sample struct {
	at   time.Time
	rows uint64
}

func (p *pace) note(now time.Time, progress history.Progress) {
	if progress.Whole || len(p.seen) > 0 && progress.Rows < p.seen[0].rows {
		p.seen = nil
		return
	}
	p.seen = append(p.seen, sample{now, progress.Rows})
	for len(p.seen) > 2 && now.Sub(p.seen[0].at) > paceWindow {
		p.seen = p.seen[1:]
	}
}

// left is how long it will take; ok is false while that is not known.
func (p *pace) left(progress history.Progress) (d time.Duration, ok bool) {
	if len(p.seen) < 2 || progress.Total < progress.Rows {
		return 0, false
	}
	from, to := p.seen[0], p.seen[len(p.seen)-1]
	took, done := to.at.Sub(from.at), to.rows-from.rows
	if took < paceLeast || done == 0 {
		return 0, false
	}
	return took * time.Duration(progress.Total-progress.Rows) / time.Duration(done), true
}
