package token

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/walletapi"
)

// Ledger resolves the names in scopes and calls, and returns fees.
type Ledger struct {
	Accounts Accounts
	Assets   Assets
	Payments Payments
	Fees     Fees
}

// LedgerOf returns the Ledger of a wallet.
func LedgerOf(w *walletcore.Wallet) Ledger {
	return Ledger{Accounts: w.View.Accounts, Assets: w.View.Assets, Payments: w.Payments, Fees: w.Build}
}

// Accounts finds accounts by name or id.
type Accounts interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
}

// Assets finds assets by symbol or id.
type Assets interface {
	Get(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
}

// Fees returns fees in DCT.
type Fees interface {
	TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error)
	LeastFee(ctx context.Context, op ledger.Operation) (int64, error)
}

// Payments checks who pays.
type Payments interface {
	// CheckPayers returns fault.NoSuchPayment unless all payers of a payment are allowed.
	CheckPayers(ctx context.Context, idOrKey string, allowed func(ledger.AccountID) bool) error
}

// Authenticator is the rpcserver.Authenticator for tokens.
type Authenticator struct {
	store   *Store
	spent   *Spent
	ledger  Ledger
	methods map[string]*walletapi.Method
	now     func() time.Time
}

// NewAuthenticator returns an Authenticator for the whole catalogue.
func NewAuthenticator(store *Store, spent *Spent, l Ledger) *Authenticator {
	latest := time.Now
	if spent != nil {
		latest = func() time.Time { // a clock that is set back revives no token
			now := time.Now()
			if ledger := spent.now(); ledger.After(now) {
				return ledger
			}
			return now
		}
	}
	a := &Authenticator{store: store, spent: spent, ledger: l, methods: map[string]*walletapi.Method{}, now: latest}
	for _, m := range walletapi.Methods() {
		a.methods[m.Name] = m
	}
	return a
}
