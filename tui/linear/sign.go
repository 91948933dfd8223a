package linear

import (
	"context"
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/proposal"
)

// signPage lists what needs several signatures: proposals, and transactions in files.
type signPage struct {
	reviewer
	all []proposal.Proposal
}

func (s *signPage) words() []word {
	return []word{
		{
			say:  "approve N",
			row:  "sign/sign.approve",
			help: "approve proposal N",
			do:   func(ctx context.Context, rest string) error { return s.changeApproval(ctx, rest, false) },
		},
		{
			say:  "withdraw N",
			row:  "sign/sign.withdraw",
			help: "take back your approval of proposal N",
			do:   func(ctx context.Context, rest string) error { return s.changeApproval(ctx, rest, true) },
		},
		{say: "json N", row: "sign/sign.json", help: "the operations of proposal N as JSON", do: s.json},
		{say: "file NAME", row: "sign/sign.open", help: "read a transaction file, sign it or send it",
			also: []string{"sign.file/sign.file.sign", "sign.file/sign.file.send"}, do: s.file},
		{say: "find TEXT", row: "sign/sign.filter", help: "the proposals that contain the text", do: s.find},
		{say: "new", row: "sign/sign.new", help: "a payment that others approve: send, then propose", do: s.propose},
	}
}

func (s *signPage) enter(ctx context.Context) error {
	if _, err := s.account(); err != nil {
		return err
	}
	err := s.read(ctx)
	switch env := s.env(); {
	case err != nil && isFault(err) && !env.Online():
		s.sayMissing("Proposals", err)
	case err != nil:
		return err
	case len(s.all) == 0:
		s.Say("No proposal is waiting for your accounts.")
	}
	env := s.env()
	for i, p := range s.all {
		s.sayProposal(env, i, p)
	}
	s.sayWords()
	return nil
}

// sayProposal prints a proposal on two lines.
func (s *signPage) sayProposal(env screen.Env, i int, p proposal.Proposal) {
	n := p.First()
	s.Item(i+1, proposalLine(env, p))
	s.Under(
		canvas.Join(
			canvas.Text(fmt.Sprintf("weight %d of %d, waits for ", n.Weight, n.Threshold)),
			canvas.Text(sign.WaitingFor(env, p)+", ends in "+sign.TimeLeft(env, p)),
		),
	)
}

// proposalLine describes a proposal on one line.
func proposalLine(env screen.Env, p proposal.Proposal) canvas.Line {
	return canvas.Join(canvas.Text(p.ID.String()+" for "), format.Account(p.First().Account), canvas.Text(": "), sign.Summary(env, p))
}

// find prints the proposals that contain a text, under their numbers.
func (s *signPage) find(ctx context.Context, text string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	env, found := s.env(), false
	for i, p := range s.all {
		if strings.Contains(strings.ToLower(proposalLine(env, p).String()), strings.ToLower(text)) {
			s.sayProposal(env, i, p)
			found = true
		}
	}
	if !found {
		s.Say("No proposal matches.")
	}
	return nil
}

func (s *signPage) read(ctx context.Context) (err error) {
	s.all, err = within(ctx, s.Conversation, "Reading proposals", s.opt.Core.Sign.Reader.Own)
	return err
}

// open prints everything about a proposal.
func (s *signPage) open(_ context.Context, n int) error {
	p, err := pick(s.all, fmt.Sprint(n), "proposal")
	if err != nil {
		return err
	}
	s.sayRows(sign.Rows(s.env(), p))
	return nil
}

// changeApproval approves a proposal or withdraws the approval, through a review.
func (s *signPage) changeApproval(ctx context.Context, rest string, withdraw bool) error {
	if s.all == nil {
		if err := s.read(ctx); err != nil {
			return err
		}
	}
	p, err := pick(s.all, rest, "proposal")
	if err != nil {
		return err
	}
	if err := s.needUnlock(ctx); err != nil {
		return err
	}
	env := s.env()
	req, why := sign.Change(env, p, withdraw)
	if why != "" {
		return refuse(sentence(why), "sign lists the proposals.")
	}
	if !withdraw {
		s.Tell("Effect", sign.Effect(env, p))
	}
	built, err := within(
		ctx,
		s.Conversation,
		"Building",
		func(ctx context.Context) (screen.Built, error) { return s.opt.Core.Sign.Approver.Approve(ctx, req) },
	)
	if err != nil {
		return err
	}
	return s.spend(ctx, built)
}

func (s *signPage) json(_ context.Context, rest string) error {
	p, err := pick(s.all, rest, "proposal")
	if err != nil {
		return err
	}
	for _, op := range p.Operations {
		s.sayRaw(op)
	}
	return nil
}

func (s *signPage) propose(context.Context, string) error {
	s.Say("Type send, answer its questions, and at the review type propose.")
	return nil
}

// file reads a transaction file and signs or sends it.
func (s *signPage) file(ctx context.Context, path string) error {
	var err error
	if path == "" {
		if path, err = s.Text(ctx, "File", "the path of a transaction file", ""); err != nil {
			return err
		}
	}
	path = screen.Path(path)
	core := s.opt.Core.Sign.Files
	f, err := within(ctx, s.Conversation, "Reading the file", func(ctx context.Context) (sign.File, error) { return core.Open(ctx, path) })
	if err != nil {
		return err
	}
	for {
		next, signed, err := s.fileReview(ctx, f)
		if err != nil || !signed {
			return err
		}
		f = next
	}
}

// fileReview shows a file for review. signed reports that it was signed and is complete; next is then shown to be
// sent.
func (s *signPage) fileReview(ctx context.Context, f sign.File) (next sign.File, signed bool, err error) {
	env, core := s.env(), s.opt.Core.Sign.Files
	s.Say("Read back from the bytes in the file.")
	if !f.Holds.Complete {
		s.Say("sign adds the signatures of this wallet; nothing is sent.")
	}
	page := sign.ReviewOf(env, f, "sign")
	if f.Holds.Complete {
		s.sayReview(&page)
		if why := sign.NoSending(env, f); why != "" {
			return f, false, refuse(sentence(why), "back.")
		}
		if err := s.ConfirmWord(ctx, "send", "send it as it is signed"); err != nil {
			return f, false, err
		}
		return f, false, s.sendChecked(ctx, core.Built(f), sign.LifeOf(env, f))
	}
	if f.Off != "" {
		s.sayReview(&page)
		return f, false, refuse(sentence(f.Off), "back, or import the key.")
	}
	if _, err := s.confirm(ctx, &page, "sign", "sign the file"); err != nil {
		return f, false, err
	}
	out, err := within(ctx, s.Conversation, "Signing", func(ctx context.Context) (sign.File, error) { return core.Sign(ctx, f) })
	if err != nil {
		return f, false, err
	}
	s.Tell("Signed, in a new file", format.Clean(out.Path))
	s.partialCode = Done // signing needed no node, so nothing was missing
	return out, out.Holds.Complete, nil
}

// sendChecked sends a signed transaction once the checks of its review were answered.
func (s *signPage) sendChecked(ctx context.Context, built screen.Built, lives string) error {
	page := review.New(s.env(), built.Review(), review.Prompt{Key: "send", Word: "Send as it is signed", Life: lives})
	page.MarkRead(s.env())
	if err := s.answerChecks(ctx, &page); err != nil {
		return err
	}
	ready, err := s.ready(ctx, &page, "send")
	if err != nil || !ready {
		return err
	}
	return s.pay(ctx, built)
}

func (s *signPage) forget() { s.all = nil }
