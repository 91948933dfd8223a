package send

import (
	"context"
	"strings"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// topicLeaving is the topic of the task that sends the payments that are due.
const topicLeaving = "leaving"

const (
	lookEvery = 30 * time.Second // how often the drafts are read for what is due: another program may have saved some
	tryEvery  = 10 * time.Second // how often a payment that is due is tried while no node lets it leave

	// latest is how late a payment still leaves without being asked for. A node that was away for minutes does not matter to who chose a
	// time; a program that was started in the evening must not make the payment of the morning, which may have been made otherwise by then.
	latest = time.Hour
)

// leaving sends the payments that are due.
type leaving struct {
	checked time.Time // when the drafts were last read; zero: they have to be
	due     []time.Time
	told    bool // that something due waits for the wallet to be unlocked
}

// left is what became of the drafts that were due.
type left struct {
	due     []time.Time // when those that wait leave
	notices []string
	sent    bool
}

// LeaveDue starts sending what is due; it is called once a second. While the wallet is locked, it announces once that something waits.
func (m *Model) LeaveDue(env screen.Env) tea.Cmd {
	l := &m.leaving
	isDue := false
	for _, at := range l.due {
		isDue = isDue || !at.After(env.Now)
	}
	if !env.Unlocked() {
		if !isDue || l.told || env.Status.Lock != vault.Locked {
			return nil
		}
		l.told = true
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.In(theme.Warn, theme.SignCareful+" A payment is due; it waits until the wallet is unlocked")})
	}
	l.told = false
	wait := lookEvery
	if isDue {
		wait = tryEvery
	}
	firstDue := isDue && l.checked.Before(latestOf(l.due, env.Now))
	if _, busy := m.tasks.Busy(topicLeaving); busy || env.Now.Sub(l.checked) < wait && !firstDue {
		return nil
	}
	l.checked = env.Now
	keeper, payer, live, now := m.drafts.keeper, m.payer, env.Live(), env.Now
	return m.tasks.Start(env, topicLeaving, 0, func(ctx context.Context) (any, error) {
		var out left
		for _, a := range env.Accounts {
			list, err := keeper.List(ctx, a.ID)
			if err != nil {
				return out, err
			}
			for _, d := range list {
				if !d.Leaves() {
					continue
				}
				if d.Wait.At.After(now) || !live && now.Sub(d.Wait.At) <= latest {
					out.due = append(out.due, d.Wait.At)
					continue
				}
				leave(ctx, env, keeper, payer, d, &out)
			}
		}
		return out, nil
	})
}

// latestOf returns the latest of the times that are not after now.
func latestOf(all []time.Time, now time.Time) (at time.Time) {
	for _, t := range all {
		if !t.After(now) && t.After(at) {
			at = t
		}
	}
	return at
}

// leave sends a payment that is due, if it is what was approved; else it asks again.
func leave(ctx context.Context, env screen.Env, keeper Keeper, payer Payer, d draft.Draft, out *left) {
	tell := func(text string) { out.notices = append(out.notices, text+": "+summary(d).String()) }
	asks := func(why string) {
		if keeper.Ask(ctx, d, why) == nil { // else it was paid, changed or deleted, or is asked for at the next look
			tell("A payment that was due asks again (" + why + ")")
		}
	}
	if payer.HasKey(ctx, d.Wait.Key) { // another run sent it, and its draft came back with a backup
		_ = keeper.Take(ctx, d)
		return
	}
	if late := env.Now.Sub(d.Wait.At); late > latest {
		asks("it is " + format.Age(late) + " late")
		return
	}
	building, stop := context.WithTimeout(ctx, screen.BuildLimit)
	defer stop()
	built, err := payer.Prepare(building, d.Request)
	keyed, can := built.(screen.Keyed)
	switch {
	case err != nil && passes(err):
		out.due = append(out.due, d.Wait.At)
		return
	case err != nil:
		asks("it cannot be built: " + advice.Sentence(err))
		return
	case !can:
		asks("the keys here may not sign it alone")
		return
	}
	if changed := txbuild.ChangedTerm(d.Wait.Approved, built.Review().Terms()); changed != "" {
		asks(changed + " changed")
		return
	}
	if twin := review.UnknownTwin(env, built.Review()); twin != "" { // as S refuses it
		asks(twin)
		return
	}
	sent, err := keyed.SendUnder(draft.Leaving(ctx, d), d.Wait.Key)
	switch {
	case err == nil || payment.MayHaveBeenSent(sent, err):
		_ = keeper.Take(ctx, d) // another program may have sent it under the key: then this one's commit did not delete the draft
		out.sent = true
		tell("A payment left as you approved it")
	case passes(err):
		out.due = append(out.due, d.Wait.At)
	default:
		asks("it was not sent: " + advice.Sentence(err))
	}
}

// passes reports whether what kept a payment from leaving may be over soon.
func passes(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Locked, fault.DaemonAway, fault.DaemonStale:
		return true
	}
	return false
}

// applyLeft takes what became of the drafts that were due.
func (m *Model) applyLeft(env screen.Env, msg screen.Result) tea.Cmd {
	out, is := msg.Body.(left)
	if !is || msg.Err != nil {
		return nil
	}
	m.leaving.due = out.due
	if len(out.notices) == 0 {
		return nil
	}
	said := screen.Toast{Bad: true, Urgent: true, Line: canvas.In(theme.Warn, theme.SignNew+" "+strings.Join(out.notices, "; "))}
	return tea.Batch(m.drafts.readList(env), screen.Request(said))
}

// Waiting returns the warning that payments wait, which leave only while the program runs; empty if none do.
func (m *Model) Waiting() string {
	switch n := len(m.leaving.due); n {
	case 0:
		return ""
	case 1:
		return "A payment waits for its time; it leaves only while Billfold runs, unlocked."
	default:
		return format.Count(n) + " payments wait for their time; they leave only while Billfold runs, unlocked."
	}
}
