package linear

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
)

// propose builds the payment as a proposal that others approve.
func (p *paying) propose(ctx context.Context) error {
	req := send.ProposalOf(p.env(), p.form)
	if req.Proposer == "" {
		return refuse("No account of this wallet can pay the fee of a proposal.", "back, or import a key.")
	}
	built, err := within(ctx, p.Desk, "Building", func(ctx context.Context) (screen.Built, error) {
		return p.opt.Core.Send.Propose.Propose(ctx, req)
	})
	if err != nil {
		return err
	}
	return p.spend(ctx, built, "sign", "sign and send the proposal", life, choice{"save", "write a file instead", p.unsigned})
}

// unsigned writes the payment as a file that others sign.
func (p *paying) unsigned(ctx context.Context) error {
	file, err := within(ctx, p.Desk, "Building", func(ctx context.Context) (send.Saved, error) {
		return p.opt.Core.Send.Propose.Unsigned(ctx, p.form)
	})
	if err != nil {
		return err
	}
	p.Tell("Saved unsigned", format.Clean(file.Path))
	p.Say("Others can sign it until " + format.Stamp(file.Until) + " UTC. sign file opens it.")
	return nil
}
