package token

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/walletapi"
)

// Ledger resolves what scopes and calls name, and knows what a transfer costs.
// PaymentOf is fault.NoSuchPayment unless all who pay in a payment are allowed.
type Ledger interface {
	Account(ctx context.Context, nameOrID string) (*ledger.Account, error)
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	TransferFee(ctx context.Context) (ledgerview.AssetRef, int64, error)
	PaymentOf(ctx context.Context, idOrKey string, allowed func(ledger.AccountID) bool) error
}

// Gate is the rpcserver.Doorkeeper that asks for tokens.
type Gate struct {
	store   *Store
	spent   *Spent
	ledger  Ledger
	methods map[string]*walletapi.Method
	now     func() time.Time
}

// NewGate makes a gate for the whole catalogue.
func NewGate(store *Store, spent *Spent, l Ledger) *Gate {
	g := &Gate{store: store, spent: spent, ledger: l, methods: map[string]*walletapi.Method{}, now: time.Now}
	for _, m := range walletapi.Methods() {
		g.methods[m.Name] = m
	}
	return g
}

// Enter recognises a credential. It does not say which part of it is wrong.
func (g *Gate) Enter(credential string, from netip.Addr) (rpcserver.Visitor, error) {
	t, known := g.store.find(idOf(credential))
	if !t.fits(credential) || !known {
		return nil, denied("This token is not known to the wallet, or it was revoked.", "billfold token new makes one")
	}
	v := &visitor{gate: g, id: t.ID, hash: t.Hash, name: t.Name, from: from}
	return v, v.Check()
}

// visitor is a token in use, on one request or one websocket.
type visitor struct {
	gate           *Gate
	id, hash, name string
	from           netip.Addr
}

// Name is what the token's owner calls it.
func (v *visitor) Name() string { return v.name }

// Check tells whether the token is still good.
func (v *visitor) Check() error {
	_, err := v.token()
	return err
}

// Hears tells whether the token may hear of a topic. Events are about all accounts of
// the wallet, so one that is limited to accounts hears of blocks and the lock alone.
func (v *visitor) Hears(topic string) error {
	t, err := v.token()
	if err != nil || len(t.Scope.Accounts) == 0 || topic == "blocks" || topic == "lock" {
		return err
	}
	return denied("This token is limited to accounts, and events about "+topic+" are about all of them.",
		"subscribe to blocks or lock, or ask with deposits.next and get_payment")
}

// token reads the token again: it may have been revoked meanwhile.
func (v *visitor) token() (Token, error) {
	t, known := v.gate.store.find(v.id)
	switch {
	case !known || t.Hash != v.hash:
		return t, denied("This token was revoked.", "billfold token new makes another")
	case !t.Scope.Expires.IsZero() && !v.gate.now().Before(t.Scope.Expires):
		return t, denied("This token has expired.", "billfold token new makes another")
	case !t.Scope.from(v.from):
		return t, denied("This token may not be used from this address.", "billfold token list shows from where")
	}
	return t, nil
}

func denied(message, hint string) error { return &rpcserver.Denied{Message: message, Hint: hint} }

// Admit decides about one call before it is made.
func (v *visitor) Admit(ctx context.Context, method string, params rpcserver.Params) (rpcserver.Permit, error) {
	free := rpcserver.Permit{Params: params, Settle: func(error) {}}
	t, err := v.token()
	if err != nil {
		return free, err
	}
	m := v.gate.methods[method]
	if m == nil { // the wallet says so itself, unless the token may call some methods only
		m = &walletapi.Method{Name: method}
	}
	if !t.Scope.permits(m) {
		return free, denied("This token may not call this operation.", "billfold token list shows what it may call")
	}
	if !t.Scope.restricts() || v.gate.methods[method] == nil {
		return free, nil
	}
	c := &call{gate: v.gate, token: t, method: m, params: params}
	with, settle, err := c.admit(ctx)
	return rpcserver.Permit{Params: with, Settle: settle, Asks: c.asks, Why: c.why}, err
}

// spared are the faults after which a payment certainly was not made, and
// nobody holds its signed bytes.
func spared(err error) bool {
	if _, no := errors.AsType[*rpcserver.Denied](err); no {
		return true
	}
	return fault.NothingSpent(err)
}

// fileError is a fault of our own files in the core's shape.
func fileError(method string, err error) error {
	return &fault.Error{Code: fault.File, Op: method, Message: err.Error(), Hint: "free the disk or correct the folder's mode", Err: err}
}

var _ rpcserver.Doorkeeper = (*Gate)(nil)

// contentID gives the id of a content object, which has no name.
func contentID(text string) (string, bool) {
	id, err := ledger.ParseObjectID(text)
	if err != nil || id.Space() != 2 || id.Type() != 13 {
		return "", false
	}
	return id.String(), true
}

// isOver tells errOverLimit from a fault of the file.
func isOver(err error) bool { return errors.Is(err, errOverLimit) }
