package main

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/rpcserver/audit"
	"billfold/tui"
	"billfold/tui/lastview"
	"billfold/tui/linear"
	"billfold/tui/page/rpc"
	"billfold/tui/terminal"
	"billfold/walletcore/approval"

	"golang.org/x/sync/errgroup"
)

// showUI runs the terminal UI.
func (p *program) showUI(ctx context.Context) error { return p.show(ctx, tui.Run) }

// conversation holds the input and output of the linear UI.
type conversation struct {
	lines *terminal.Lines
	out   io.Writer
	json  bool
}

// showLines runs the linear UI, which has reported its own errors when it ends.
func (p *program) showLines(ctx context.Context, talk conversation) error {
	return p.show(ctx, func(ctx context.Context, opt tui.Options) error {
		shown := talk.lines.IsTerminal()
		code, err := linear.Run(ctx, linear.Options{Options: opt, Lines: talk.lines, Out: talk.out, Echo: !shown, Script: !shown,
			JSON: talk.json, UTF8: p.settings.values.Source("ascii") != setting.FromDefault && !p.settings.ascii})
		if err == nil && code != linear.Done {
			return shell.Reported{Code: code}
		}
		return err
	})
}

// show runs a UI, together with the listeners if the settings name any. It unlocks the sandbox's wallet,
// whose password is no secret.
func (p *program) show(ctx context.Context, ui func(context.Context, tui.Options) error) error {
	if p.box != nil {
		if err := p.wallet.Vault.Unlock(ctx, sandboxPassword); err != nil {
			return err
		}
	}
	p.approvals = approval.New()
	server, err := p.newServer(nil)          // a log would disturb the screen
	if err != nil && !p.settings.listens() { // no listener was asked for
		return ui(ctx, p.uiOptions(nil, err))
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return server.Serve(ctx) })
	g.Go(func() error {
		defer cancel()
		defer p.approvals.Close() // waiting requests end before the server drains
		return ui(ctx, p.uiOptions(server, nil))
	})
	return g.Wait()
}

// The values of the setting time.
const (
	timeLocal = "local"
	timeUTC   = "utc"
)

// uiOptions returns the options of the UI. why is the reason if there is no server.
func (p *program) uiOptions(server *service, why error) tui.Options {
	opt := tui.Options{
		Core: tui.CoreOf(p.wallet), Sandbox: p.box != nil, OfferSandbox: p.box == nil, Folder: filepath.Dir(p.wallet.Vault.Path),
		Shell:     shellOf(p.settings),
		Visits:    lastview.Open(filepath.Join(p.folder(), lastview.Name)),
		Approvals: p.approvals, Theme: p.settings.theme, Color: p.settings.color, ASCII: p.settings.ascii,
		Motion: p.settings.motion, Hide: p.settings.hide,
	}
	p.utc.Store(p.settings.time == timeUTC)
	opt.Clock.Now = func() time.Time {
		if p.utc.Load() {
			return time.Now().UTC()
		}
		return time.Now()
	}
	opt.Keys, opt.KeysFault = readKeys(filepath.Join(p.settings.dataDir, keysName))
	opt.Core.Console = shell.Page{Wallet: ownWallet{p: p}}
	opt.Core.Settings, opt.Core.Node.Addresses = settingsPage{p}, daemonAddresses{settingsPage{p}}
	opt.Core.FirstNode = daemonAddresses{settingsPage{p}}
	if server == nil {
		opt.RPC.Terms = []rpc.Term{{Name: "Off", Text: sentence(why)}}
		return opt
	}
	opt.RPC = rpc.Core{Server: rpcPage{server}, Traffic: rpcPage{server}, Tokens: tokenPage{p, server.tokens}, Terms: p.settings.terms()}
	return opt
}

// terms describes the conditions under which programs may call.
func (s *settings) terms() []rpc.Term {
	spending := map[audit.Policy]string{
		audit.Allow: "allowed, unless a token has you asked", audit.Deny: "denied",
		audit.Ask: "you are asked, unless a token's limit allows it",
	}
	keys := map[audit.Policy]string{
		audit.Allow: "programs may export them", audit.Deny: "out of programs' reach", audit.Ask: "you are asked",
	}
	rules := s.rules()
	return []rpc.Term{{Name: "Spending", Text: spending[rules.Spends]},
		{Name: "Keys", Text: keys[rules.Keys], Open: rules.Keys == audit.Allow}}
}
