package tui

import (
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	queue "billfold/walletcore/approval"
	"billfold/walletcore/payment"
)

// lockWarning is how long before the wallet locks by itself a toast says so.
const lockWarning = time.Minute

// announcer reports once, in toasts, what happened without the person's doing.
type announcer struct {
	toasts   toasts
	faults   string // of keys and files, as last announced
	locking  bool   // the toast is about a lock that is near
	foreign  string // accounts with other keys, as last announced
	approval int64  // the number of the latest one that was announced
}

// lock warns that the wallet will lock, whether it was left alone or opened
// for a time that is nearly over.
func (a *announcer) lock(env screen.Env) {
	if env.LockIn == 0 {
		return
	}
	text := " Locks in " + format.Left(env.LockIn) + ", any key cancels"
	if env.Status.LocksFixed {
		text = " Locks in " + format.Left(env.LockIn) + ": the unlock time ends then"
	}
	a.toasts.add(env.Now, screen.Toast{Bad: true, Urgent: true, Line: canvas.In(theme.Warn, theme.SignCareful+text)})
	a.locking = true
}

// lockPutOff ends the warning of a lock that a key put off.
func (a *announcer) lockPutOff(env screen.Env) {
	if !a.locking || env.LockIn <= lockWarning {
		return
	}
	if a.locking = false; a.toasts.urgent {
		a.toasts.shown = nil
	}
}

// weaknesses reports what weakens an open wallet; the notices keep it.
func (a *announcer) weaknesses(env screen.Env) {
	s := env.Status
	if a.faults == s.KeysFault+s.FileFault+s.StoreFault {
		return
	}
	a.faults = s.KeysFault + s.FileFault + s.StoreFault
	for _, fault := range []string{s.KeysFault, s.FileFault, s.StoreFault} {
		if fault != "" {
			a.bad(env, canvas.In(theme.Warn, theme.SignCareful+" Careful: "+format.Clean(fault)))
		}
	}
}

// misregistered reports accounts that others registered with other keys than they were asked for.
func (a *announcer) misregistered(env screen.Env) {
	if a.foreign == env.Status.Misregistered {
		return
	}
	if a.foreign = env.Status.Misregistered; a.foreign != "" {
		a.bad(env, format.Misregistered(a.foreign))
	}
}

// payments reports which payments got their outcome since before.
func (a *announcer) payments(env screen.Env, before []payment.Payment) {
	was := map[ledger.TransactionID]payment.State{}
	for _, p := range before {
		was[p.ID] = p.State
	}
	for _, p := range env.Payments {
		state, known := was[p.ID]
		if known && state != p.State || !known && failed(p.State) && env.Now.Sub(p.Prepared) < justNow {
			a.payment(env, p)
		}
	}
}

// justNow is how long ago a payment was made that failed before it was seen, such as one of a program that a node refused at once.
const justNow = time.Minute

// failed reports whether a person has to know of a payment that was never seen on its way.
func failed(s payment.State) bool {
	return s == payment.Rejected || s == payment.Expired || s == payment.Unknown
}

func (a *announcer) payment(env screen.Env, p payment.Payment) {
	what, kind := format.Deed(env.Money(), p.Review), ""
	if p.Review.Pays() {
		kind = "Payment of "
		what = canvas.Join(env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "), format.Recipient(p.Review))
	}
	switch p.State {
	case payment.Irreversible:
		done := canvas.In(theme.OK, theme.SignDone+" "+kind)
		a.toasts.add(env.Now, screen.Toast{Line: canvas.Join(done, what, canvas.Text(" is irreversible"))})
	case payment.Expired:
		a.bad(env, canvas.In(theme.Danger, theme.SignFailed+" Not included, nothing was spent: "), what)
	case payment.Rejected:
		a.bad(env, canvas.In(theme.Danger, theme.SignFailed+" Refused, nothing was spent: "), what, why(p))
	case payment.Unknown:
		a.bad(env, canvas.In(theme.Danger, "? Outcome unknown, do not send again: "), what)
	case payment.Prepared, payment.Sent, payment.InBlock:
	}
}

// why is what a node said against a payment.
func why(p payment.Payment) canvas.Line {
	if p.Reason == "" {
		return nil
	}
	return canvas.Text(" · " + format.Clean(p.Reason))
}

// bad shows what must not be missed.
func (a *announcer) bad(env screen.Env, parts ...canvas.Line) {
	a.toasts.add(env.Now, screen.Toast{Bad: true, Line: canvas.Join(parts...)})
}

// approvals reports which programs began to wait for an answer; opens says how that is given from where the person is.
func (a *announcer) approvals(env screen.Env, opens string) {
	for _, r := range env.Approvals {
		if r.Number <= a.approval {
			continue
		}
		a.approval = r.Number
		if r.Review.Again {
			again := " Asked again, nothing is signed yet: what it warns of changed since your yes; "
			a.bad(env, canvas.In(theme.Warn, theme.SignCareful+again+opens+": "), summary(env, r))
			continue
		}
		if r.Via == queue.Console { // the console says so
			continue
		}
		asks := " asks to spend, "
		if r.Sentence != "" {
			asks = " asks for keys, "
		}
		a.bad(env, canvas.In(theme.Pending, theme.SignNew+" "+format.Clean(r.Who)+asks+opens+": "), summary(env, r))
	}
}

// summary is what a request asks for; a locked wallet does not tell.
func summary(env screen.Env, r queue.Request) canvas.Line {
	if !env.Unlocked() {
		return canvas.In(theme.Muted, format.Serial(r.Number))
	}
	return approval.Summary(r)
}
