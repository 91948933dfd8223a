package main

import (
	"context"
	"encoding/json"
	"time"

	"billfold/daemonclient"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// callWait bounds how long a command waits until a daemon can be asked: longer than one that is far away takes to
// be dialled and to be logged in at, each within daemonclient.Config.ConnectTimeout.
const callWait = 25 * time.Second

// firstContact waits until a daemon can be asked, or each of them was tried in vain: a
// daemon that refuses is told at once, not when the wait is over.
func (p *program) firstContact(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	changes, end := p.client.Subscribe()
	defer end()
	for p.client.Status().State == daemonclient.Connecting && ctx.Err() == nil {
		select {
		case <-changes:
		case <-ctx.Done():
		}
	}
	cancel()
	return p.client.WaitOnline(ctx)
}

// ownWallet is the wallet of this process.
type ownWallet struct {
	p      *program
	ask    *secrets
	unlock bool // asks for the password when an operation needs the wallet open
}

// Open asks for the password of a locked wallet where an operation needs it open.
func (w ownWallet) Open(ctx context.Context, m *walletapi.Method) error {
	open := m.NeedsUnlock || m.Does(walletapi.Password) && !w.p.wallet.Vault.IsNew()
	if !open || !w.unlock || !w.p.wallet.Vault.IsLocked() {
		return nil
	}
	return w.p.unlockForCall(ctx, w.ask)
}

// Call executes one operation, and waits for the daemon's first answer.
func (w ownWallet) Call(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
	password, hadOne := "", !w.p.wallet.Vault.IsNew()
	if m := w.p.api.Find(method); m != nil {
		if method == "set_password" && len(params.Positional) > 0 {
			_ = json.Unmarshal(params.Positional[0], &password) // what is no text the call refuses
		}
		var err error
		if params, err = m.Bind(params); err != nil { // before a password is asked for
			return nil, err
		}
		if err := w.Open(ctx, m); err != nil {
			return nil, err
		}
	}
	approve := params.Approve
	params.Nested = func(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
		params.Approve = approve
		return w.p.api.Call(ctx, method, params)
	}
	result, err := w.p.api.Call(ctx, method, params)
	if fault.CodeOf(err) == fault.DaemonAway { // the connection is still being made
		if away := w.p.firstContact(ctx); away == nil {
			result, err = w.p.api.Call(ctx, method, params)
		} else {
			err = fault.Daemon("call", away) // says why, which was not known yet
		}
	}
	if err == nil && password != "" {
		w.ask.warnOfWeak(w.p.judge(password))
		if hadOne {
			w.ask.warnOfFormer(w.p.settings.keystorePath())
		}
	}
	return result, err
}
