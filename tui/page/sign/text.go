package sign

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"
)

// chainTime returns the time by which proposals end: that of the head block, or of this machine if there is none.
func chainTime(env screen.Env) ledger.Time {
	if env.Status.HeadTime != 0 {
		return env.Status.HeadTime
	}
	return ledger.TimeOf(env.Now)
}

// deedLine returns what a proposal does in one line. An amount is never cut.
func deedLine(env screen.Env, p proposal.Proposal) canvas.Line {
	if len(p.Operations) == 0 {
		return canvas.In(theme.Muted, "nothing")
	}
	r := p.Operations[txbuild.Gravest(p.Operations)[0]]
	out := format.Summary(env.Money(), r)
	switch {
	case len(r.Control) > 0:
		what := " changes the " + r.Control[0].Role + " key"
		if r.Control[0].Role == txbuild.WithdrawRole {
			what = " lets somebody withdraw"
		}
		out = canvas.Bold(theme.Danger, theme.SignCareful+what)
	case r.Amount != 0 && !r.Pays() && len(r.Intents) > 0:
		out = review.Summary(r) // it has not been done yet
	case r.Amount == 0:
		name, _, _ := strings.Cut(r.Operation, " (")
		out = canvas.Text(format.Clean(name))
	}
	if more := len(p.Operations) - 1; more > 0 {
		out = canvas.Join(out, canvas.In(theme.Muted, fmt.Sprintf(" +%d", more)))
	}
	return out
}

func waitsLine(env screen.Env, p proposal.Proposal) canvas.Line {
	switch p.Status(chainTime(env)) {
	case proposal.ForYou:
		return canvas.Bold(theme.Warn, theme.SignCareful+" you")
	case proposal.ForReview:
		return canvas.In(theme.Pending, theme.SignWork+" review")
	case proposal.ForOthers:
	}
	return canvas.In(theme.Muted, theme.SignOff+" others")
}

// timeLeft returns how long a proposal still lasts: 2 d 4 h, 3 h 20 min, 40 min.
func timeLeft(left time.Duration) string {
	days, hours, minutes := int(left/(24*time.Hour)), int(left/time.Hour)%24, int(left/time.Minute)%60
	switch {
	case left <= 0:
		return "ended"
	case days > 0:
		return fmt.Sprintf("%d d %d h", days, hours)
	case hours > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	}
	return fmt.Sprintf("%d min", minutes)
}

// noPayer is the reason why a wallet can neither approve nor take back an approval if it can sign for none of its accounts alone.
const noPayer = "no account of this wallet can pay the fee of an approval. Have the same payment signed as a file instead: " +
	"3 Send, then w in its review. The other signers open the file with f on their page Sign"

// effectText returns what an approval by this wallet would bring about.
func effectText(env screen.Env, p proposal.Proposal) string {
	switch n := p.First(); {
	case p.Enough && p.ReviewPeriodTime != nil:
		return "It is approved, and happens when it ends: " + env.Times().Stamp(p.ExpirationTime) + "."
	case p.Enough:
		return "It is approved, but could not be carried out; it is tried again when it ends: " + env.Times().Stamp(p.ExpirationTime) + "."
	case p.Closed(chainTime(env)):
		return "Its review period has begun: approvals can only be taken back."
	case p.Give.Empty() && !p.Take.Empty():
		return "You have approved it. " + missingText(n, n.Weight)
	case p.Give.Empty():
		return "No key in this wallet can approve it. " + missingText(n, n.Weight)
	case payerID(env) == "":
		return "Your key is here, but " + noPayer + "."
	case p.Then && p.ReviewPeriodTime != nil:
		return "With your approval it happens when it ends: " + env.Times().Stamp(p.ExpirationTime) + "."
	case p.Then && len(p.Lacks) > 0:
		return "With your approval it cannot happen yet: " + lackText(p.Lacks[0]) + ". It is tried again when it ends: " + env.Times().Stamp(p.ExpirationTime) + "."
	case p.Then:
		return "With your approval it happens at once."
	default:
		return "With your approval it does not happen yet. " + missingText(n, n.Then)
	}
}

// lackText returns what an account would lose and does not have.
func lackText(o txbuild.Outgoing) string {
	return format.Account(o.Account).String() + " has " + o.Asset.Format(o.Available) + ", and it takes " + o.Asset.Format(o.Amount)
}

// missingText returns how much weight an authority lacks.
func missingText(n proposal.Need, weight uint64) string {
	missing := uint64(n.Threshold) - min(weight, uint64(n.Threshold))
	if missing == 0 {
		return "Others still have to approve."
	}
	return fmt.Sprintf("Weight %d more is needed for %s.", missing, format.Account(n.Account).String())
}

// payerID returns the id of the account that pays the fee of an approval: the one in focus if the wallet can
// sign for it, else the first that it can sign for. It is empty if there is none.
func payerID(env screen.Env) string {
	if env.Owns(env.Account.ID) {
		return env.Account.ID.String()
	}
	for _, a := range env.Accounts {
		if a.CanSign() {
			return a.ID.String()
		}
	}
	return ""
}

// Summary returns what a proposal does in one line.
func Summary(env screen.Env, p proposal.Proposal) canvas.Line { return deedLine(env, p) }

// WaitingFor returns whom or what a proposal waits for, in a word.
func WaitingFor(env screen.Env, p proposal.Proposal) string {
	_, word, _ := strings.Cut(waitsLine(env, p).String(), " ")
	return word
}

// TimeLeft returns how long a proposal still lasts.
func TimeLeft(env screen.Env, p proposal.Proposal) string {
	return timeLeft(p.ExpirationTime.Time().Sub(chainTime(env).Time()))
}

// Effect returns what an approval by this wallet would bring about.
func Effect(env screen.Env, p proposal.Proposal) string { return effectText(env, p) }

// Change returns the request that adds this wallet's approvals to a proposal, or withdraws them; why is the reason why it cannot be built.
func Change(env screen.Env, p proposal.Proposal, withdraw bool) (req txbuild.ApproveProposalParams, why string) {
	m := Model{proposals: []proposal.Proposal{p}}
	do := doApprove
	req = txbuild.ApproveProposalParams{Payer: payerID(env), Proposal: p.ID.String(), Delta: p.Give.Adds()}
	if withdraw {
		do, req.Delta = doWithdraw, p.Take.Removes()
	}
	return req, m.Off(env, do)
}

// ReviewOf returns the review of a file that this wallet may sign; key is the key that signs it.
func ReviewOf(env screen.Env, f File, key string) review.Page {
	ask := review.Prompt{Key: key, Word: "Sign the file", Alone: true, Life: lifeText(env, f.Holds)}
	o := &fileReview{File: f}
	ask.Below = o.fileRows("send")
	return review.New(env, f.Review, ask)
}

// LifeOf returns until when a file can be used.
func LifeOf(env screen.Env, f File) string { return lifeText(env, f.Holds) }

// NoSending returns why a file cannot be sent now; empty if it can.
func NoSending(env screen.Env, f File) string { return (&fileReview{File: f}).off(env, doSend) }
