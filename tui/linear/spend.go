package linear

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/progress"
	"billfold/walletcore/payment"
)

// blockWait is the time for which a payment is followed before the prompt returns; events report the rest.
const blockWait = time.Minute

// pollTime is the interval at which the state of a payment is read while it is followed.
const pollTime = 250 * time.Millisecond

// spend shows a built operation, has it signed, sends it and prints its states. What the keys of this wallet
// may not sign alone becomes a file or a proposal.
func (s reviewer) spend(ctx context.Context, built screen.Built, more ...choice) error {
	if u, is := built.(screen.Unsigned); is {
		return s.spendFile(ctx, u)
	}
	env := s.env()
	ask := review.Prompt{Key: "sign", Life: signingLife, Chosen: s.chosen}
	if many, is := built.(screen.Several); is {
		ask = send.TablePrompt(ask, many)
	}
	page := review.New(env, built.Review(), ask)
	s.Say(intro)
	if done, err := s.confirm(ctx, &page, "sign", page.Word(), choicesOf(built, more)...); done || err != nil {
		return err
	}
	now, err := within(ctx, s.Conversation, "Checking", func(ctx context.Context) (screen.Reread, error) {
		now, _, err := screen.Rereview(ctx, built, page.Shown)
		return now, err
	})
	switch {
	case err != nil:
		return err
	case now.HasNewWarnings:
		s.Say("Nothing was signed. What you heard has changed; listen to it again.")
		return s.spend(ctx, now.Built, more...)
	}
	return s.pay(ctx, built)
}

// spendFile writes what the keys of this wallet may not sign alone to a file for others, or proposes it if an account
// of this wallet can pay for the proposal.
func (s reviewer) spendFile(ctx context.Context, u screen.Unsigned, more ...choice) error {
	s.Say("The keys in this wallet may not sign this alone, so this becomes a file that others sign.")
	env := s.env()
	page := send.FilePage(env, u, send.Way{Key: "save", Propose: "propose", Chosen: s.chosen})
	if len(send.Payers(env)) > 0 && send.NoPayer(u) == "" {
		more = append(more, choice{word: "propose", help: "have others approve", do: func(ctx context.Context) error { return s.proposeFile(ctx, u) }})
	}
	if done, err := s.confirm(ctx, &page, "save", "write the file", more...); done || err != nil {
		return err
	}
	return s.writeFile(ctx, u.Save)
}

// proposeFile makes a proposal instead of a file.
func (s reviewer) proposeFile(ctx context.Context, u screen.Unsigned) error {
	env := s.env()
	built, err := within(ctx, s.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return screen.FirstAble(send.Payers(env), func(payer string) (screen.Built, error) {
			return u.Propose(ctx, payer, env.ProposalEnd())
		})
	})
	if err != nil {
		return err
	}
	return s.spend(ctx, built)
}

// writeFile saves a file that others sign and prints its path.
func (s reviewer) writeFile(ctx context.Context, save func(context.Context) (screen.Saved, error)) error {
	file, err := within(ctx, s.Conversation, "Building", save)
	if err != nil {
		return err
	}
	s.Tell("Saved unsigned", format.Clean(file.Path))
	s.Say("Others can sign it until " + s.env().Times().Stamp(file.Until) + ". sign file opens it.")
	return nil
}

// pay sends what was approved and follows it into a block.
func (s reviewer) pay(ctx context.Context, built screen.Built) error {
	if many, is := built.(screen.Several); is {
		return s.payTable(ctx, many)
	}
	sent, err := withProgress(ctx, s.Conversation, "Sending", built.Send)
	known := sent.ID != (ledger.TransactionID{})
	if known {
		s.notices.payments[sent.ID] = sent.State
		s.Tell("Prepared. Transaction id", sent.ID.String())
	}
	gone := known && sent.State != payment.Rejected && sent.State != payment.Expired
	switch {
	case err != nil && !gone && payment.MayHappen(err):
		return s.sayUnknown(payment.Payment{State: payment.Unknown, Reason: refusalOf(err).What})
	case err != nil && !gone:
		r := refusalOf(err)
		r.Money = "nothing was spent."
		return r
	}
	return s.follow(ctx, sent)
}

// follow prints the states of a payment until it is in a block or its outcome is unknown.
func (s reviewer) follow(ctx context.Context, p payment.Payment) error {
	printed := payment.State(-1)
	for waited := time.Duration(0); ; waited += pollTime {
		p = s.current(p)
		if p.State != printed {
			printed = p.State
			if over, err := s.sayState(p); over {
				return err
			}
		}
		if waited >= blockWait {
			s.Say("No block has it yet. You may go on; an event will follow.")
			return nil
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return errQuit
		}
	}
}

// current returns the latest state of a payment.
func (s reviewer) current(p payment.Payment) payment.Payment {
	env := s.env()
	for _, known := range env.Payments {
		if known.ID == p.ID {
			s.notices.payments[p.ID] = known.State
			p = known
		}
	}
	return progress.Known(env, p)
}

// sayState prints the state of a payment; over reports that it need not be followed further.
func (s reviewer) sayState(p payment.Payment) (over bool, err error) {
	env := s.env()
	switch p.State {
	case payment.Prepared:
	case payment.Sent:
		if p.Taken {
			s.Say("Sent. Accepted by the node.")
		} else {
			s.Say("Sent. The node has not answered yet.")
		}
	case payment.InBlock:
		s.Say("In block " + format.Block(p.Block) + ".")
		wait, ok := progress.UntilFinal(env, p)
		switch {
		case p.ByNodesWord:
			s.Say("Final only according to the node; do not rely on it yet.")
		case ok:
			s.Say("Final in " + format.Wait(wait) + ". You may go on; an event will follow.")
		default:
			s.Say("You may go on; an event tells when it is final.")
		}
		return true, nil
	case payment.Irreversible:
		s.Say("Final in block " + format.Block(p.Block) + ".")
		return true, nil
	case payment.Rejected:
		return true, &Refusal{
			What:  "It did not enter the chain: " + sentence(format.Clean(p.Reason)),
			Money: "nothing was spent.",
			Next:  "send, for another payment.",
			Code:  Refused,
		}
	case payment.Expired:
		return true, &Refusal{
			What:  "Not included before it expired.",
			Money: "nothing was spent.",
			Next:  "send, for another payment.",
			Code:  Refused,
		}
	case payment.Unknown:
		return true, s.sayUnknown(p)
	}
	return false, nil
}

// sayUnknown prints what an unknown outcome means. In a script it is an error.
func (s reviewer) sayUnknown(p payment.Payment) error {
	env := s.env()
	reason := sentence(format.Clean(p.Reason))
	if reason == "" {
		reason = "No answer from the node."
	}
	why := &Refusal{What: "Sent: unknown. " + reason, Money: "the payment may still go through. Do not send again.",
		Next: "resend sends the very same bytes and cannot pay twice.", Code: Unknown, said: true}
	if s.json {
		s.Wrong(why)
	} else {
		s.Say(why.What)
		s.Tell("Money", why.Money)
	}
	if p.Expiration != 0 && env.Live() {
		s.Say("Certain by " + env.Times().Clock(progress.CertainBy(env, p)) + ". An event will follow.")
	} else {
		s.Say("Certain when a node answers. An event will follow.")
	}
	s.at = screen.Send
	if !s.json {
		s.Tell("Next", why.Next)
	}
	if s.script {
		return why
	}
	return nil
}

// resend sends the signed bytes of a payment with unknown outcome again.
func (s reviewer) resend(ctx context.Context, rest string) error {
	env := s.env()
	var open []payment.Payment
	for _, p := range progress.Underway(env) {
		if p = progress.Known(env, p); p.State == payment.Unknown && p.ID != (ledger.TransactionID{}) {
			open = append(open, p)
		}
	}
	switch {
	case len(open) == 0:
		return refuse("No payment has an unknown outcome.", "pending lists payments on their way.")
	case !env.Online():
		return &Refusal{What: "No node answers.", Money: "the payment may still go through. Do not send again.",
			Next: "resend, when an event says that a node answers.", Code: NoDaemon}
	case len(open) > 1 && rest == "":
		for i, p := range open {
			s.Item(i+1, paymentText(env, p))
		}
		return misuse("Which of them?", "resend and its number.")
	}
	if rest == "" {
		rest = "1"
	}
	p, err := pick(open, rest, "payment")
	if err != nil {
		return err
	}
	_, err = within(ctx, s.Conversation, "Sending the same bytes", func(ctx context.Context) (bool, error) {
		return true, s.opt.Core.Send.Payer.Resend(ctx, p.ID)
	})
	if err != nil {
		var r = refusalOf(err)
		r.Money = "the payment may still go through. Do not send again."
		return r
	}
	s.Say("The same bytes were sent again. An event will follow.")
	return nil
}

// saySteps prints the progress of the latest payment, step by step.
func (s reviewer) saySteps(context.Context, string) error {
	p, err := s.latest()
	if err != nil {
		return err
	}
	env := s.env()
	s.Fact("Payment", paymentText(env, p))
	for _, l := range progress.Steps(env, progress.Known(env, p), lineWidth) {
		s.Line(l)
	}
	if p.ID != (ledger.TransactionID{}) {
		s.Tell("Transaction id", p.ID.String())
	}
	return nil
}

// latest returns the payment that was prepared last.
func (s reviewer) latest() (payment.Payment, error) {
	var out payment.Payment
	for _, one := range s.env().Payments {
		if out.Prepared.Before(one.Prepared) {
			out = one
		}
	}
	if out.Prepared.IsZero() {
		return out, refuse("No payment was sent in this run.", "pay makes one.")
	}
	return out, nil
}

// unknownPayments returns the payments whose outcome is unknown.
func unknownPayments(s *Conversation) (out []payment.Payment) {
	env := s.env()
	for _, p := range env.Payments {
		if progress.Known(env, p).State == payment.Unknown {
			out = append(out, p)
		}
	}
	return out
}
