package linear

import (
	queue "billfold/walletcore/approval"
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/history"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// mostNews is how many past events are kept, mostTold how many are told at one prompt, and newRows how many rows of
// history are looked at for a payment in.
const (
	maxPast      = 100
	maxAtOnce    = 8
	incomingRows = 10
)

// notices is what happened without the person's doing, printed once, between prompts.
type notices struct {
	quiet bool
	past  []pastEvent

	since         time.Time // when it was begun to tell
	payments      map[ledger.TransactionID]payment.State
	approval      int64 // the number of the latest request that was told
	requests      requests
	daemon        walletcore.DaemonState
	lock          vault.State
	misregistered string                    // accounts with other keys
	owned         map[ledger.AccountID]bool // the accounts of this wallet
	focus         ledger.AccountID          // the account in focus, as it was said
	account       ledger.AccountID
	newest        ledger.HistoryID // the newest row of the account that is known
	rows          bool             // there may be newer ones
}

// happened is an event and when it was told.
type pastEvent struct {
	at   time.Time
	line canvas.Line
}

// begin takes what is so as known.
func (n *notices) start(env screen.Env) {
	n.since, n.payments = env.Now, map[ledger.TransactionID]payment.State{}
	for _, p := range env.Payments {
		n.payments[p.ID] = p.State
	}
	n.daemon, n.lock, n.rows = env.Status.Daemon, env.Status.Lock, true
	n.noteAccounts(env)
	n.focus, n.misregistered = env.Account.ID, env.Status.Misregistered
}

// own takes the accounts of the wallet as known.
func (n *notices) noteAccounts(env screen.Env) {
	n.owned = map[ledger.AccountID]bool{}
	for _, a := range env.Accounts {
		n.owned[a.ID] = true
	}
}

// begun reports whether anything is new by now.
func (n *notices) started() bool { return n.payments != nil }

// keep keeps what was told.
func (n *notices) remember(at time.Time, l canvas.Line) {
	n.past = append(n.past, pastEvent{at, l})
	n.past = n.past[max(len(n.past)-maxPast, 0):]
}

// drain takes the events that came; they say only that something changed.
func (n *notices) drain(events <-chan event.Event) {
	for {
		select {
		case e, open := <-events:
			if !open {
				return
			}
			if e.Kind == event.History || e.Kind == event.Block {
				n.rows = true
			}
		default:
			return
		}
	}
}

// look lists what is not as it was; opens says what opens the requests of programs.
func (n *notices) changes(ctx context.Context, env screen.Env, rows home.Reader, opens string) (out []canvas.Line) {
	out = append(n.paymentChanges(env), n.requests.ended(env)...)
	for _, r := range env.Approvals {
		if r.Number > n.approval {
			n.approval = r.Number
			out = append(out, requestLine(env, r, opens))
		}
	}
	if d := env.Status.Daemon; d != n.daemon {
		n.daemon = d
		out = append(out, canvas.Text(nodeState(env)))
	}
	for _, a := range env.Accounts {
		if !n.owned[a.ID] {
			out = append(out, canvas.Join(canvas.Text("this wallet has the account "), format.Account(a.AccountRef), canvas.Text(" now.")))
		}
	}
	n.noteAccounts(env)
	if id := env.Account.ID; id != n.focus {
		if n.focus != 0 && id != 0 {
			out = append(out, canvas.Join(canvas.Text("the account in focus is "), format.Account(env.Account),
				canvas.Text(" now. account changes it.")))
		}
		n.focus = id
	}
	if l := env.Status.Lock; l != n.lock {
		if n.lock = l; l == vault.Locked {
			out = append(out, canvas.Text("the wallet is locked."))
		}
	}
	if said := env.Status.Misregistered; said != n.misregistered {
		if n.misregistered = said; said != "" {
			out = append(out, canvas.Text("careful: "+format.Clean(said)+"."))
		}
	}
	return append(out, n.incoming(ctx, env, rows)...)
}

// paid lists the payments whose state is another, and those of programs that failed before they were seen.
func (n *notices) paymentChanges(env screen.Env) (out []canvas.Line) {
	for _, p := range env.Payments {
		was, known := n.payments[p.ID]
		n.payments[p.ID] = p.State
		missed := !known && !p.Prepared.Before(n.since) && endedBadly(p.State)
		if l := outcome(env, p); l != nil && (known && was != p.State || missed) {
			out = append(out, l)
		}
	}
	return out
}

// failed reports whether a person has to know of a payment that was never seen on its way.
func endedBadly(s payment.State) bool {
	return s == payment.Rejected || s == payment.Expired || s == payment.Unknown
}

// lockHeard notes that it was said that the wallet is locked.
func (n *notices) noteLockSaid() { n.lock = vault.Locked }

// heard notes that a request was said.
func (n *notices) noteRequest(number int64) { n.approval = max(n.approval, number) }

// asks returns the line that a program waits for an answer.
func requestLine(env screen.Env, r queue.Request, opens string) canvas.Line {
	what := " asks to spend, "
	if r.Sentence != "" {
		what = " asks for keys, "
	}
	return canvas.Join(canvas.Text(format.Clean(r.Who)), canvas.Text(what+opens+": "), summary(env, r))
}

// arrivedLimit is how long the prompt waits for the newest rows.
const incomingLimit = 2 * time.Second

// arrived lists payments to the account in focus that were not there before.
func (n *notices) incoming(ctx context.Context, env screen.Env, from home.Reader) (out []canvas.Line) {
	if !n.rows || len(env.Accounts) == 0 || !env.Live() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, incomingLimit)
	defer cancel()
	rows, err := from.Entries(ctx, env.Account.ID, 0, incomingRows)
	if err != nil {
		return nil // it is asked again
	}
	first, newest := n.account != env.Account.ID, n.newest
	n.rows, n.account, n.newest = false, env.Account.ID, 0
	for i, e := range rows {
		if i == 0 {
			n.newest = e.ID
		}
		if !first && e.ID > newest && e.Direction == history.In && e.Amount != 0 {
			out = append(out, canvas.Join(canvas.Text("payment in: "), env.Money().Amount(e.Asset, e.Amount), canvas.Text(" from "),
				format.Account(e.From)))
		}
	}
	if !first && len(rows) == incomingRows && rows[incomingRows-1].ID > newest {
		out = append(out, canvas.Text("there may be more payments in before these; history lists them."))
	}
	return out
}

// outcome is the end of a payment as a sentence; nil while it goes on.
func outcome(env screen.Env, p payment.Payment) canvas.Line {
	what, kind := format.Summary(env.Money(), p.Review), ""
	if p.Review.Pays() {
		kind = "payment of "
		what = canvas.Join(env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "), format.Recipient(p.Review))
	}
	switch p.State {
	case payment.Irreversible:
		return canvas.Join(canvas.Text(kind), what, canvas.Text(" is final."))
	case payment.Expired:
		return canvas.Join(canvas.Text("not included, nothing was spent: "), what)
	case payment.Rejected:
		l := canvas.Join(canvas.Text("refused, nothing was spent: "), what)
		if p.Reason != "" {
			l = canvas.Join(l, canvas.Text(". "+sentence(format.Clean(p.Reason))))
		}
		return l
	case payment.Unknown:
		return canvas.Join(canvas.Text("outcome unknown, do not send again: "), what)
	case payment.InBlock:
		return canvas.Join(canvas.Text(kind), what, canvas.Text(" is in block "+format.Block(p.Block)+"."))
	case payment.Prepared, payment.Sent:
	}
	return nil
}

// reachable is whether a node answers, as a sentence.
func nodeState(env screen.Env) string {
	switch env.Status.Daemon {
	case walletcore.DaemonOnline:
		return "a node answers: " + format.Clean(env.Status.DaemonURL)
	case walletcore.DaemonConnecting:
		return "calling a node."
	case walletcore.DaemonWrongChain:
		return "the node is of another chain; nothing is sent."
	case walletcore.DaemonOffline:
	}
	return "no node answers; nothing can be sent."
}
