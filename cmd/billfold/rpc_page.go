package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/tui/page/rpc"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// rpcPage shows and switches the listeners for the terminal UI.
type rpcPage struct{ v *service }

// Listeners implements rpc.Server.
func (r rpcPage) Listeners() (out []rpc.Listener) {
	for _, d := range r.v.Listeners() {
		out = append(out, rpc.Listener{Name: d.Kind.String(), Addr: r.v.url(d.Kind, d.Addr), On: d.On, Since: d.Since, Token: d.NeedToken,
			Beyond: d.Kind != rpcserver.ListenSocket && !onThisMachine(d.Addr)})
	}
	return out
}

// onThisMachine reports whether an address is a loopback one.
func onThisMachine(addr string) bool {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	return err == nil && tcp.IP.IsLoopback()
}

// Switch implements rpc.Server.
func (r rpcPage) Switch(name string, on bool) error {
	for _, d := range r.v.Listeners() {
		if d.Kind.String() == name {
			return r.v.switchListener(d.Kind, on)
		}
	}
	return fmt.Errorf("there is no listener %s", name)
}

// Clients implements rpc.Server.
func (r rpcPage) Clients() (out []rpc.Client) {
	for _, c := range r.v.traffic.Clients() {
		out = append(out, rpc.Client{Number: c.Number, Who: c.Who, Via: c.Via, From: c.From, Open: c.Open, Calls: c.Calls, Last: c.Last})
	}
	return out
}

// Calls implements rpc.Server.
func (r rpcPage) Calls() (out []rpc.Call) {
	for _, c := range r.v.traffic.Calls() {
		out = append(out, rpc.Call{At: c.At, Who: c.Who, Via: c.Via, From: c.From, Method: c.Method, Params: c.Params, Count: c.Count,
			Running: c.Running, Took: c.Took, Fault: c.Fault, Message: c.Message, Status: c.Status})
	}
	return out
}

// CutOff implements rpc.Server.
func (r rpcPage) CutOff(number uint64) bool { return r.v.CutOff(number) }

// tokenPage shows and changes the tokens for the terminal UI.
type tokenPage struct {
	p      *program
	tokens *token.Store
}

// List implements rpc.Tokens.
func (t tokenPage) List(ctx context.Context) ([]rpc.Token, error) {
	list, err := t.tokens.List()
	if err != nil {
		return nil, err
	}
	out := make([]rpc.Token, len(list))
	for i, one := range list {
		out[i] = rpc.Token{ID: one.ID, Name: one.Name, Policy: policyOf(one.Scope), Summary: one.Scope.String(), Spent: t.spent(ctx, one),
			Expired: !one.Scope.Expires.IsZero() && !time.Now().Before(one.Scope.Expires)}
	}
	return out, nil
}

// spent returns what a token has paid in the last 24 hours, for each asset with a limit per day. A sum that cannot be read is
// left out.
func (t tokenPage) spent(ctx context.Context, one token.Token) (out []rpc.Sum) {
	for _, l := range one.Scope.PerDay {
		asset, err := t.p.wallet.View.Assets.Get(ctx, l.Asset)
		if err != nil {
			continue
		}
		sum, _, err := t.p.store.Limits.Spent(ctx, store.Spend{Token: one.ID, Asset: asset.ID}, time.Now())
		if err == nil {
			out = append(out, rpc.Sum{Asset: ledgerview.AssetRefOf(asset), Amount: sum})
		}
	}
	return out
}

// Describe implements rpc.Tokens.
func (t tokenPage) Describe(p rpc.Policy) (string, error) {
	scope, err := scopeOf(p)
	return scope.String(), err
}

// New implements rpc.Tokens.
func (t tokenPage) New(ctx context.Context, name string, p rpc.Policy) ([]byte, error) {
	scope, err := t.checkedScope(ctx, p)
	if err != nil {
		return nil, err
	}
	_, credential, err := t.tokens.New(name, scope)
	return []byte(credential), err
}

// Change implements rpc.Tokens.
func (t tokenPage) Change(ctx context.Context, id string, p rpc.Policy) error {
	old, err := t.find(id)
	if err != nil {
		return err
	}
	scope, err := t.checkedScope(ctx, p)
	if err != nil {
		return err
	}
	scope.Assets, scope.Sources, scope.AskAboveDay = old.Scope.Assets, old.Scope.Sources, old.Scope.AskAboveDay // not in the form
	if p.AskAbove == "" || p.AskAbove != policyOf(old.Scope).AskAbove {
		scope.AskAboveDay = nil
	}
	_, err = t.tokens.SetScope(id, scope)
	return err
}

func (t tokenPage) find(id string) (token.Token, error) {
	list, err := t.tokens.List()
	if err != nil {
		return token.Token{}, err
	}
	for _, one := range list {
		if one.ID == id {
			return one, nil
		}
	}
	return token.Token{}, token.ErrNoToken
}

// Revoke implements rpc.Tokens.
func (t tokenPage) Revoke(_ context.Context, id string) error {
	_, err := t.tokens.Revoke(id)
	return err
}

// checkedScope returns the scope of a policy, after asking the ledger for the accounts and assets in it.
func (t tokenPage) checkedScope(ctx context.Context, p rpc.Policy) (token.Scope, error) {
	scope, err := scopeOf(p)
	if err != nil {
		return scope, err
	}
	view := t.p.wallet.View
	for _, name := range append(append([]string(nil), scope.Accounts...), scope.Destinations...) {
		if _, err := view.Accounts.Named(ctx, name); err != nil {
			return scope, err
		}
	}
	for _, symbol := range assetsOf(scope) {
		if symbol == dct {
			continue
		}
		if _, err := view.Assets.Get(ctx, symbol); err != nil {
			return scope, err
		}
	}
	return scope, nil
}

// scopeOf parses a policy like the flags of billfold token new.
func scopeOf(p rpc.Policy) (token.Scope, error) {
	f := scopeFlags{form: true,
		scope:      token.Scope{Methods: splitWords(p.May), Accounts: splitWords(p.Accounts), Destinations: splitWords(p.Destinations)},
		perPayment: splitLimits(p.PerPayment), perDay: splitLimits(p.PerDay), askAbove: splitLimits(p.AskAbove),
		expires: strings.TrimSpace(p.Expires)}
	scope, err := f.read(time.Now())
	if err != nil {
		return scope, err
	}
	if err := checkNames(scope); err != nil {
		return scope, err
	}
	return token.Checked(scope)
}

// splitWords splits text at commas.
func splitWords(text string) (out []string) {
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// splitLimits splits limits at commas. A comma within a number is kept, so that the limit is refused as it was typed.
func splitLimits(text string) (out []string) {
	number := ""
	for _, part := range splitWords(text) {
		if number += part; strings.Contains(part, " ") {
			out, number = append(out, number), ""
		} else {
			number += ","
		}
	}
	if number = strings.TrimSuffix(number, ","); number != "" {
		out = append(out, number)
	}
	return out
}

// policyOf returns a scope as its owner would type it.
func policyOf(s token.Scope) rpc.Policy {
	limits := func(list []token.Limit) string {
		var out []string
		for _, l := range list {
			out = append(out, l.Amount+" "+l.Asset)
		}
		return strings.Join(out, ", ")
	}
	expires := ""
	if !s.Expires.IsZero() {
		expires = s.Expires.UTC().Format(time.RFC3339)
	}
	return rpc.Policy{May: strings.Join(append(append([]string(nil), s.Methods...), s.Groups...), ", "),
		Accounts: strings.Join(s.Accounts, ", "), Destinations: strings.Join(s.Destinations, ", "),
		PerPayment: limits(s.PerPayment), PerDay: limits(s.PerDay), AskAbove: limits(s.AskAbove), Expires: expires}
}
