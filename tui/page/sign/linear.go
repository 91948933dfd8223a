package sign

import (
	"strings"

	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/proposal"
)

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

// Change returns the request that adds this wallet's approvals to a proposal, or withdraws them; why is why it cannot be built.
func Change(env screen.Env, p proposal.Proposal, withdraw bool) (req build.ApproveProposalParams, why string) {
	m := Model{proposals: []proposal.Proposal{p}}
	do := doApprove
	req = build.ApproveProposalParams{Payer: payerID(env), Proposal: p.ID.String(), Delta: p.Give.Adds()}
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
