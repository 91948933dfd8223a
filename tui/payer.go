package tui

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// payer makes a wallet build payments that can send themselves, or become what others sign.
type payer struct {
	*payment.Payments
	wallet *walletcore.Wallet
}

// own builds what the keys here may sign alone.
func (p payer) own(ctx context.Context, req build.Request) (screen.Built, error) {
	made, err := p.Payments.Prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	return prepared{made, p, req}, nil
}

// built builds a request; one that the keys here may not sign alone becomes what others sign.
func (p payer) built(ctx context.Context, req build.Request) (screen.Built, error) {
	built, err := p.own(ctx, req)
	if fault.CodeOf(err) == fault.MissingAuthority {
		return p.forOthers(ctx, req)
	}
	return built, err
}

// prepared is a built payment that can send itself.
type prepared struct {
	*build.Prepared
	payer payer
	req   build.Request
}

// Send implements screen.Built.
func (p prepared) Send(ctx context.Context) (payment.Payment, error) {
	return p.payer.Send(ctx, p.Prepared)
}

// Again implements screen.Rereader.
func (p prepared) Again(ctx context.Context) (build.Review, error) {
	return p.payer.Again(ctx, p.Prepared)
}

// Anew implements screen.Rereader.
func (p prepared) Anew(ctx context.Context) (screen.Built, error) { return p.payer.built(ctx, p.req) }

// forOthers reviews a request that the keys here may not sign alone.
func (p payer) forOthers(ctx context.Context, req build.Request) (screen.Built, error) {
	tried, err := p.Payments.DryRun(ctx, req, payment.Sending{})
	if err != nil {
		return nil, err
	}
	tried.Review.Outcome = build.Writes
	return unsigned{tried, p}, nil
}

// Others implements console.Others.
func (p payer) Others(ctx context.Context, ops []ledger.Operation) (screen.Built, error) {
	return p.forOthers(ctx, operations(ops))
}

// operations is the request for operations as they are, fees included.
func operations(ops []ledger.Operation) build.Request {
	return build.NewRequest("sign_operations", build.OperationsParams{Operations: ops}, build.Operations)
}

// unsigned is what others sign.
type unsigned struct {
	tried build.DryRun
	payer payer
}

// Review implements screen.Built.
func (u unsigned) Review() build.Review { return u.tried.Review }

// Send implements screen.Built: others have to sign it first.
func (u unsigned) Send(context.Context) (payment.Payment, error) {
	return payment.Payment{}, &fault.Error{Code: fault.MissingAuthority, Op: "sign",
		Message: "the keys in this wallet may not sign this alone", Hint: "nothing was sent; save it as a file for the others"}
}

// Save implements screen.Unsigned: what was reviewed is written, and not built anew.
func (u unsigned) Save(ctx context.Context) (screen.Saved, error) {
	name := "transaction"
	if title, _, one := strings.Cut(u.tried.Review.Operation, " ("); one {
		name = strings.ReplaceAll(title, " ", "-")
	}
	return u.payer.write(ctx, name, operations(u.tried.Operations))
}

// Propose implements screen.Unsigned.
func (u unsigned) Propose(ctx context.Context, payer string, end ledger.Time) (screen.Built, error) {
	return u.payer.own(ctx, build.NewRequest("propose_operations",
		build.ProposeOperationsParams{Payer: payer, Expiration: end, Operations: u.tried.Operations}, build.ProposeOperations))
}

// write makes the transaction file of a request, in the folder where the UI was started.
func (p payer) write(ctx context.Context, name string, req build.Request) (screen.Saved, error) {
	file, err := p.wallet.FileOf(ctx, req, unsignedLife, payment.Sending{})
	if err != nil {
		return screen.Saved{}, err
	}
	text, err := file.Bytes()
	if err != nil {
		return screen.Saved{}, err
	}
	path, err := saveHere(name+"-"+file.ID.String()[:8]+".json", text)
	return screen.Saved{Path: path, Until: file.Transaction.Expiration}, err
}
