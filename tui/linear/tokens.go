package linear

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/page/rpc"
	"billfold/tui/widget/canvas"
)

// tokens manages the tokens that programs call with.
type tokens struct{ *Conversation }

func (p tokens) words() []word {
	return []word{
		{say: "tokens", help: "the tokens, and what each permits; with a number, all about one", do: p.list},
		{say: "token NAME", row: "rpc/rpc.new", help: "make a token for a program", do: p.create},
		{say: "policy N", row: "rpc/rpc.edit", help: "change what token N permits", do: p.edit},
		{say: "revoke N", help: "revoke token N", do: p.revoke},
	}
}

func (p tokens) readTokens(ctx context.Context) ([]rpc.Token, error) {
	if p.opt.RPC.Tokens == nil {
		return nil, refuse("There are no tokens here.", "billfold token new makes one.")
	}
	return p.opt.RPC.Tokens.List(ctx)
}

func (p tokens) list(ctx context.Context, number string) error {
	all, err := p.readTokens(ctx)
	if err != nil {
		return err
	}
	if number != "" {
		t, err := pick(all, number, "token")
		if err != nil {
			return err
		}
		p.sayRows(rpc.TokenRows(p.env(), t, p.opt.RPC.Traffic.Clients()))
		return nil
	}
	if len(all) == 0 {
		p.Say("No tokens. token NAME makes one.")
	}
	for i, t := range all {
		expired := ""
		if t.Expired {
			expired = ", expired"
		}
		p.Item(i+1, canvas.Text(format.Clean(t.Name)+expired+": "+format.Clean(t.Summary)))
		for _, s := range t.Spent {
			if s.Amount == 0 {
				continue
			}
			p.Under(canvas.Join(canvas.Text("spent in the last 24 hours: "), p.env().Money().Amount(s.Asset, s.Amount)))
		}
	}
	return nil
}

// create makes a token and prints its text once.
func (p tokens) create(ctx context.Context, name string) error {
	if _, err := p.readTokens(ctx); err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	policy := rpc.Policy{May: "all"}
	said := name
	steps := []step{func(ctx context.Context) error {
		return p.givenOrAsk(ctx, &said, "Name", "what the program is called, such as till", &name, func(text string) error {
			if text == "" {
				return misuse("A name is needed.", "type one, such as till.")
			}
			return nil
		})
	}}
	steps = append(steps, p.questions(&policy)...)
	return p.runSteps(ctx, append(steps, p.backOnFailure(func(ctx context.Context) error {
		if err := p.confirmPolicy(ctx, policy, "make", "make the token "+format.Clean(name)); err != nil {
			return err
		}
		text, err := within(ctx, p.Conversation, "Making", func(ctx context.Context) ([]byte, error) {
			return p.opt.RPC.Tokens.New(ctx, name, policy)
		})
		if err != nil {
			return err
		}
		defer clear(text)
		p.Tell("Token", string(text))
		p.Say("It is not said again. Keep it where only its program reads it.")
		p.Forget()
		return nil
	}))...)
}

// edit changes the policy of a token.
func (p tokens) edit(ctx context.Context, rest string) error {
	all, err := p.readTokens(ctx)
	if err != nil {
		return err
	}
	t, err := pick(all, rest, "token")
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	p.Tell("Token", format.Clean(t.Name)+": "+format.Clean(t.Summary))
	policy := t.Policy
	return p.runSteps(ctx, append(p.questions(&policy), p.backOnFailure(func(ctx context.Context) error {
		if err := p.confirmPolicy(ctx, policy, "save", "change the token "+format.Clean(t.Name)); err != nil {
			return err
		}
		_, err := within(ctx, p.Conversation, "Saving", func(ctx context.Context) (bool, error) {
			return true, p.opt.RPC.Tokens.Change(ctx, t.ID, policy)
		})
		if err == nil {
			p.Tell("Saved", format.Clean(t.Name))
		}
		return err
	}))...)
}

// questions returns the steps that ask for the parts of a policy; an empty line leaves a part unchanged.
func (p tokens) questions(policy *rpc.Policy) (steps []step) {
	for _, part := range []struct {
		prompt, hint string
		value        *string
	}{
		{"May call", "operations, or groups such as Accounts, Transfers:spends, all:all; a group alone means what reads", &policy.May},
		{"For accounts, none is any", "accounts that it may act for, with commas, or none", &policy.Accounts},
		{"May pay to, none is anybody", "accounts that it may pay, with commas, or none", &policy.Destinations},
		{"Limit per payment, none is no limit", "amounts such as 5 DCT, 2 USDX, or none", &policy.PerPayment},
		{"Limit per day, none is no limit", "amounts such as 50 DCT, or none", &policy.PerDay},
		{"Ask me above, none is never", "amounts such as 5 DCT; you are asked about larger payments; or none", &policy.AskAbove},
		{"Expires, none is never", "90d, 12h, a day such as 2030-12-31, or none", &policy.Expires},
	} {
		steps = append(steps, func(ctx context.Context) error {
			return p.untilAccepted(ctx, func(ctx context.Context) error {
				return p.askPart(ctx, part.prompt, part.hint, part.value, policy)
			})
		})
	}
	return steps
}

// askPart asks for one part of a policy and checks it at once.
func (p tokens) askPart(ctx context.Context, prompt, hint string, value *string, policy *rpc.Policy) error {
	was := *value
	text, err := p.Text(ctx, prompt, hint, was)
	if err != nil {
		return err
	}
	if strings.EqualFold(text, "none") {
		text = ""
	}
	*value = text
	if _, err := p.opt.RPC.Tokens.Describe(*policy); err != nil {
		*value = was
		return misuse(sentence(format.Clean(err.Error())), hint+".")
	}
	return nil
}

// confirmPolicy prints what a policy permits and waits for word.
func (p tokens) confirmPolicy(ctx context.Context, policy rpc.Policy, word, what string) error {
	says, err := p.opt.RPC.Tokens.Describe(policy)
	if err != nil {
		return p.reportAndGoBack(misuse(sentence(format.Clean(err.Error())), "answer otherwise, or stop."))
	}
	p.Tell("It may do", format.Clean(says))
	return p.ConfirmWord(ctx, word, what)
}

func (p tokens) revoke(ctx context.Context, rest string) error {
	all, err := p.readTokens(ctx)
	if err != nil {
		return err
	}
	t, err := pick(all, rest, "token")
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	p.Tell("Revoke", format.Clean(t.Name)+": programs that use it are turned away at once.")
	if err := p.ConfirmWord(ctx, "delete", "revoke it"); err != nil {
		return err
	}
	if err := p.opt.RPC.Tokens.Revoke(ctx, t.ID); err != nil {
		return err
	}
	p.Tell("Revoked", format.Clean(t.Name))
	return nil
}
