package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// CreateMinerParams are the parameters of create_miner.
type CreateMinerParams struct {
	Owner string `json:"owner_account" role:"account" help:"account name or id"`
	URL   string `json:"url"           help:"its link, at most 126 bytes; may be empty"`
}

// CreateMiner makes an account a miner. The key that signs its blocks is derived from its active key and written to
// disk, encrypted, before anything is signed. Errors: fault.MinerExists, fault.NotOneKey, fault.KeyNotInWallet,
// those of Payer.
func CreateMiner(ctx context.Context, b *Builder, p CreateMinerParams) ([]ledger.Operation, error) {
	owner, err := b.Payer(ctx, p.Owner)
	if err != nil {
		return nil, err
	}
	switch miner, err := b.miner(ctx, owner.ID.String()); {
	case err == nil && b.Repeated():
		return b.exactly(&ledger.MinerCreateOp{MinerAccount: owner.ID, URL: p.URL, BlockSigningKey: miner.SigningKey})
	case err == nil:
		return nil, &fault.Error{Code: fault.MinerExists, Op: b.op, Message: "the account " + owner.Name + " is a miner already",
			Hint: "update_miner changes it; nothing was signed"}
	case fault.CodeOf(err) != fault.NoSuchMiner:
		return nil, err
	}
	active, err := b.activeKey(owner)
	if err != nil {
		return nil, err
	}
	key, err := b.keys.DeriveSigningKey(b.op, active)
	if err != nil {
		return nil, err
	}
	b.saveKeys = func() error { return b.keys.KeepSigningKey(b.op, owner.Name, key) }
	return b.exactly(&ledger.MinerCreateOp{MinerAccount: owner.ID, URL: p.URL, BlockSigningKey: key.Public})
}
