package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/certificate"
	"billfold/rpcserver/auth/token"
	"billfold/rpcserver/events"
)

// newServer opens the listeners that the settings name. log receives problems;
// nil = no log.
func (p *program) newServer(log *slog.Logger) (*service, error) {
	s := p.settings
	if s.listens() { // otherwise nothing is stored until there is a wallet
		if err := os.MkdirAll(p.folder(), 0o700); err != nil { // for the logs and the socket
			return nil, fmt.Errorf("the wallet's folder cannot be made: %w; name another with --data-dir", err)
		}
	}
	feed := rpcserver.NewFeed()
	v := &service{events: events.New(events.SourcesOf(p.wallet), feed)}
	opt := rpcserver.Options{Feed: feed, Decider: audit.NewDecider(s.rules(), audit.NewLog(p.store.Audit), p.approvals),
		Passed: s.passed, HTTPAddr: s.rpcHTTP, WSAddr: s.rpcWS, Socket: s.rpcSocket, SocketGroup: s.socketGroup, BeyondLoopback: s.exposed,
		AllowedHosts: s.hosts, AllowedOrigins: s.origins, Caller: p.api, Pace: p.api.PaceOf, InOrder: p.api.InOrder, NamesKey: p.api.NamesKey, Spends: p.api.Spends, Secret: p.api.IsSecret, Group: p.api.GroupOf,
		Logger:   log,
		NotReady: p.notReady, Wallet: func() string { return walletMark(p.wallet.Vault.Journal()) }, Notice: s.notice(), PasswordWait: p.wallet.Vault.PasswordWait,
	}
	if !s.headless() { // a person watches, and may open the listeners that are off
		v.traffic = rpcserver.NewTraffic(p.api)
		opt.Traffic, opt.SpareHTTP, opt.SpareWS = v.traffic, defaultHTTP, defaultWS
	}
	if err := v.setAccess(p, &opt); err != nil {
		return nil, err
	}
	if s.headless() {
		opt.Owner = p.ownerPages()
	}
	if s.metrics != "" {
		counted := p.newFigures(v)
		opt.Observer, opt.Metrics, opt.MetricsAddr = counted, counted.Handler(), s.metrics
	}
	var err error
	v.Server, err = rpcserver.New(opt)
	if errors.Is(err, rpcserver.ErrBeyondLoopback) {
		return nil, shell.Misuse(fmt.Errorf(
			"%w; --rpc-auth with --rpc-tls lets other machines in, --rpc-insist-beyond-loopback listens there anyway", err))
	}
	return v, err
}

// sharedNotice is longer than load balancers usually take to ask a server twice whether it is ready.
const sharedNotice = 3 * time.Second

// notice returns how long a server that ends still says so: where others may take its place, until a load balancer has seen it.
func (s *settings) notice() time.Duration {
	if s.store == "" || s.sandbox {
		return 0
	}
	return sharedNotice
}

// setAccess sets up tokens and encryption by the settings.
func (v *service) setAccess(p *program, opt *rpcserver.Options) (err error) {
	s := p.settings
	if s.rpcTLS || s.tlsCert != "" {
		if v.identity, err = s.identity(); err != nil {
			return err
		}
		if s.clientCA != "" {
			if err := v.identity.AskClients(s.clientCA); err != nil {
				return fmt.Errorf("--rpc-client-ca: %w", err)
			}
		}
		opt.TLS = v.identity.Config()
	}
	if v.tokens, err = p.tokens(); err != nil {
		return err
	}
	v.tokenAuth = token.NewAuthenticator(v.tokens, token.NewSpent(p.store.Limits, p.wallet.Payments.LedgerTime), token.LedgerOf(p.wallet))
	opt.Authenticator, opt.AllowAnonymous = v.tokenAuth, !s.rpcAuth
	return nil
}

// rules returns the policies for calls. If the settings name no listener, the person who opens one is asked about spends, and
// programs have no access to keys.
func (s *settings) rules() audit.Rules {
	if !s.listens() {
		return audit.Rules{Spends: audit.Ask, Keys: audit.Deny, Guarded: true}
	}
	return audit.Rules{Spends: s.spends, Keys: s.keys, Guarded: s.guarded()}
}

func (s *settings) identity() (*certificate.Identity, error) {
	if s.tlsCert != "" {
		return certificate.Load(s.tlsCert, s.tlsKey, s.trust.Covers)
	}
	return certificate.Own(s.dataDir, append([]string{s.rpcHTTP, s.rpcWS, s.metrics}, s.hosts...), s.trust.Covers)
}

// serve runs the listeners without a UI until ctx ends.
func (p *program) serve(ctx context.Context, around *unattended, out io.Writer) error {
	p.unlocking.Store(p.settings.unlockFrom != "")
	server, err := p.newServer(p.log)
	if err != nil {
		return err
	}
	for _, l := range listeners(server) {
		fmt.Fprintf(out, "wallet API over %s on %s\n", l.Name, l.Addr)
	}
	if addr := server.MetricsAddr(); addr != "" {
		fmt.Fprintf(out, "metrics on %s\n", server.metricsURL(addr))
	}
	fmt.Fprintln(out, p.settings.describeCallers(server))
	server.announce(out, p.settings.rpcAuth)
	p.announce(out)
	for _, what := range p.settings.openToOthers() {
		fmt.Fprintln(out, "careful:", what)
	}
	err = around.serve(ctx, p, server, out)
	fmt.Fprintln(out, "all calls are answered, the wallet is locked")
	return err
}

// announce prints how clients identify the server, and how it identifies them.
func (v *service) announce(out io.Writer, asksForTokens bool) {
	if v.identity != nil {
		fmt.Fprintf(out, "TLS certificate %s\n", v.identity.Fingerprint())
		fmt.Fprintf(out, "pin it: curl -k --pinnedpubkey %s\n", v.identity.Pin())
	}
	printNotes(out, v.tokens)
	list, err := v.tokens.List()
	if asksForTokens && err == nil && len(list) == 0 {
		fmt.Fprintln(out, "no client has a token yet: billfold token new NAME makes one")
	}
}

// announce prints which ledger the wallet uses and how to unlock it.
func (p *program) announce(out io.Writer) {
	if p.box != nil {
		if p.wallet.Vault.IsLocked() {
			fmt.Fprintf(out, "sandbox: play money, locked; unlock with the password %q\n", sandboxPassword)
			return
		}
		fmt.Fprintln(out, "sandbox: play money")
		return
	}
	fmt.Fprintf(out, "daemon %s; wallet %s\n", strings.Join(p.settings.daemonURLs, ","), p.settings.keystorePath())
}
