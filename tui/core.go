package tui

import (
	"context"
	"errors"

	"billfold/tui/overlay/unlock"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/send"
	"billfold/walletcore"
)

// wallet is Core as the screens see it: a draft is what can be reviewed.
type wallet interface {
	Status() walletcore.Status
	Subscribe() (<-chan walletcore.Event, func())
	Accounts() []walletcore.OwnAccount
	RemoveAccount(nameOrID string) error
	Payments() []walletcore.Payment
	Lock() bool
	Touch()
	home.Reader
	history.Reader
	unlock.Opener
	firstrun.Maker
	send.Wallet
}

// drafts gives Core's drafts the type that package send wants.
type drafts struct{ Core }

func (d drafts) BuildTransfer(ctx context.Context, req walletcore.TransferRequest) (send.Draft, error) {
	draft, err := d.Core.BuildTransfer(ctx, req)
	if err != nil {
		return nil, err
	}
	return draft, nil
}

var errForeignDraft = errors.New("this payment was not built by this wallet; go back and review it again")

func (d drafts) Send(ctx context.Context, draft send.Draft) (walletcore.Payment, error) {
	own, ok := draft.(*walletcore.Draft)
	if !ok {
		return walletcore.Payment{}, errForeignDraft
	}
	return d.Core.Send(ctx, own)
}
