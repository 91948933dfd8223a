package vault

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// KeyLedger reads from the ledger which keys belong to which accounts.
type KeyLedger interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
	OfKey(ctx context.Context, key ledger.PublicKey) ([]ledgerview.KeyUse, error)
}

// Importer puts keys into a vault, and the accounts that they act for on its list.
type Importer struct {
	vault    *Vault
	accounts *Accounts
	ledger   KeyLedger
	miners   MinerKeys

	otherKeys otherKeysCache
}

// MinerKeys reads from the ledger which key a miner signs blocks with.
type MinerKeys interface {
	SigningKey(ctx context.Context, account string) (ledger.PublicKey, error)
}

// NewImporter returns an Importer into v.
func NewImporter(v *Vault, a *Accounts, l KeyLedger, miners MinerKeys) *Importer {
	return &Importer{vault: v, accounts: a, ledger: l, miners: miners}
}

// judgeNow checks the accounts that were just imported; without a daemon, the next block does it.
func (m *Importer) judgeNow(ctx context.Context, uses []ledgerview.KeyUse) {
	var ids []ledger.AccountID
	for _, u := range uses {
		ids = append(ids, u.ID)
	}
	if err := m.accounts.Judge(ctx, ids); err != nil {
		m.vault.Logger.Debug("accounts: the authorities were not read", "error", err)
	}
}

func badKey(op string) *fault.Error {
	return &fault.Error{
		Code:    fault.BadKey,
		Op:      op,
		Message: "that is not a private key in WIF form",
		Hint:    "it begins with 5, K or L and has 51 or 52 characters",
	}
}
