package send

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// doLater has the payment under review leave at a time.
const doLater action.ID = "review.later"

// topicLater is the topic of the task that saves a payment that leaves later.
const topicLater = "later"

// longestWait is how far ahead a payment may leave: what was approved longer ago is not remembered.
const longestWait = 366 * 24 * time.Hour

// laterForm asks when the payment under review leaves.
type laterForm struct{ ask.Work }

// whyNotLater returns why what is under review cannot leave later; empty if it can. It has to be read and confirmed as for S: approving it
// is what happens here.
func (m *Model) whyNotLater(env screen.Env) string {
	_, keyed := m.prepared.(screen.Keyed)
	switch {
	case m.builtBy != "" || m.form.several || m.form.proposes || isProposal(m.review.Shown) || !keyed:
		return "only a single payment of the form can wait"
	case !m.review.Ready(env):
		return "read it first"
	}
	return m.review.Blocked(env)
}

// askWhen opens the form that asks when the payment leaves.
func (m *Model) askWhen(env screen.Env) tea.Cmd {
	if why := m.whyNotLater(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("l is off: " + why)})
	}
	now := env.Now
	account, req, approved, old := env.Account.ID, m.form.request(env), m.review.Shown.Terms(), m.form.draftOf(m.form.typed())
	keeper := m.drafts.keeper
	form := &ask.Form{Title: "When this payment leaves", Word: "wait",
		Text: []canvas.Line{canvas.In(theme.Muted, "In 2h, 18:30, tomorrow 09:00, or 2026-12-24 09:00, in "+env.Times().Zone(now)+
			". It is signed then, if its review is still this one and Billfold runs, unlocked. Else it asks again.")},
		Fields: []ask.Field{{Label: "When", Check: func(text string) error { _, err := parseWhen(text, now); return err }}},
		Note: func(_ int, _ bool) canvas.Line {
			at, err := parseWhen(m.later.Form.Values()[0], now)
			if err != nil {
				return nil
			}
			return canvas.In(theme.Muted, moment(env, at))
		},
		Missing: func(values []string) string {
			if _, err := parseWhen(values[0], now); err != nil {
				return "type when"
			}
			return ""
		}}
	form.Fields[0].Input.Limit = 40
	m.later.Open(form, "Writing", func(ctx context.Context, values []string) (any, error) {
		at, err := parseWhen(values[0], now)
		if err != nil {
			return nil, err
		}
		wait := draft.Wait{At: at.UTC(), Key: "later-" + rand.Text(), Approved: approved}
		number, err := keeper.SaveWaiting(ctx, account, req, wait)
		if err == nil && old != 0 && old != number {
			_, err = keeper.Drop(ctx, old)
		}
		return wait.At, err
	})
	return nil
}

// applyLater takes the end of saving. What waits is no longer in the form.
func (m *Model) applyLater(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.later.Ended(msg) {
		return nil
	}
	m.later.Close()
	m.leaveReview()
	m.form.reset()
	m.leaving.due = append(m.leaving.due, msg.Body.(time.Time))
	said := canvas.In(theme.OK, theme.SignDone+" It leaves "+moment(env, msg.Body.(time.Time))+", while Billfold runs, unlocked; d lists it")
	return tea.Batch(m.drafts.readList(env), screen.Request(screen.Toast{Here: true, Urgent: true, Line: said}))
}

// moment returns when a payment leaves, with the zone.
func moment(env screen.Env, at time.Time) string {
	return env.Times().Moment(ledger.TimeOf(at), false) + " " + env.Times().Zone(at)
}

// parseWhen reads when a payment leaves, as of now and in its zone.
func parseWhen(text string, now time.Time) (time.Time, error) {
	bad := func(why string) (time.Time, error) {
		return time.Time{}, &fault.Error{Code: fault.BadValue, Op: "later", Message: why, Hint: "type in 2h, 18:30, tomorrow 09:00, or 2026-12-24 09:00"}
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	clock, tomorrow := strings.CutPrefix(text, "tomorrow ")
	of, noClock := time.Parse("15:04", clock)
	day := now
	if tomorrow {
		day = now.AddDate(0, 0, 1)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", text, now.Location())
	if in, is := strings.CutPrefix(text, "in "); is {
		var d time.Duration
		d, err = parseSpan(strings.ReplaceAll(in, " ", ""))
		at = now.Add(d)
	} else if noClock == nil {
		at, err = time.Date(day.Year(), day.Month(), day.Day(), of.Hour(), of.Minute(), 0, 0, now.Location()), nil
		if !tomorrow && !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
	}
	switch {
	case err != nil:
		return bad("that is no time")
	case !at.After(now):
		return bad("that time is over")
	case at.Sub(now) > longestWait:
		return bad("that is more than a year ahead")
	}
	return at, nil
}

// parseSpan reads a span of time as people write it, without blanks: 90min, 2hours, 3days, or as Go does: 1h30m.
func parseSpan(text string) (time.Duration, error) {
	unit := strings.TrimLeft(text, "0123456789")
	n, err := strconv.ParseUint(strings.TrimSuffix(text, unit), 10, 16)
	if err != nil {
		return time.ParseDuration(text)
	}
	switch unit {
	case "min", "minute", "minutes":
		return time.Duration(n) * time.Minute, nil
	case "hour", "hours":
		return time.Duration(n) * time.Hour, nil
	case "d", "day", "days":
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return time.ParseDuration(text)
}

// WaitText returns when a draft leaves or why it does not; empty if it was only typed.
func WaitText(env screen.Env, d draft.Draft) string {
	switch {
	case d.Wait == nil:
		return ""
	case d.Leaves():
		return "leaves " + moment(env, d.Wait.At)
	}
	return "asks again: " + format.Clean(d.Wait.Asks)
}
