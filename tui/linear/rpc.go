package linear

import (
	queue "billfold/walletcore/approval"
	"context"
	"errors"
	"fmt"

	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/overlay/review"
	"billfold/tui/widget/canvas"
)

// programs is where programs may call the wallet, and which of them wait for an answer.
type programs struct{ clerk }

func (p *programs) words() []word {
	return []word{
		{say: "approvals N", row: "rpc/enter", help: "the requests that wait; with a number, that request",
			also: []string{"approval/approval.approve", "approval/approval.deny"}, do: p.approvals},
	}
}

func (p *programs) enter(context.Context) error {
	env := p.env()
	var doors []string
	for _, l := range p.state.Listeners() {
		doors = append(doors, l.Name)
		p.Tell(l.Name, "on, "+format.Clean(l.Addr))
	}
	if len(doors) == 0 {
		p.Say("Listener is off. Start it with billfold --linear --tui and --rpc-http or --rpc-ws.")
	} else {
		for _, t := range p.opt.RPC.Terms {
			p.Tell(t.Name, t.Text)
		}
	}
	p.Tell("Waiting approvals", format.Count(len(env.Approvals)))
	p.sayFits()
	return nil
}

// open opens a request by its place in the list.
func (p *programs) open(ctx context.Context, n int) error { return p.approvals(ctx, fmt.Sprint(n)) }

// approvals lists the requests that wait, or opens the one there is or was named.
func (p *programs) approvals(ctx context.Context, rest string) error {
	env := p.env()
	all := env.Approvals
	switch {
	case len(all) == 0:
		p.Say("No program is waiting.")
		return nil
	case rest == "" && len(all) > 1:
		for i, r := range all {
			p.Item(
				i+1,
				canvas.Join(canvas.Text("request "+fmt.Sprint(r.Number)+" by "+format.Clean(r.Who)+", "+format.Left(r.Until.Sub(env.Now))+
					" left, "), summary(env, r)),
			)
		}
		p.Say("Type approvals and a number to open one.")
		return nil
	case rest == "":
		rest = "1"
	}
	r, err := pick(all, rest, "request")
	if err != nil {
		return err
	}
	return p.decide(ctx, r)
}

// decide says a request and hears the answer: approve, deny, or later. Silence means no.
func (s *programs) decide(ctx context.Context, r queue.Request) error {
	if err := s.needUnlock(ctx); err != nil {
		return err
	}
	env := s.env()
	s.news.heard(r.Number)
	from := "this computer"
	if r.From != "" {
		from = "from " + format.Clean(r.From)
	}
	s.Say(fmt.Sprintf("Request %d: client %s, %s, %s. %s left. Silence means no.", r.Number, format.Clean(r.Who), r.Via, from,
		format.Age(r.Until.Sub(env.Now))))
	s.Tell("Call", format.Clean(r.Method))
	s.Tell("Policy", sentence(format.Clean(r.Why)))
	page := review.New(
		env,
		r.Review,
		review.Prompt{Key: "approve", Word: "approve", Life: "30 s after approving", Action: r.Sentence, Typed: r.Typed},
	)
	more := []choice{
		{"deny", "refuse", func(context.Context) error { return s.deny(r) }},
		{"later", "decide nothing", func(context.Context) error { s.Say("Nothing was decided."); return nil }},
	}
	done, err := s.confirm(ctx, &page, "approve", "approve this request only", more...)
	switch {
	case errors.Is(err, errBack), errors.Is(err, errStop):
		s.Say("Nothing was decided.")
		return nil
	case done || err != nil:
		return err
	}
	if err := s.opt.Approvals.Approve(r.Number); err != nil {
		return gone(r)
	}
	s.Fact("Approved", approval.Summary(r))
	return nil
}

func (s *programs) deny(r queue.Request) error {
	if err := s.opt.Approvals.Deny(r.Number); err != nil {
		return gone(r)
	}
	s.Fact("Denied", approval.Summary(r))
	return nil
}

// gone is the refusal of a request that has ended.
func gone(r queue.Request) error {
	undone := "signed"
	if r.Sentence != "" {
		undone = "done"
	}
	return &Refusal{What: "The client stopped waiting. Nothing was " + undone + ".", Money: "nothing was sent.",
		Next: "approvals lists what waits.", Code: Refused}
}
