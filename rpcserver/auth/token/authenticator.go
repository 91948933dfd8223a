package token

import (
	"context"
	"net/netip"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
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

// Payments knows the payments that were made.
type Payments interface {
	// CheckPayers returns fault.NoSuchPayment unless all payers of a payment are allowed.
	CheckPayers(ctx context.Context, idOrKey string, allowed func(ledger.AccountID) bool) error

	// HasKey reports whether a payment was made under a request key, which is answered with its outcome and pays nothing.
	HasKey(ctx context.Context, key string) bool
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

// Authenticate returns the principal of a credential. Its error does not reveal which part of the credential is wrong.
func (a *Authenticator) Authenticate(credential string, from netip.Addr) (rpcserver.Principal, error) {
	t, known, err := a.store.find(idOf(credential))
	if err != nil {
		return nil, unreadableError(err)
	}
	if !t.matches(credential) || !known {
		return nil, denied("This token is not known to the wallet, or it was revoked.", "billfold token new makes one")
	}
	p := &principal{auth: a, id: t.ID, hash: t.Hash, name: t.Name, from: from}
	return p, p.Check()
}

// principal is a token in use, on one request or one websocket.
type principal struct {
	auth           *Authenticator
	id, hash, name string
	from           netip.Addr
}

// Name returns the token's name.
func (p *principal) Name() string { return p.name }

// Check returns an error if the token is no longer valid.
func (p *principal) Check() error {
	_, err := p.token()
	return err
}

// CheckTopic returns an error if the token may not subscribe to a topic. Events are about all
// accounts of the wallet, so a token that is limited to accounts gets only blocks and the lock.
func (p *principal) CheckTopic(topic string) error {
	t, err := p.token()
	if err != nil || len(t.Scope.Accounts) == 0 || topic == "blocks" || topic == "lock" {
		return err
	}
	return denied("This token is limited to accounts, and events about "+topic+" are about all of them.",
		"subscribe to blocks or lock, or ask with deposits.next and get_payment")
}

// token reads the token again, since it may have been revoked or changed meanwhile.
func (p *principal) token() (Token, error) {
	t, known, err := p.auth.store.find(p.id)
	switch {
	case err != nil:
		return t, unreadableError(err)
	case !known || t.Hash != p.hash:
		return t, denied("This token was revoked.", "billfold token new makes another")
	case !t.Scope.Expires.IsZero() && !p.auth.now().Before(t.Scope.Expires):
		return t, denied("This token has expired.", "billfold token new makes another")
	case !t.Scope.allowsSource(p.from):
		return t, denied("This token may not be used from this address.", "billfold token list shows from where it may")
	}
	return t, nil
}

// Authorize decides about one call before it is made.
func (p *principal) Authorize(ctx context.Context, method string, params rpcserver.Params) (rpcserver.Grant, error) {
	free := rpcserver.Grant{Params: params, RecordOutcome: func(error) {}}
	t, err := p.token()
	if err != nil {
		return free, fault.ForKey(err)
	}
	m := p.auth.methods[method]
	if m == nil { // the wallet answers that it does not exist, unless the token may call only some methods
		m = &walletapi.Method{Name: method}
	}
	if !t.Scope.permits(m) {
		return free, denied("This token may not call this operation.", "billfold token list shows what it may call")
	}
	params.Token, free.Params.Token = t.ID, t.ID
	if unit := store.CallBatchOf(ctx); unit != nil && t.row.ID != "" {
		unit.Require(t.proof(method))
	}
	if !t.Scope.restricts() || p.auth.methods[method] == nil {
		return free, nil
	}
	c := &call{auth: p.auth, token: t, method: m, params: params, correctJudged: func(error) {}}
	with, recordOutcome, err := c.authorize(ctx)
	if err == nil && with.Judge == nil { // else it is counted once it is judged
		err = c.checkCounted()
	}
	if c.sends() && c.texts[walletapi.RoleRequestKey] != "" {
		err = fault.ForKey(c.asRepeat(ctx, err))
	}
	ended := func(err error) { recordOutcome(err); c.correctJudged(err) }
	return rpcserver.Grant{Params: with, RecordOutcome: ended, Approval: c.approval, Why: c.why}, err
}

// proof has the payment refused if the token was revoked or changed by the time the payment is written: what is known of the token
// may be half a second old, and a person may have taken long to approve.
func (t Token) proof(method string) *store.TokenProof {
	no := &rpcserver.Denied{Message: "This token was revoked, changed or expired while the payment was made.",
		Hint: "make the same request again, and it is judged by what the token may do now"}
	return &store.TokenProof{Row: t.row, Expires: t.Scope.Expires,
		Refusal: &fault.Error{Code: fault.Denied, Op: method, Message: no.Message, Hint: no.Hint + "; nothing was sent", Err: no}}
}

var _ rpcserver.Authenticator = (*Authenticator)(nil)
