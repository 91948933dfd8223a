package ledgerview

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// ConfirmNames has several daemons confirm who the accounts and what the assets and kinds of tokens are that something to be signed
// mentions: what one daemon alone then calls otherwise is a contradiction. Without a quorum nobody is asked. An asset
// that they say something else of than is pinned is named as one in doubt: see Certain. Errors:
// fault.DaemonsDisagree, fault.DaemonContradicts, and the daemons'.
func (q *Quorum) ConfirmNames(ctx context.Context, m *Mentions) error {
	if q.isSingle() {
		return nil
	}
	m.Distinct()
	for _, id := range m.Accounts {
		if _, err := q.Account(ctx, id.String()); err != nil && fault.CodeOf(err) != fault.NoSuchAccount {
			return err
		}
	}
	for _, id := range m.Assets {
		if id == ledger.CoreAsset {
			continue
		}
		_, err := q.WholeAsset(ctx, id)
		if code := fault.CodeOf(err); err != nil && code != fault.NoSuchAsset && code != fault.DaemonContradicts {
			return err
		}
	}
	for _, id := range m.Kinds {
		kind, err := q.Kind(ctx, id.String())
		if err != nil && fault.CodeOf(err) != fault.NoSuchNFT {
			return err
		}
		if kind != nil {
			q.kindSymbols.Add(id, kind.Symbol)
		}
	}
	return nil
}

// CheckCertain refuses assets that a daemon says something else of than is pinned: nobody confirms an amount whose decimals are in doubt.
// They are asked for once per head block; without a daemon nobody is asked. Errors: fault.DaemonContradicts,
// fault.DaemonsDisagree, and the daemons'.
func (q *Quorum) CheckCertain(ctx context.Context, assets []ledger.AssetID) error {
	if !q.chain.IsOnline() {
		return nil
	}
	for _, id := range assets {
		if id == ledger.CoreAsset {
			continue
		}
		if _, err := q.WholeAsset(ctx, id); err != nil && fault.CodeOf(err) != fault.NoSuchAsset {
			return err
		}
	}
	return nil
}
