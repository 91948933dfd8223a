package linear

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/page/content"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// contentPage lists content that is offered, bought and published, buys, extracts and publishes it.
type contentPage struct {
	reviewer
	which content.List
	term  string
	items []content.Item
}

func (p *contentPage) words() []word {
	show := func(which content.List) func(context.Context, string) error {
		return func(ctx context.Context, _ string) error {
			p.which, p.term = which, ""
			return p.enter(ctx)
		}
	}
	return []word{
		{say: "search TEXT", row: "content/content.search", help: "what is offered, with the text in its title or description", do: p.search},
		{say: "bought", row: "content/content.list", help: "what the account bought", do: show(content.Bought)},
		{say: "published", help: "what the account published", do: show(content.Published)},
		{say: "tasks", help: "what is under way", do: show(content.UnderWay)},
		{say: "buy N", row: "content/content.buy", help: "buy item N", do: p.buy},
		{say: "extract N", row: "content/content.extract", help: "extract item N, which was bought, into a new folder", do: p.extract},
		{say: "download N", row: "content/content.fetch", help: "download item N, which was bought, again", do: p.fetch},
		{say: "publish", row: "content/content.publish", do: p.publish},
		{say: "withdraw N", row: "content/content.remove", help: "take item N off sale, or end task N", do: p.withdraw},
	}
}

func (p *contentPage) enter(ctx context.Context) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	core := p.opt.Core.Content
	p.items, err = within(ctx, p.Conversation, "Reading content", func(ctx context.Context) ([]content.Item, error) {
		return core.List(ctx, p.which, env.Account, p.term)
	})
	if err != nil {
		return err
	}
	p.Tell("List", strings.ToLower(p.which.String()))
	if len(p.items) == 0 {
		p.Say("Nothing.")
	}
	for n, i := range p.items {
		p.Item(n+1, p.line(i))
	}
	p.sayWords()
	return nil
}

// line returns an item in one line.
func (p *contentPage) line(i content.Item) canvas.Line {
	out := format.Quote(i.Title, lineWidth)
	if i.Author.Name != "" {
		out = canvas.Join(out, canvas.Text(" by "), format.Account(i.Author))
	}
	if i.Asset.Symbol != "" {
		out = canvas.Join(out, canvas.Text(", "), p.env().Money().Amount(i.Asset, i.Price))
	}
	return canvas.Join(out, canvas.Text(", "+format.Clean(i.State)))
}

// open prints everything about an item.
func (p *contentPage) open(_ context.Context, n int) error {
	i, err := p.pick(format.Count(n))
	if err != nil {
		return err
	}
	p.Fact("Content", p.line(i))
	if i.Text != "" {
		p.Say("Text by others:")
		p.quote(i.Text)
	}
	for _, f := range i.Facts {
		p.Tell(f.Label, format.Clean(f.Text))
	}
	return nil
}

func (p *contentPage) pick(text string) (content.Item, error) { return pick(p.items, text, "item") }

// picked returns an item unless something keeps it from being used.
func (p *contentPage) picked(text string, whyNot func(content.Item) string) (content.Item, error) {
	i, err := p.pick(text)
	if err != nil {
		return i, err
	}
	if why := whyNot(i); why != "" {
		return i, refuse(sentence(why), "type its number to hear about it.")
	}
	return i, nil
}

func (p *contentPage) search(ctx context.Context, text string) error {
	p.which, p.term = content.OnOffer, text
	return p.enter(ctx)
}

func (p *contentPage) buy(ctx context.Context, rest string) error {
	number, region := cutWord(rest)
	i, err := p.picked(number, content.Item.WhyNotBuy)
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	p.Fact("Buy", p.line(i))
	if region == "" {
		if region, err = p.Text(ctx, "Region, empty for none", "default, a country such as AT, or empty", ""); err != nil {
			return err
		}
	}
	if region != "default" {
		region = strings.ToUpper(region)
	}
	env, err := p.account()
	if err != nil {
		return err
	}
	built, err := within(ctx, p.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return p.opt.Core.Content.Buy(ctx, env.Account, i.URI, region)
	})
	if err != nil {
		return err
	}
	p.Say("Once bought, it is downloaded in the background. bought lists it; extract opens it then.")
	return p.spend(ctx, built)
}

func (p *contentPage) extract(ctx context.Context, rest string) error {
	number, folder := cutWord(rest)
	i, err := p.picked(number, content.Item.WhyNotExtract)
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	if folder == "" {
		if folder, err = p.Text(ctx, "Folder", "a folder that is new or empty", i.FolderFor()); err != nil {
			return err
		}
	}
	_, err = withProgress(ctx, p.Conversation, "Extracting", func(ctx context.Context) (bool, error) {
		return true, p.opt.Core.Content.Extract(ctx, i.Buying, i.Hash, i.Quorum, folder)
	})
	if err != nil {
		return err
	}
	p.Tell("Extracted into", format.Clean(folder))
	return nil
}

func (p *contentPage) fetch(ctx context.Context, rest string) error {
	i, err := p.picked(rest, func(i content.Item) string {
		if i.Buying == nil || i.Here {
			return "only what was bought, and is not here, is downloaded"
		}
		return ""
	})
	if err != nil {
		return err
	}
	_, err = within(ctx, p.Conversation, "Looking", func(ctx context.Context) (bool, error) {
		return true, p.opt.Core.Content.Fetch(ctx, i.URI)
	})
	if err == nil {
		p.Say("It is downloaded in the background.")
	}
	return err
}

func (p *contentPage) withdraw(ctx context.Context, rest string) error {
	i, err := p.picked(rest, func(i content.Item) string {
		if i.Task == "" && (p.which != content.Published || !i.Open) {
			return "only what you offer can be withdrawn, and a task be ended"
		}
		return ""
	})
	if err != nil {
		return err
	}
	if i.Task != "" {
		p.Say("What is left of it is removed. What was sent to the ledger stays sent.")
		if err := p.ConfirmWord(ctx, "delete", "end it"); err != nil {
			return err
		}
		if err := p.opt.Core.Content.Cancel(i.Task); err != nil {
			return err
		}
		p.Say("The task is gone.")
		return nil
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	env, err := p.account()
	if err != nil {
		return err
	}
	built, err := within(ctx, p.Conversation, "Building", func(ctx context.Context) (screen.Built, error) {
		return p.opt.Core.Content.Withdraw(ctx, env.Account, i.URI)
	})
	if err != nil {
		return err
	}
	return p.spend(ctx, built)
}

// publish asks for each text of a publication, has it reviewed, and begins it.
func (p *contentPage) publish(ctx context.Context, _ string) error {
	env, err := p.account()
	if err != nil {
		return err
	}
	if err := p.needUnlock(ctx); err != nil {
		return err
	}
	fields := content.Fields()
	values := make([]string, len(fields))
	steps := []step{}
	for n, f := range fields {
		values[n] = f.Value
		steps = append(steps, func(ctx context.Context) error {
			return p.askField(ctx, f, &values[n])
		})
	}
	steps = append(steps, p.backOnFailure(func(ctx context.Context) error { return p.review(ctx, env.Account, values) }))
	return p.runLockableSteps(ctx, steps...)
}

func (p *contentPage) askField(ctx context.Context, f content.Field, value *string) error {
	return p.untilAccepted(ctx, func(ctx context.Context) error {
		text, err := p.Text(ctx, f.Label, f.Hint, *value)
		if err != nil {
			return err
		}
		if f.Check != nil {
			if err := f.Check(text); err != nil {
				return misuse(sentence(err.Error()), "type it again, or back.")
			}
		}
		*value = text
		return nil
	})
}

// review shows a publication at the most that it can cost, and begins it.
func (p *contentPage) review(ctx context.Context, by ledgerview.AccountRef, values []string) error {
	d, err := content.Read(values)
	if err != nil {
		return err
	}
	plan, err := within(ctx, p.Conversation, "Checking", func(ctx context.Context) (content.Plan, error) {
		return p.opt.Core.Content.Plan(ctx, by, d)
	})
	if err != nil {
		return err
	}
	page := review.New(p.env(), plan.Review(), review.Prompt{Key: "publish", Word: "publish it", Life: "signed once it is uploaded"})
	p.Say("Review. This is offered, at the most that it can cost. Its address and hash follow from the bytes.")
	if _, err := p.confirm(ctx, &page, "publish", "publish it"); err != nil {
		return err
	}
	if err := plan.Publish(ctx); err != nil {
		return err
	}
	p.Say("It is packed, uploaded and submitted in the background. tasks shows how far it is.")
	return nil
}
