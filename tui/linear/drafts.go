package linear

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
)

// drafts lists and edits the payments kept for later.
type drafts struct{ *Conversation }

// load unlocks the wallet and reads the drafts of the account in focus.
func (p drafts) load(ctx context.Context) (screen.Env, []draft.Draft, error) {
	env, err := p.account()
	if err != nil {
		return env, nil, err
	}
	if err := p.needUnlock(ctx); err != nil { // drafts are encrypted with the wallet
		return env, nil, err
	}
	list, err := p.opt.Core.Send.Drafts.List(ctx, env.Account.ID)
	return env, list, err
}

func (p drafts) list(ctx context.Context, _ string) error {
	env, list, err := p.load(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		p.Say("No drafts.")
	}
	for i, d := range list {
		what := ""
		if d.Several {
			p.Item(i+1, send.Summary(d))
			continue
		}
		if d.Proposes {
			what = "proposal: "
		}
		if said := send.WaitText(env, d); said != "" {
			what = said + ": "
		}
		p.Item(i+1, canvas.Text(what+format.Clean(d.Request.Amount+" "+d.Request.Asset+" to "+d.Request.To)))
	}
	return nil
}

// numbered returns the draft whose number in the list was typed.
func (p drafts) numbered(ctx context.Context, rest string) (d draft.Draft, err error) {
	_, list, err := p.load(ctx)
	if err != nil {
		return d, err
	}
	return pick(list, rest, "draft")
}

func (p drafts) drop(ctx context.Context, rest string) error {
	_, list, err := p.load(ctx)
	if err != nil {
		return err
	}
	d, err := pick(list, rest, "draft")
	if err != nil {
		return err
	}
	if err := p.ConfirmWord(ctx, "delete", "delete the draft"); err != nil {
		return err
	}
	if _, err := p.opt.Core.Send.Drafts.Drop(ctx, d.Number); err != nil {
		return err
	}
	p.Say("The draft is deleted.")
	return nil
}

// keep saves the answers of a form as a draft, replacing draft old, and says so; 0 replaces none.
func (p drafts) keep(ctx context.Context, form draft.Draft, old int64) error {
	if err := p.save(ctx, form, old); err != nil {
		return err
	}
	p.Say("Kept. Nothing was signed. send drafts lists it.")
	return nil
}

func (p drafts) save(ctx context.Context, form draft.Draft, old int64) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	_, err = send.Save(ctx, p.opt.Core.Send.Drafts, env.Account.ID, form, old)
	return err
}
