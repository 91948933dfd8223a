package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"billfold/daemonclient"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// callWait is the longest wait of a command for a daemon. It allows a distant daemon to be dialled and logged in to, each
// within daemonclient.Config.ConnectTimeout.
const callWait = 25 * time.Second

// firstContact waits until a daemon is online or all of them have failed, so that a refusal
// is reported at once and not when the wait is over.
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
	unlock bool // ask for the password if an operation needs the wallet unlocked
}

// checkLock refuses an operation that only locks or unlocks: that would end with this command. A new wallet, which cannot be
// unlocked anyway, is left to the operation, and so is the sandbox, whose wallet no server has.
func (w ownWallet) checkLock(method string) error {
	if m := w.p.api.Find(method); m == nil || !m.DoesOnly(walletapi.Lock) || w.p.wallet.Vault.IsNew() || w.p.settings.sandbox {
		return nil
	}
	return &fault.Error{Code: fault.Denied, Op: method, Message: "no wallet server listens at " + filepath.Join(w.p.settings.dataDir, socketName) +
		", and the wallet of this command is locked again when it ends; nothing was changed",
		Hint: "start a server with billfold --rpc-socket, name one with --to, or use billfold console, which stays unlocked"}
}

// Open asks for the password if the wallet is locked and the operation needs it unlocked.
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
			_ = json.Unmarshal(params.Positional[0], &password) // the call refuses what is not text
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
	params.AnyFolder = true // whoever runs this command may read and write them anyway
	params.Nested = func(ctx context.Context, method string, params walletapi.Params) (json.RawMessage, error) {
		params.Approve, params.AnyFolder = approve, true
		return w.p.api.Call(ctx, method, params)
	}
	result, err := w.p.api.Call(ctx, method, params)
	if fault.CodeOf(err) == fault.DaemonAway { // the connection is still being made
		if away := w.p.firstContact(ctx); away == nil {
			result, err = w.p.api.Call(ctx, method, params)
		} else {
			err = fault.Daemon("call", away) // which, unlike the first error, has the reason
		}
	}
	if err == nil && password != "" {
		w.ask.warnOfWeak(w.p.judgePassword(password))
		if hadOne {
			w.ask.warnOfFormer(w.p.settings.keystorePath())
		}
	}
	return result, err
}
