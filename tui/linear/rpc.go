package linear

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/approval"
	"billfold/tui/overlay/review"
	"billfold/tui/page/rpc"
	"billfold/tui/widget/canvas"
	queue "billfold/walletcore/approval"
)

// rpcPage shows the RPC listeners, the programs that call, and the requests that wait for approval.
type rpcPage struct{ reviewer }

func (p *rpcPage) words() []word {
	return append([]word{
		{
			say: "approvals N", row: "rpc/enter", help: "the requests that wait; with a number, that request",
			also: []string{"approval/approval.approve", "approval/approval.deny"}, do: p.approvals,
		},
		{say: "http WAY", row: "rpc/rpc.switch", help: "the HTTP listener on or off", do: p.switchWord("http", "HTTP")},
		{say: "ws WAY", row: "rpc/rpc.switch", help: "the WebSocket listener on or off", do: p.switchWord("ws", "WebSocket")},
		{say: "switch NAME", row: "rpc/rpc.switch", help: "open or close a listener by its name", do: p.switchListener},
		{say: "clients", help: "the programs that called", do: p.clients},
		{say: "cut N", row: "rpc/rpc.cut", help: "cut off client N", do: p.cut},
		{say: "log", row: "rpc/rpc.detail", help: "the latest calls, the newest first", do: p.log},
	}, tokens{p.Conversation}.words()...)
}

func (p *rpcPage) enter(context.Context) error {
	for _, l := range p.listeners() {
		state := "off"
		if l.On {
			state = "on"
		}
		p.Tell(l.Name, state+", "+format.Clean(l.Addr))
		if l.On && l.Beyond {
			p.Tell("Careful", "other machines reach it.")
		}
	}
	if p.opt.RPC.Server == nil {
		p.Say("There is no listener here.")
	}
	for _, t := range p.opt.RPC.Terms {
		p.Tell(t.Name, format.Clean(t.Text))
	}
	p.Tell("Waiting approvals", format.Count(len(p.env().Approvals)))
	p.sayWords()
	return nil
}

func (p *rpcPage) listeners() []rpc.Listener {
	if p.opt.RPC.Server == nil {
		return nil
	}
	return p.opt.RPC.Server.Listeners()
}

// switchWord returns the function of a word that turns a listener on or off.
func (p *rpcPage) switchWord(word, name string) func(ctx context.Context, way string) error {
	return func(ctx context.Context, way string) error {
		if way = strings.ToLower(way); way != "on" && way != "off" {
			return misuse("On or off?", word+" on, or "+word+" off.")
		}
		for _, l := range p.listeners() {
			if l.Name == name && l.On == (way == "on") {
				p.Tell(name, "it is "+way+" already.")
				return nil
			}
		}
		return p.switchListener(ctx, name)
	}
}

// switchListener opens or closes a listener. A locked wallet has to be unlocked to open one, but not to close it.
func (p *rpcPage) switchListener(ctx context.Context, rest string) error {
	for _, l := range p.listeners() {
		if !strings.EqualFold(l.Name, rest) {
			continue
		}
		if !l.On {
			if err := p.needUnlock(ctx); err != nil {
				return err
			}
		}
		if !l.On && l.Beyond {
			if err := p.confirmPublic(ctx, l); err != nil {
				return err
			}
		}
		if err := p.opt.RPC.Server.Switch(l.Name, !l.On); err != nil {
			return refuse(sentence(format.Clean(err.Error())), "switch "+l.Name+" again later.")
		}
		p.Tell(l.Name, map[bool]string{true: "closed.", false: "open."}[l.On])
		return nil
	}
	return misuse("Which listener?", "switch and its name.")
}

// confirmPublic asks for confirmation before other machines can connect.
func (p *rpcPage) confirmPublic(ctx context.Context, l rpc.Listener) error {
	p.Tell("Careful", "other machines reach "+format.Clean(l.Addr)+".")
	return p.ConfirmWord(ctx, rpc.OpenWord, "open it")
}

func (p *rpcPage) rpcClients() []rpc.Client {
	if p.opt.RPC.Server == nil {
		return nil
	}
	return p.opt.RPC.Traffic.Clients()
}

func (p *rpcPage) clients(context.Context, string) error {
	all := p.rpcClients()
	if len(all) == 0 {
		p.Say("No program has called yet.")
	}
	for i, c := range all {
		p.Item(i+1, canvas.Text(format.Clean(c.Who)+", "+c.Via+", "+printable.Many(c.Calls, "call")))
	}
	return nil
}

func (p *rpcPage) cut(_ context.Context, rest string) error {
	c, err := pick(p.rpcClients(), rest, "client")
	if err != nil {
		return err
	}
	if !p.opt.RPC.Traffic.CutOff(c.Number) {
		return refuse("It has no open connection to cut.", "clients lists them.")
	}
	p.Tell("Cut off", format.Clean(c.Who))
	return nil
}

// callRows is the maximum number of calls that the log prints.
const callRows = 10

func (p *rpcPage) log(context.Context, string) error {
	if p.opt.RPC.Server == nil {
		return refuse("There is no listener here.", "back.")
	}
	calls := p.opt.RPC.Traffic.Calls()
	if len(calls) == 0 {
		p.Say("No calls yet.")
	}
	for i, c := range calls[:min(len(calls), callRows)] {
		said := p.env().Times().Clock(c.At) + ", " + format.Clean(c.Who) + ", " + format.Clean(c.Method+" "+c.Params)
		if c.Message != "" {
			said += ", failed: " + format.Clean(c.Message)
		}
		p.Item(i+1, canvas.Text(said))
	}
	return nil
}

// open opens a request by its place in the list.
func (p *rpcPage) open(ctx context.Context, n int) error { return p.approvals(ctx, fmt.Sprint(n)) }

// approvals lists the waiting requests, or opens one: the only one, or the numbered one.
func (p *rpcPage) approvals(ctx context.Context, rest string) error {
	env := p.env()
	all := env.Approvals
	switch {
	case len(all) == 0:
		p.Say("No program is waiting.")
		for i, r := range env.Unanswered {
			head := "request " + fmt.Sprint(r.Number) + " by " + format.Caller(r.Who) + " expired unanswered at " + env.Times().ClockOn(r.Ended) + "; nothing was signed: "
			p.Item(i+1, canvas.Join(canvas.Text(head), summary(env, r.Request)))
		}
		return nil
	case rest == "" && len(all) > 1:
		for i, r := range all {
			head := fmt.Sprintf("request %d by %s, %s left, ", r.Number, format.Caller(r.Who), format.Countdown(r.Until.Sub(env.Now)))
			p.Item(i+1, canvas.Join(canvas.Text(head), summary(env, r)))
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

// decide prints a request and reads the answer: approve, deny, or later. A request that is not answered is denied.
func (s *rpcPage) decide(ctx context.Context, r queue.Request) error {
	if err := s.needUnlock(ctx); err != nil {
		return err
	}
	env := s.env()
	s.notices.noteRequest(r.Number)
	from := "this computer"
	if r.From != "" {
		from = "from " + format.Clean(r.From)
	}
	s.Say(fmt.Sprintf("Request %d by %s, %s, %s. %s left. Silence means no.", r.Number, format.Caller(r.Who), r.Via, from,
		format.Age(r.Until.Sub(env.Now))))
	s.Tell("Call", format.Clean(r.Method))
	s.Tell("Policy", sentence(format.Clean(r.Why)))
	page := review.New(
		env,
		r.Review,
		review.Prompt{Key: "approve", Word: "approve", Life: "30 s after approving", Action: r.Sentence, Typed: r.Typed},
	)
	more := []choice{
		{word: "deny", help: "refuse", do: func(context.Context) error { return s.deny(r) }},
		{word: "later", help: "decide nothing", do: func(context.Context) error { s.Say("Nothing was decided."); return nil }},
	}
	done, err := s.confirm(ctx, &page, "approve", "approve this request only", more...)
	switch {
	case errors.Is(err, errBack), errors.Is(err, errStop):
		s.Say("Nothing was decided.")
		return nil
	case done || err != nil:
		return err
	}
	s.notices.requests.drop(r.Number)
	if err := s.opt.Approvals.Approve(r.Number); err != nil {
		return requestGone(r, err)
	}
	s.Fact("Approved", approval.Summary(r))
	return nil
}

func (s *rpcPage) deny(r queue.Request) error {
	s.notices.requests.drop(r.Number)
	if err := s.opt.Approvals.Deny(r.Number); err != nil {
		return requestGone(r, err)
	}
	s.Fact("Denied", approval.Summary(r))
	return nil
}

// requestGone returns the refusal for a request that has ended already.
func requestGone(r queue.Request, err error) error {
	undone, why := "signed", "The client stopped waiting."
	if errors.Is(err, queue.ErrUnwelcome) {
		why = "The token that asked was revoked, or has expired."
	}
	if r.Sentence != "" {
		undone = "done"
	}
	return &Refusal{What: why + " Nothing was " + undone + ".", Money: "nothing was sent.",
		Next: "approvals lists what waits.", Code: Refused}
}
