// Package progress shows where a payment stands, in signs and words, in the same way wherever payments are shown. It promises that
// an unknown outcome is called unknown, and that nothing is called final before it is.
package progress

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// Known returns the payment as far as its state is known now. While no live node answers, nobody knows whether a payment that was
// sent got into a block, unless it was in one when that could last be read.
func Known(env screen.Env, p payment.Payment) payment.Payment {
	if env.Live() || Signing(p) || p.State != payment.Prepared && p.State != payment.Sent {
		return p
	}
	if at := p.LastIn; p.State == payment.Sent && at.Block != 0 {
		p.State, p.Block, p.TrxInBlock, p.InBlock = payment.InBlock, at.Block, at.Trx, at.Seen
		return p
	}
	p.State, p.Reason = payment.Unknown, env.NoNode()
	switch {
	case env.Online() && env.Status.Frozen:
		p.Reason = "the node does not answer"
	case env.Online():
		p.Reason = "the node is behind"
	case !env.Status.Since.IsZero():
		p.Reason += " since " + env.Times().Clock(env.Status.Since)
	}
	return p
}

// Announcement returns what to say of a payment that reached its state, in words of that state: nothing reads as paid or done that is
// not. It is nil while the payment is on its way to a block, of which nothing is announced.
func Announcement(env screen.Env, p payment.Payment) canvas.Line {
	what := announced(env, p)
	switch p.State {
	case payment.Irreversible:
		return statement(p, what, "is irreversible", "Irreversible: ")
	case payment.InBlock:
		in := "in block " + format.Block(p.Block)
		return statement(p, what, "is "+in, "I"+in[1:]+": ")
	case payment.Expired:
		return canvas.Join(canvas.Text("Not included: "), what, canvas.Text("; nothing was spent"))
	case payment.Rejected:
		return canvas.Join(canvas.Text("Refused: "), what, canvas.Text("; nothing was spent"))
	case payment.Unknown:
		return canvas.Join(canvas.Text("Outcome unknown: "), what, canvas.Text("; do not send again"))
	case payment.Prepared, payment.Sent:
	}
	return nil
}

// announced returns what a payment does: as done only if the ledger has it.
func announced(env screen.Env, p payment.Payment) canvas.Line {
	done := p.State == payment.InBlock || p.State == payment.Irreversible
	switch r := p.Review; {
	case r.Pays():
		return canvas.Join(env.Money().Amount(r.Asset, r.Amount), canvas.Text(" to "), format.Recipient(r))
	case len(r.Intents) > 0 && (!done || Proposed(p)):
		return canvas.Text(format.Clean(strings.Join(r.Intents, "; ")))
	}
	return format.Summary(env.Money(), p.Review)
}

// statement returns that a payment is at a state, which is named before what is no payment.
func statement(p payment.Payment, what canvas.Line, is, before string) canvas.Line {
	switch {
	case p.Review.Pays():
		return canvas.Join(canvas.Text("Payment of "), what, canvas.Text(" "+is))
	case Proposed(p):
		return canvas.Join(canvas.Text("Only the proposal "+is+": "), what, canvas.Text("; nothing is paid by it"))
	}
	return canvas.Join(canvas.Text(before), what)
}

// Proposed reports whether nothing but a proposal was sent: what it holds is done only once others have approved it.
func Proposed(p payment.Payment) bool {
	return p.Review.Operation == txbuild.Title(ledger.CodeProposalCreate)
}

// Sign returns the one-cell sign of a state.
func Sign(s payment.State) canvas.Line {
	switch s {
	case payment.Irreversible:
		return canvas.In(theme.OK, theme.SignDone)
	case payment.Unknown:
		return canvas.Bold(theme.Danger, theme.SignUnknown)
	case payment.Rejected, payment.Expired:
		return canvas.Bold(theme.Danger, theme.SignFailed)
	case payment.Prepared, payment.Sent, payment.InBlock:
	}
	return canvas.In(theme.Pending, theme.SignWork)
}

// Short returns where the payment stands, in half a line.
func Short(env screen.Env, p payment.Payment) canvas.Line {
	switch p.State {
	case payment.Prepared:
		if Signing(p) {
			return canvas.In(theme.Pending, "being signed, not sent yet")
		}
		return canvas.In(theme.Pending, "signed, being sent")
	case payment.Sent:
		return canvas.In(theme.Pending, "sent, waiting for a block")
	case payment.InBlock:
		text := "in block " + format.Block(p.Block)
		if env.Live() {
			if wait, ok := UntilFinal(env, p); ok && !p.ByNodesWord {
				text += ", irreversible in " + format.Wait(wait)
			}
			if p.ByNodesWord {
				text += ", final by the node's word alone"
			}
			return canvas.In(theme.Pending, text)
		}
		return canvas.In(theme.Pending, text+", cannot check now")
	case payment.Irreversible:
		return canvas.In(theme.OK, "final in block "+format.Block(p.Block))
	case payment.Unknown:
		return canvas.Bold(theme.Danger, "unknown, "+Certain(env, p)+", do not send again")
	case payment.Rejected:
		return canvas.In(theme.Danger, "refused, nothing was spent")
	case payment.Expired:
	}
	return canvas.In(theme.Danger, "not included, nothing was spent")
}

// Brief is Short where there is little room.
func Brief(env screen.Env, p payment.Payment) canvas.Line {
	switch p.State {
	case payment.InBlock:
		if p.ByNodesWord && env.Live() {
			return canvas.In(theme.Pending, "in block, final by node's word only")
		}
		if wait, ok := UntilFinal(env, p); ok && env.Live() {
			return canvas.In(theme.Pending, "in block, irreversible in "+format.Wait(wait))
		}
		text := "in block " + format.Block(p.Block)
		if !env.Live() {
			text += ", cannot check"
		}
		return canvas.In(theme.Pending, text)
	case payment.Unknown:
		return canvas.Bold(theme.Danger, "unknown, "+Certain(env, p))
	case payment.Prepared, payment.Sent, payment.Irreversible, payment.Rejected, payment.Expired:
	}
	return Short(env, p)
}

// blockTime is the time between blocks, for estimates only.
func blockTime(env screen.Env) time.Duration {
	if env.Status.Sandbox {
		return 2 * time.Second
	}
	return 5 * time.Second
}

// lag returns the number of blocks by which the last irreversible one is behind the head.
func lag(env screen.Env) uint32 {
	if env.Status.Head == 0 || env.Status.Irreversible > env.Status.Head {
		return 0
	}
	return env.Status.Head - env.Status.Irreversible
}

// UntilFinal estimates how long it is until a payment in a block becomes irreversible; false if that cannot be estimated.
func UntilFinal(env screen.Env, p payment.Payment) (time.Duration, bool) {
	last := max(p.Last, env.Status.Irreversible)
	if last == 0 || p.Block <= last {
		return 0, false
	}
	return time.Duration(p.Block-last) * blockTime(env), true
}

// CertainBy estimates when an unknown outcome is certain: when the last irreversible block is later than the expiration.
func CertainBy(env screen.Env, p payment.Payment) time.Time {
	if p.Expiration == 0 {
		return time.Time{}
	}
	return p.Expiration.Time().Add(time.Duration(lag(env)+1) * blockTime(env))
}

// Certain returns when an unknown outcome is settled, in words.
func Certain(env screen.Env, p payment.Payment) string {
	if !env.Live() || p.Expiration == 0 {
		return "settled when a node answers"
	}
	return "settled by " + env.Times().Clock(CertainBy(env, p))
}

// Bar draws a bar of w whole cells, done of total.
func Bar(w, done, total int) canvas.Line {
	if total <= 0 || w <= 0 {
		return nil
	}
	n := min(max(done, 0), total) * w / total
	return canvas.Join(canvas.In(theme.Pending, repeat(theme.SignBar, n)), canvas.In(theme.Faint, repeat(theme.SignTrack, w-n)))
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

// Blocks returns how far the last irreversible block has come on its way to the payment's block.
func Blocks(env screen.Env, p payment.Payment) (done, total int) {
	start := p.Block - min(p.Block, lag(env)+1)
	last := max(p.Last, env.Status.Irreversible)
	if last < start {
		last = start
	}
	return int(min(last, p.Block) - start), int(p.Block - start)
}

// Steps returns the four lines of a payment on its way, laid out for w cells.
func Steps(env screen.Env, p payment.Payment, w int) []canvas.Line {
	rest := "transaction id known, written to the journal before sending"
	if w < 92 {
		rest = "in the journal before sending"
	}
	prepared := step(theme.SignDone, theme.OK, "Prepared", env.Times().Clock(p.Prepared), rest)
	return []canvas.Line{prepared, sent(env, p), inBlock(env, p), final(env, p, w)}
}

func step(sign string, t theme.Token, name, when, rest string) canvas.Line {
	return canvas.Join(canvas.In(t, sign+" "), canvas.Text(fmt.Sprintf("%-15s", name)), canvas.Text(fmt.Sprintf("%-14s", when)),
		canvas.In(theme.Muted, rest))
}

func sent(env screen.Env, p payment.Payment) canvas.Line {
	reason := format.Clean(p.Reason)
	switch p.State {
	case payment.Prepared:
		return step(theme.SignWork, theme.Pending, "Sent", "", "being sent")
	case payment.Unknown:
		if reason == "" {
			reason = "no answer from the node"
		}
		return step(theme.SignUnknown, theme.Danger, "Sent", env.Times().Clock(p.Sent), reason)
	case payment.Rejected:
		if p.Sent.IsZero() {
			return step(theme.SignFailed, theme.Danger, "Sent", "", "not accepted")
		}
		return step(theme.SignFailed, theme.Danger, "Sent", env.Times().Clock(p.Sent), "refused by the node")
	case payment.Sent, payment.InBlock, payment.Irreversible, payment.Expired:
	}
	switch {
	case p.Taken:
		return step(theme.SignDone, theme.OK, "Sent", env.Times().Clock(p.Sent), "accepted by the node")
	case p.State == payment.Expired:
		return step(theme.SignUnknown, theme.Warn, "Sent", env.Times().Clock(p.Sent), "no answer from a node")
	}
	return step(theme.SignDone, theme.OK, "Sent", env.Times().Clock(p.Sent), "no answer from a node, but a block had it")
}

func inBlock(env screen.Env, p payment.Payment) canvas.Line {
	const name = "In a block"
	switch p.State {
	case payment.InBlock, payment.Irreversible:
		return step(theme.SignDone, theme.OK, name, env.Times().Clock(p.InBlock),
			fmt.Sprintf("block %s, transaction %d", format.Block(p.Block), p.TrxInBlock))
	case payment.Sent:
		return step(theme.SignWork, theme.Pending, name, "", "waiting for the next block")
	case payment.Expired:
		return step(theme.SignFailed, theme.Danger, name, "", "not included before it expired")
	case payment.Prepared, payment.Unknown, payment.Rejected:
	}
	return step(theme.SignOff, theme.Muted, name, "", "")
}

func final(env screen.Env, p payment.Payment, w int) canvas.Line {
	const name = "Irreversible"
	switch p.State {
	case payment.Irreversible:
		when := ""
		if !p.Final.IsZero() {
			when = env.Times().Clock(p.Final)
		}
		return step(theme.SignDone, theme.OK, name, when, "no fork can undo it")
	case payment.InBlock:
		when := ""
		if !env.Live() {
			return step(theme.SignUnknown, theme.Danger, name, "", "cannot be checked now")
		}
		if p.ByNodesWord {
			return step(theme.SignWork, theme.Pending, name, "", "by the node's word, not proven")
		}
		if wait, ok := UntilFinal(env, p); ok {
			when = "in " + format.Wait(wait)
		}
		last := max(p.Last, env.Status.Irreversible)
		text := "block must reach %s · irreversible now %s"
		if w < 92 {
			text = "must reach %s · is at %s"
		}
		return step(theme.SignWork, theme.Pending, name, when, fmt.Sprintf(text, format.Block(p.Block), format.Block(last)))
	case payment.Prepared, payment.Sent, payment.Unknown, payment.Rejected, payment.Expired:
	}
	return step(theme.SignOff, theme.Muted, name, "", "")
}
