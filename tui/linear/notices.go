package linear

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/format"
	"billfold/tui/page/content"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/walletcore"
	queue "billfold/walletcore/approval"
	"billfold/walletcore/event"
	"billfold/walletcore/history"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

// maxPast is the number of past events that are kept, maxAtOnce the number printed before one prompt, and incomingRows
// the number of rows of the history that are searched for new incoming payments.
const (
	maxPast      = 100
	maxAtOnce    = 8
	incomingRows = 10
)

// notices finds what changed without the person's doing and prints each change once, between prompts.
type notices struct {
	quiet bool
	past  []pastEvent

	since         time.Time // when it started
	payments      map[ledger.TransactionID]payment.State
	approval      int64 // the number of the latest request that was announced
	requests      requests
	daemon        walletcore.DaemonState
	lock          vault.State
	ownChanged    string                    // the latest warning about what somebody else changed of an own account
	misregistered string                    // the latest warning about accounts registered with other keys
	owned         map[ledger.AccountID]bool // the accounts of this wallet
	focus         ledger.AccountID          // the account in focus that was announced last
	account       ledger.AccountID          // the account that newest belongs to
	newest        ledger.HistoryID          // the newest known row of account
	newRows       bool                      // there may be newer rows
	content       content.Watch
}

// pastEvent is an event and when it was printed.
type pastEvent struct {
	at   time.Time
	line canvas.Line
}

// start takes the current state as known: only later changes are reported.
func (n *notices) start(env screen.Env) {
	n.since, n.payments = env.Now, map[ledger.TransactionID]payment.State{}
	for _, p := range env.Payments {
		n.payments[p.ID] = p.State
	}
	n.daemon, n.lock, n.newRows = env.Status.Daemon, env.Status.Lock, true
	n.noteAccounts(env)
	n.focus, n.misregistered = env.Account.ID, env.Status.Misregistered
}

// noteAccounts takes the accounts of the wallet as known.
func (n *notices) noteAccounts(env screen.Env) {
	n.owned = map[ledger.AccountID]bool{}
	for _, a := range env.Accounts {
		n.owned[a.ID] = true
	}
}

// started reports whether start was called.
func (n *notices) started() bool { return n.payments != nil }

// remember adds an event to the list of past ones.
func (n *notices) remember(at time.Time, l canvas.Line) {
	n.past = append(n.past, pastEvent{at, l})
	n.past = n.past[max(len(n.past)-maxPast, 0):]
}

// drain empties the event channel; events say only that something changed, not what.
func (n *notices) drain(events <-chan event.Event) {
	for {
		select {
		case e, open := <-events:
			if !open {
				return
			}
			if e.Kind == event.History || e.Kind == event.Block {
				n.newRows = true
			}
		default:
			return
		}
	}
}

// changes returns what changed since the last call; opens is the hint on how to open the requests of programs.
func (n *notices) changes(ctx context.Context, env screen.Env, core tui.Core, opens string) (out []canvas.Line) {
	rows := core.Home
	out = append(n.paymentChanges(env), n.requests.ended(env)...)
	for _, news := range n.content.Ended(core.Content.Tasks()) {
		out = append(out, canvas.Join(news.Line, canvas.Text(".")))
	}
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
			out = append(out, canvas.Join(canvas.Text("this wallet now has the account "), format.Account(a.AccountRef), canvas.Text(".")))
		}
	}
	n.noteAccounts(env)
	if id := env.Account.ID; id != n.focus {
		if n.focus != 0 && id != 0 {
			out = append(out, canvas.Join(canvas.Text("the account in focus is now "), format.Account(env.Account),
				canvas.Text(". account changes it.")))
		}
		n.focus = id
	}
	if l := env.Status.Lock; l != n.lock {
		if n.lock = l; l == vault.Locked {
			out = append(out, canvas.Text("the wallet is locked."))
		}
	}
	if said := env.Status.OwnChanged; said != n.ownChanged {
		if n.ownChanged = said; said != "" {
			out = append(out, canvas.Text("careful: somebody else changed your account: "+format.Clean(said)+"."))
		}
	}
	if said := env.Status.Misregistered; said != n.misregistered {
		if n.misregistered = said; said != "" {
			out = append(out, canvas.Text("careful: "+format.Clean(said)+"."))
		}
	}
	return append(out, n.incoming(ctx, env, rows)...)
}

// paymentChanges returns the payments whose state changed, and those of programs that failed before they were first
// seen here.
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

// endedBadly reports whether a payment must be announced although it was never seen on its way.
func endedBadly(s payment.State) bool {
	return s == payment.Rejected || s == payment.Expired || s == payment.Unknown
}

// noteLockSaid records that the person was told that the wallet is locked.
func (n *notices) noteLockSaid() { n.lock = vault.Locked }

// noteRequest records that a request was announced.
func (n *notices) noteRequest(number int64) { n.approval = max(n.approval, number) }

// requestLine announces that a program waits for an answer.
func requestLine(env screen.Env, r queue.Request, opens string) canvas.Line {
	what := " asks to spend: "
	if r.Sentence != "" {
		what = " asks for keys: "
	}
	return canvas.Join(canvas.Text(format.Caller(r.Who)), canvas.Text(what), summary(env, r), canvas.Text("; "+opens+" it"))
}

// incomingLimit is the time that the prompt waits for the newest rows.
const incomingLimit = 2 * time.Second

// incoming returns the new payments to the account in focus.
func (n *notices) incoming(ctx context.Context, env screen.Env, from home.Reader) (out []canvas.Line) {
	if !n.newRows || len(env.Accounts) == 0 || !env.Live() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, incomingLimit)
	defer cancel()
	rows, err := from.Entries(ctx, env.Account.ID, 0, incomingRows)
	if err != nil {
		return nil // the next prompt asks again
	}
	first, newest := n.account != env.Account.ID, n.newest
	n.newRows, n.account, n.newest = false, env.Account.ID, 0
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

// outcome returns a payment's state as a sentence, or nil while it is still on its way to a block.
func outcome(env screen.Env, p payment.Payment) canvas.Line {
	words := slices.Clone(progress.Announcement(env, p))
	if words == nil {
		return nil
	}
	words[0].Text = strings.ToLower(words[0].Text[:1]) + words[0].Text[1:]
	switch {
	case p.State == payment.Rejected && p.Reason != "":
		return canvas.Join(words, canvas.Text(". "+sentence(format.Clean(p.Reason))))
	case p.State == payment.InBlock, p.State == payment.Irreversible:
		return canvas.Join(words, canvas.Text("."))
	}
	return words
}

// nodeState returns a sentence that says whether a node answers.
func nodeState(env screen.Env) string {
	switch env.Status.Daemon {
	case walletcore.DaemonOnline:
		return "a node answers: " + format.Clean(env.Status.DaemonURL)
	case walletcore.DaemonConnecting:
		return "calling a node."
	case walletcore.DaemonWrongChain:
		return "the node serves another chain; nothing is sent."
	case walletcore.DaemonOffline:
	}
	return env.NoNode() + "; nothing can be sent."
}
