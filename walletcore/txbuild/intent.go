package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// intents returns in words what operations will do once they are signed. It adds what they name only by an id: the kind of a
// token, and who sells content. What the daemon does not have is left out. Errors: the daemon's.
func intents(ctx context.Context, view *ledgerview.View, ops []ledger.Operation, names *ledgerview.Namer) ([]string, error) {
	out := make([]string, len(ops))
	for i, op := range ops {
		out[i] = ledger.Intent(op, namerWithIDs{names})
		more, err := idDetails(ctx, view, op)
		if err != nil {
			return nil, fault.Daemon("reading what the operation is about", err)
		}
		out[i] += more
	}
	return out, nil
}

// AddIntents adds to a review of operations that were built elsewhere what they will do once they are signed. Errors: the daemon's.
func (by *Factory) AddIntents(ctx context.Context, r *Review, ops []ledger.Operation) error {
	names, err := by.View.Namer(ctx, ledgerview.MentionsOf(ops...))
	if err != nil {
		return fault.Daemon("reading whom the operations name", err)
	}
	r.Intents, err = intents(ctx, by.View, ops, names)
	return err
}

// namerWithIDs names each account with its id, because a name alone is easily mistaken.
type namerWithIDs struct{ *ledgerview.Namer }

// AccountName implements ledger.Namer.
func (n namerWithIDs) AccountName(id ledger.AccountID) string {
	name := n.Namer.AccountName(id)
	if name == id.String() {
		return name
	}
	return name + " " + id.String()
}

// idDetails returns what an operation names only by an id, in words. It is empty if there is nothing to add, or no daemon.
func idDetails(ctx context.Context, view *ledgerview.View, op ledger.Operation) (string, error) {
	if !view.Chain.IsOnline() {
		return "", nil
	}
	switch body := op.Body.(type) {
	case *ledger.NFTTransferOp:
		return tokenKind(ctx, view, body.NFTDataID)
	case *ledger.NFTUpdateDataOp:
		return tokenKind(ctx, view, body.NFTDataID)
	case *ledger.RequestToBuyOp:
		return contentSeller(ctx, view, body.URI)
	}
	return "", nil
}

func tokenKind(ctx context.Context, view *ledgerview.View, token ledger.NFTDataID) (string, error) {
	found, err := view.Quorum.Token(ctx, token)
	if fault.CodeOf(err) == fault.NoSuchNFT {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	names, err := view.Namer(ctx, &ledgerview.Mentions{Kinds: []ledger.NFTID{found.NFTID}})
	if err != nil {
		return "", err
	}
	return ", a token of " + names.KindName(found.NFTID), nil
}

func contentSeller(ctx context.Context, view *ledgerview.View, uri string) (string, error) {
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
	return ", which " + namerWithIDs{names}.AccountName(by.Author) + " sells", nil
}
