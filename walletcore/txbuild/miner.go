package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// miner finds a miner by its account or by its id 1.4.N. Errors: those of ledgerview.Quorum.Miner.
func (b *Builder) miner(ctx context.Context, ref string) (*ledger.Miner, error) {
	m, err := b.view.Quorum.Miner(ctx, ref)
	if err != nil {
		return nil, err
	}
	b.rest(minerFacts(m)...)
	return m, b.view.Pins.PinFacts(ctx, minerFacts(m)...) // now: what the caller is told may rest on its vote id
}

// activeKey returns the single active key of an account, which must be in the wallet. Errors: fault.NotOneKey,
// fault.KeyNotInWallet.
func (b *Builder) activeKey(a *ledger.Account) (ledger.PublicKey, error) {
	if len(a.Active.KeyAuths) != 1 || len(a.Active.AccountAuths) != 0 {
		return ledger.PublicKey{}, &fault.Error{Code: fault.NotOneKey, Op: b.op,
			Message: "the account " + a.Name + " does not have exactly one active key",
			Hint:    "use an account that has one; nothing was signed"}
	}
	key := a.Active.KeyAuths[0].Key
	if !b.vault.Holds(key) {
		return key, &fault.Error{Code: fault.KeyNotInWallet, Op: b.op, Message: "the active key of " + a.Name + " is not in this wallet",
			Hint: "import it first; nothing was signed"}
	}
	return key, nil
}

// UpdateMinerParams are the parameters of update_miner.
type UpdateMinerParams struct {
	Miner string `json:"miner_name"        help:"its account, or its id such as 1.4.5"`
	URL   string `json:"url"               help:"its link; empty = unchanged"`
	Key   string `json:"block_signing_key" help:"public key; empty = unchanged"`
}

// UpdateMiner changes the link or the signing key of a miner. Errors: fault.NoSuchMiner, fault.NotOneKey,
// fault.KeyNotInWallet, fault.BadValue for text that is not a key, those of Payer.
func UpdateMiner(ctx context.Context, b *Builder, p UpdateMinerParams) ([]ledger.Operation, error) {
	miner, err := b.miner(ctx, p.Miner)
	if err != nil {
		return nil, err
	}
	a, err := b.Payer(ctx, miner.MinerAccount.String())
	if err != nil {
		return nil, err
	}
	if _, err := b.activeKey(a); err != nil {
		return nil, err
	}
	op := &ledger.MinerUpdateOp{Miner: miner.ID, MinerAccount: a.ID}
	if p.URL != "" {
		op.NewURL = &p.URL
	}
	if p.Key != "" {
		key, err := publicKey(b.op, p.Key)
		if err != nil {
			return nil, err
		}
		op.NewSigningKey = &key
	}
	return b.exactly(op)
}

// WithdrawVestingParams are the parameters of withdraw_vesting.
type WithdrawVestingParams struct {
	Miner  string `json:"miner_name"   help:"account or id of a miner, or the id of a vesting balance such as 1.9.5"`
	Amount string `json:"amount"       role:"amount" help:"decimal text in the asset's precision"`
	Symbol string `json:"asset_symbol" role:"asset"  help:"symbol or id"`
}

// WithdrawVesting withdraws what has vested of a miner's pay, or of another vesting balance. Errors:
// fault.NoSuchMiner, fault.BadValue when there is no such vesting balance, those of Asset, Amount and Payer.
func WithdrawVesting(ctx context.Context, b *Builder, p WithdrawVestingParams) ([]ledger.Operation, error) {
	asset, err := b.Asset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	id, holder, err := b.vestingBalance(ctx, p.Miner)
	if err != nil {
		return nil, err
	}
	owner, err := b.Payer(ctx, holder.String())
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.VestingBalanceWithdrawOp{VestingBalance: id, Owner: owner.ID, Amount: amount})
}

// vestingBalance finds a vesting balance, by its id or as the pay of a miner, and its owner.
func (b *Builder) vestingBalance(ctx context.Context, ref string) (ledger.VestingBalanceID, ledger.AccountID, error) {
	id, err := ledger.ParseObjectID(ref)
	if balance := ledger.VestingBalanceID(id.Instance()); err == nil && balance.Object() == id {
		owner, err := b.view.Quorum.VestingOwner(ctx, balance)
		switch {
		case err != nil:
			return 0, 0, err
		case owner == nil:
			return 0, 0, badValue(b.op, "there is no vesting balance "+id.String(), "get_vesting_balances shows those of an account")
		}
		b.rest(vestingFact(balance, *owner))
		return balance, *owner, nil
	}
	miner, err := b.miner(ctx, ref)
	if err != nil {
		return 0, 0, err
	}
	if miner.PayVB == nil {
		return 0, 0, badValue(b.op, "the miner "+fault.Quote(ref)+" has not been paid yet",
			"get_vesting_balances shows what an account has")
	}
	return *miner.PayVB, miner.MinerAccount, nil
}

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
