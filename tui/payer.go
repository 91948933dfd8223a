package tui

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// payer builds transactions that can send themselves, or that become something others sign.
type payer struct {
	*payment.Payments
	wallet *walletcore.Wallet
}

// buildAlone builds a request that the keys here may sign alone.
func (p payer) buildAlone(ctx context.Context, req txbuild.Request) (screen.Built, error) {
	made, err := p.Payments.Prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	return prepared{made, p, req}, nil
}

// build builds a request; if the keys here may not sign it alone, it becomes something others sign.
func (p payer) build(ctx context.Context, req txbuild.Request) (screen.Built, error) {
	built, err := p.buildAlone(ctx, req)
	if fault.CodeOf(err) == fault.MissingAuthority {
		return p.reviewForOthers(ctx, req)
	}
	return built, err
}

// prepared is a transaction that was built and can send itself.
type prepared struct {
	*txbuild.Prepared
	payer payer
	req   txbuild.Request
}

// Send implements screen.Built.
func (p prepared) Send(ctx context.Context) (payment.Payment, error) {
	return p.payer.Send(ctx, p.Prepared)
}

// SendUnder implements screen.Keyed.
func (p prepared) SendUnder(ctx context.Context, key string) (payment.Payment, error) {
	return p.payer.SendUnder(ctx, p.Prepared, key)
}

// Save implements screen.Saver.
func (p prepared) Save(ctx context.Context) (screen.Saved, error) {
	return p.payer.saveReviewed(ctx, p.Review(), p.Operations())
}

// Reread implements screen.Rereader.
func (p prepared) Reread(ctx context.Context, shown txbuild.Review) (screen.Reread, error) {
	now, err := p.payer.Again(ctx, p.Prepared)
	if err != nil || !now.HasNewWarnings(shown) {
		return screen.Reread{Built: p, Review: now}, err
	}
	anew, err := p.payer.build(ctx, p.req)
	if err != nil {
		return screen.Reread{}, err
	}
	return screen.Reread{Built: anew, Review: anew.Review(), HasNewWarnings: true}, nil
}

// reviewForOthers reviews a request that the keys here may not sign alone.
func (p payer) reviewForOthers(ctx context.Context, req txbuild.Request) (screen.Built, error) {
	tried, err := p.Payments.DryRun(ctx, req, payment.Sending{})
	if err != nil {
		return nil, err
	}
	tried.Review.Outcome = txbuild.Writes
	return unsigned{tried, p}, nil
}

// BuildForOthers implements console.ForOthers.
func (p payer) BuildForOthers(ctx context.Context, ops []ledger.Operation) (screen.Built, error) {
	return p.reviewForOthers(ctx, operationsRequest(ops))
}

// operationsRequest returns the request for given operations, fees included.
func operationsRequest(ops []ledger.Operation) txbuild.Request {
	return txbuild.NewRequest("sign_operations", txbuild.OperationsParams{Operations: ops}, txbuild.Operations)
}

// unsigned is a transaction that others have to sign.
type unsigned struct {
	dryRun txbuild.DryRun
	payer  payer
}

// Review implements screen.Built.
func (u unsigned) Review() txbuild.Review { return u.dryRun.Review }

// Send implements screen.Built. It always fails: others have to sign first.
func (u unsigned) Send(context.Context) (payment.Payment, error) {
	return payment.Payment{}, &fault.Error{Code: fault.MissingAuthority, Op: "sign",
		Message: "the keys in this wallet may not sign this alone", Hint: "nothing was sent; save it as a file for the others"}
}

// Save implements screen.Saver.
func (u unsigned) Save(ctx context.Context) (screen.Saved, error) {
	return u.payer.saveReviewed(ctx, u.dryRun.Review, u.dryRun.Operations)
}

// Propose implements screen.Unsigned.
func (u unsigned) Propose(ctx context.Context, payer string, end ledger.Time) (screen.Built, error) {
	return u.payer.buildAlone(ctx, txbuild.NewRequest("propose_operations",
		txbuild.ProposeOperationsParams{Payer: payer, Expiration: end, Operations: u.dryRun.Operations}, txbuild.ProposeOperations))
}

// saveReviewed writes the transaction file of the operations of a review into the folder where the UI was started. It builds nothing
// again: the file holds exactly what was read.
func (p payer) saveReviewed(ctx context.Context, r txbuild.Review, ops []ledger.Operation) (screen.Saved, error) {
	name := "transaction"
	if title, _, one := strings.Cut(r.Operation, " ("); one {
		name = strings.ReplaceAll(title, " ", "-")
	}
	return p.writeFile(ctx, name, operationsRequest(ops))
}

// writeFile writes the transaction file of a request into the folder where the UI was started.
func (p payer) writeFile(ctx context.Context, name string, req txbuild.Request) (screen.Saved, error) {
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
