package send_test

import (
	"context"
	"errors"

	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// heard records the requests of the page to the wallet.
type heard struct {
	built  []txbuild.TransferParams
	sought []string
}

// listen has all that the page asks for go through h.
func (h *heard) listen(c *tui.Core) {
	c.Send.Payer, c.Send.Finder = heardPayer{c.Send.Payer, h}, heardFinder{c.Send.Finder, h}
}

type heardPayer struct {
	send.Payer
	*heard
}

func (p heardPayer) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	p.built = append(p.built, req)
	return p.Payer.Prepare(ctx, req)
}

type heardFinder struct {
	send.Finder
	*heard
}

func (f heardFinder) FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	f.sought = append(f.sought, prefix)
	return f.Finder.FindAccounts(ctx, prefix, limit)
}

// failing is a finder that finds nothing while it is broken.
type failing struct {
	send.Finder
	broken bool
}

func (f *failing) install(c *tui.Core) { f.Finder, c.Send.Finder = c.Send.Finder, f }

func (f *failing) FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	if f.broken {
		return nil, errors.New("the line broke")
	}
	return f.Finder.FindAccounts(ctx, prefix, limit)
}

// liar builds another payment than it is asked for.
type liar struct {
	send.Payer
	instead txbuild.TransferParams
}

func (l liar) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	l.instead.From = req.From
	return l.Payer.Prepare(ctx, l.instead)
}

// refusing builds payments whose sending fails before a byte leaves.
type refusing struct {
	send.Payer
	err error
}

func (r refusing) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	made, err := r.Payer.Prepare(ctx, req)
	return refused{made, r.err}, err
}

type refused struct {
	screen.Built
	err error
}

func (r refused) Send(context.Context) (payment.Payment, error) { return payment.Payment{}, r.err }
