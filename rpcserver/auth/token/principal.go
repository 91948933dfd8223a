package token

import (
	"context"
	"net/netip"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// Authenticate recognises a credential. It does not say which part of it is wrong.
func (a *Authenticator) Authenticate(credential string, from netip.Addr) (rpcserver.Principal, error) {
	t, known, err := a.store.find(idOf(credential))
	if err != nil {
		return nil, unreadable(err)
	}
	if !t.fits(credential) || !known {
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

// Name is what the token's owner calls it.
func (p *principal) Name() string { return p.name }

// Check reports whether the token is still good.
func (p *principal) Check() error {
	_, err := p.token()
	return err
}

// Hears reports whether the token may hear of a topic. Events are about all accounts of
// the wallet, so one that is limited to accounts hears of blocks and the lock alone.
func (p *principal) Hears(topic string) error {
	t, err := p.token()
	if err != nil || len(t.Scope.Accounts) == 0 || topic == "blocks" || topic == "lock" {
		return err
	}
	return denied("This token is limited to accounts, and events about "+topic+" are about all of them.",
		"subscribe to blocks or lock, or ask with deposits.next and get_payment")
}

// token reads the token again: it may have been revoked meanwhile.
func (p *principal) token() (Token, error) {
	t, known, err := p.auth.store.find(p.id)
	switch {
	case err != nil:
		return t, unreadable(err)
	case !known || t.Hash != p.hash:
		return t, denied("This token was revoked.", "billfold token new makes another")
	case !t.Scope.Expires.IsZero() && !p.auth.now().Before(t.Scope.Expires):
		return t, denied("This token has expired.", "billfold token new makes another")
	case !t.Scope.from(p.from):
		return t, denied("This token may not be used from this address.", "billfold token list shows from where")
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
	if m == nil { // the wallet says so itself, unless the token may call some methods only
		m = &walletapi.Method{Name: method}
	}
	if !t.Scope.permits(m) {
		return free, denied("This token may not call this operation.", "billfold token list shows what it may call")
	}
	params.Token, free.Params.Token = t.ID, t.ID
	if unit := store.UnitOf(ctx); unit != nil && t.row.ID != "" {
		unit.Require(t.proof(method))
	}
	if !t.Scope.restricts() || p.auth.methods[method] == nil {
		return free, nil
	}
	c := &call{auth: p.auth, token: t, method: m, params: params, judged: func(error) {}}
	with, recordOutcome, err := c.authorize(ctx)
	if c.sends() && c.texts[walletapi.RoleRequestKey] != "" {
		err = fault.ForKey(err)
	}
	ended := func(err error) { recordOutcome(err); c.judged(err) }
	return rpcserver.Grant{Params: with, RecordOutcome: ended, Asks: c.asks, Why: c.why}, err
}

// proof has what the token makes refused if it was revoked or changed when it is written: what is known of it may be half a second old,
// and a person may have thought about the payment for long.
func (t Token) proof(method string) *store.TokenProof {
	no := &rpcserver.Denied{Message: "This token was revoked, changed or ran out while the payment was made.",
		Hint: "make the same request again, and it is judged by what the token may do now"}
	return &store.TokenProof{Row: t.row, Expires: t.Scope.Expires,
		Refusal: &fault.Error{Code: fault.Denied, Op: method, Message: no.Message, Hint: no.Hint + "; nothing was sent", Err: no}}
}

var _ rpcserver.Authenticator = (*Authenticator)(nil)
