package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"billfold/cmd/billfold/shell"
	"billfold/rpcserver/audit"
	"billfold/tui"
	"billfold/tui/page/rpc"
	"billfold/walletcore/approval"
)

// showUI runs the terminal UI, with the listeners behind it if they are asked
// for. The sandbox's wallet is opened: its password is no secret.
func (p *program) showUI(ctx context.Context) error {
	if p.box != nil {
		if err := p.wallet.Vault.Unlock(ctx, sandboxPassword); err != nil {
			return err
		}
	}
	p.approvals = approval.New()
	if !p.settings.listens() {
		return tui.Run(ctx, p.uiOptions(nil))
	}
	server, err := p.newServer(nil) // the log would go over the screen
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return server.Serve(ctx) })
	g.Go(func() error {
		defer cancel()
		defer p.approvals.Close() // what waits ends before the server drains
		return tui.Run(ctx, p.uiOptions(server))
	})
	return g.Wait()
}

func (p *program) uiOptions(server *service) tui.Options {
	opt := tui.Options{
		Core: tui.CoreOf(p.wallet), Sandbox: p.box != nil, OfferSandbox: p.box == nil, Folder: p.settings.dataDir,
		Approvals: p.approvals, Theme: p.settings.theme, Color: p.settings.color, ASCII: p.settings.ascii,
	}
	opt.Core.Console = shell.Page{Wallet: ownWallet{p: p}}
	opt.Core.Settings = settingsPage{p}
	if server != nil {
		list := listeners(server)
		opt.Terms = p.settings.terms()
		opt.Listeners = func() []rpc.Listener { return list }
	}
	return opt
}

// terms describes the conditions under which programs may call.
func (s *settings) terms() []rpc.Term {
	login := "none: every program of this machine may call"
	if s.rpcAuth {
		login = "a token is needed"
	}
	spending := map[audit.Policy]string{
		audit.Allow: "allowed, unless a token has you asked", audit.Deny: "denied",
		audit.Ask: "you are asked, unless a token's limit allows it",
	}
	keys := map[audit.Policy]string{
		audit.Allow: "programs may export and import keys and set the password", audit.Deny: "out of programs' reach",
		audit.Ask: "you are asked",
	}
	return []rpc.Term{{Name: "Login", Text: login}, {Name: "Spending", Text: spending[s.spends]}, {Name: "Keys", Text: keys[s.keys]}}
}
