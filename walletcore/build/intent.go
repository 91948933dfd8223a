package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// intents returns in words what operations do once they are signed, with what they only name by an id: the kind of a token,
// and who sells. What the daemon does not have stays unsaid. Errors: the daemon's.
func intents(ctx context.Context, view *ledgerview.View, ops []ledger.Operation, names *ledgerview.Namer) ([]string, error) {
	out := make([]string, len(ops))
	for i, op := range ops {
		out[i] = ledger.Intent(op, identified{names})
		more, err := beside(ctx, view, op)
		if err != nil {
			return nil, fault.Daemon("reading what the operation is about", err)
		}
		out[i] += more
	}
	return out, nil
}

// Intend adds to a review of operations that were built elsewhere what they do once they are signed. Errors: the daemon's.
func Intend(ctx context.Context, by *Factory, r *Review, ops []ledger.Operation) error {
	names, err := by.View.Namer(ctx, ledgerview.MentionsOf(ops...))
	if err != nil {
		return fault.Daemon("reading whom the operations name", err)
	}
	r.Intents, err = intents(ctx, by.View, ops, names)
	return err
}

// identified names each account with its id: a name alone is easily mistaken.
type identified struct{ *ledgerview.Namer }

// AccountName implements ledger.Namer.
func (n identified) AccountName(id ledger.AccountID) string {
	name := n.Namer.AccountName(id)
	if name == id.String() {
		return name
	}
	return name + " " + id.String()
}

// beside is what an operation names by an id alone; empty where there is nothing, or no daemon.
func beside(ctx context.Context, view *ledgerview.View, op ledger.Operation) (string, error) {
	if !view.Chain.IsOnline() {
		return "", nil
	}
	switch body := op.Body.(type) {
	case *ledger.NFTTransferOp:
		return kindOf(ctx, view, body.NFTDataID)
	case *ledger.NFTUpdateDataOp:
		return kindOf(ctx, view, body.NFTDataID)
	case *ledger.RequestToBuyOp:
		return sellerOf(ctx, view, body.URI)
	}
	return "", nil
}

func kindOf(ctx context.Context, view *ledgerview.View, token ledger.NFTDataID) (string, error) {
	is, err := view.Quorum.Token(ctx, token)
	if fault.CodeOf(err) == fault.NoSuchNFT {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	names, err := view.Namer(ctx, &ledgerview.Mentions{Kinds: []ledger.NFTID{is.NFTID}})
	if err != nil {
		return "", err
	}
	return ", a token of " + names.KindName(is.NFTID), nil
}

func sellerOf(ctx context.Context, view *ledgerview.View, uri string) (string, error) {
	by, err := view.Quorum.Offer(ctx, uri)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	names, err := view.Namer(ctx, &ledgerview.Mentions{Accounts: []ledger.AccountID{by.Author}})
	if err != nil {
		return "", err
	}
	return ", which " + identified{names}.AccountName(by.Author) + " sells", nil
}
