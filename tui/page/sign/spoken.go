package sign

import (
	"strings"

	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/proposal"
)

// Deed is what a proposal does in one line.
func Deed(env screen.Env, p proposal.Proposal) canvas.Line { return deed(env, p) }

// Waits is for whom a proposal waits, in a word.
func Waits(env screen.Env, p proposal.Proposal) string {
	_, word, _ := strings.Cut(waits(env, p).String(), " ")
	return word
}

// Ends is how long a proposal still lasts.
func Ends(env screen.Env, p proposal.Proposal) string {
	return ends(p.ExpirationTime.Time().Sub(now(env).Time()))
}

// Effect returns what an approval by this wallet brings about.
func Effect(env screen.Env, p proposal.Proposal) string { return effect(env, p) }

// Change is what adds this wallet's approvals to a proposal, or takes them back; why is why it cannot be built.
func Change(env screen.Env, p proposal.Proposal, withdraw bool) (req build.ApproveProposalParams, why string) {
	m := Model{all: []proposal.Proposal{p}}
	do := doApprove
	req = build.ApproveProposalParams{Payer: payer(env), Proposal: p.ID.String(), Delta: p.Give.Adds()}
	if withdraw {
		do, req.Delta = doWithdraw, p.Take.Removes()
	}
	return req, m.Off(env, do)
}

// ReviewOf is the review of a file that this wallet may sign; key is what signs it.
func ReviewOf(env screen.Env, f File, key string) review.Page {
	ask := review.Prompt{Key: key, Word: "Sign the file", Alone: true, Life: life(env, f.Holds)}
	o := &opened{File: f}
	ask.Below = o.rows("send")
	return review.New(env, f.Review, ask)
}

// LifeOf is until when a file can be used.
func LifeOf(env screen.Env, f File) string { return life(env, f.Holds) }

// NoSending is why a file cannot be sent now.
func NoSending(env screen.Env, f File) string { return (&opened{File: f}).noKey(env, doSend) }
