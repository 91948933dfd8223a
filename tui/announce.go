package tui

import (
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	queue "billfold/walletcore/approval"
	"billfold/walletcore/payment"
)

// lockWarning is the time from a toast's warning until the wallet locks automatically.
const lockWarning = time.Minute

// announcer shows toasts, once each, for what happened without the person's doing.
type announcer struct {
	toasts       toasts
	weakness     string // of keys, file and store, as last announced
	lockWarned   bool   // the toast warns that the wallet is about to lock
	wrongKeys    string // the accounts registered with wrong keys, as last announced
	lastMissed   int64  // the number of the latest unanswered request that was announced
	lastApproval int64  // the number of the latest request that was announced
}

// warnOfLock warns that the wallet will lock soon, because it is idle or because the time it was unlocked for is nearly over.
func (a *announcer) warnOfLock(env screen.Env) {
	if env.LockIn == 0 {
		return
	}
	text := " Locks in " + format.Countdown(env.LockIn) + ", any key cancels"
	if env.Status.LocksFixed {
		text = " Locks in " + format.Countdown(env.LockIn) + ": the unlock time ends then"
	}
	a.toasts.add(env.Now, screen.Toast{Bad: true, Urgent: true, Line: canvas.In(theme.Warn, theme.SignCareful+text)})
	a.lockWarned = true
}

// clearLockWarning removes the warning if a key postponed the lock.
func (a *announcer) clearLockWarning(env screen.Env) {
	if !a.lockWarned || env.LockIn <= lockWarning {
		return
	}
	if a.lockWarned = false; a.toasts.urgent {
		a.toasts.shown = nil
	}
}

// weaknesses warns of what weakens an open wallet; the notices keep the warnings.
func (a *announcer) weaknesses(env screen.Env) {
	s := env.Status
	if a.weakness == s.KeysFault+s.FileFault+s.StoreFault {
		return
	}
	a.weakness = s.KeysFault + s.FileFault + s.StoreFault
	for _, fault := range []string{s.KeysFault, s.FileFault, s.StoreFault} {
		if fault != "" {
			a.warn(env, canvas.In(theme.Warn, theme.SignCareful+" Careful: "+format.Clean(fault)))
		}
	}
}

// misregistered warns of accounts that others registered with other keys than were requested.
func (a *announcer) misregistered(env screen.Env) {
	if a.wrongKeys == env.Status.Misregistered {
		return
	}
	if a.wrongKeys = env.Status.Misregistered; a.wrongKeys != "" {
		a.warn(env, format.Misregistered(a.wrongKeys))
	}
}

// paymentOutcomes announces the payments whose outcome became known since before.
func (a *announcer) paymentOutcomes(env screen.Env, before []payment.Payment) {
	was := map[ledger.TransactionID]payment.State{}
	for _, p := range before {
		was[p.ID] = p.State
	}
	for _, p := range env.Payments {
		state, known := was[p.ID]
		if known && state != p.State || !known && endedBadly(p.State) && env.Now.Sub(p.Prepared) < recentFailure {
			a.paymentOutcome(env, p)
		}
	}
}

// recentFailure is the age up to which a payment that failed before it was ever seen pending, such as a program's payment that a node
// refused at once, is announced.
const recentFailure = time.Minute

// endedBadly reports whether a person must hear of a payment that was never seen pending.
func endedBadly(s payment.State) bool {
	return s == payment.Rejected || s == payment.Expired || s == payment.Unknown
}

func (a *announcer) paymentOutcome(env screen.Env, p payment.Payment) {
	words := progress.Announcement(env, p)
	switch p.State {
	case payment.Irreversible:
		a.toasts.add(env.Now, screen.Toast{Line: canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), words)})
	case payment.Expired, payment.Rejected:
		a.warn(env, canvas.In(theme.Danger, theme.SignFailed+" "), words[:1].As(theme.Danger), words[1:], reasonOf(p))
	case payment.Unknown:
		a.warn(env, canvas.In(theme.Danger, theme.SignUnknown+" "), words[:1].As(theme.Danger), words[1:])
	case payment.Prepared, payment.Sent, payment.InBlock:
	}
}

// reasonOf returns what a node said when it refused a payment.
func reasonOf(p payment.Payment) canvas.Line {
	if p.Reason == "" || p.State != payment.Rejected {
		return nil
	}
	return canvas.Text(" · " + format.Clean(p.Reason))
}

// warn shows a toast that must not be missed.
func (a *announcer) warn(env screen.Env, parts ...canvas.Line) {
	a.toasts.add(env.Now, screen.Toast{Bad: true, Line: canvas.Join(parts...)})
}

// newApprovals announces requests that started to wait for an answer; opens says which key opens the oldest from what is in front. What
// is named behind that is what the key opens.
func (a *announcer) newApprovals(env screen.Env, opens string) {
	for _, r := range env.Approvals {
		if r.Number <= a.lastApproval {
			continue
		}
		a.lastApproval = r.Number
		named, which := env.Approvals[0], ": "
		if named.Number != r.Number {
			which = ", the oldest of " + format.Count(len(env.Approvals)) + ": "
		}
		then := "; " + opens + " it"
		if r.Review.Again {
			then = "; what it warns of changed since your yes" + then
			a.warn(env, canvas.In(theme.Warn, theme.SignCareful+" Asked again, nothing is signed yet"+which), summary(env, named), canvas.In(theme.Warn, then))
			continue
		}
		if r.Via == queue.Console { // the console shows it
			continue
		}
		asks := " asks to spend"
		if r.Sentence != "" {
			asks = " asks for keys"
		}
		a.warn(env, canvas.In(theme.Pending, theme.SignNew+" "+format.Caller(r.Who)+asks+which), summary(env, named), canvas.In(theme.Pending, then))
	}
}

// unanswered announces requests that ended because nobody answered.
func (a *announcer) unanswered(env screen.Env) {
	last := a.lastMissed
	for _, r := range slices.Backward(env.Unanswered) {
		if r.Number > last {
			a.lastMissed = max(a.lastMissed, r.Number)
			a.warn(env, canvas.In(theme.Warn, theme.SignFailed+" Nobody answered "+format.Caller(r.Who)+": "), summary(env, r.Request), canvas.In(theme.Warn, "; nothing was signed"))
		}
	}
}

// summary returns what a request asks for; while the wallet is locked, only its number.
func summary(env screen.Env, r queue.Request) canvas.Line {
	if !env.Unlocked() {
		return canvas.In(theme.Muted, format.Serial(r.Number))
	}
	return approval.Told(r)
}
