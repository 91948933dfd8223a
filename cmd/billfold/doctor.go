package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/rpcserver/attack"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"

	"github.com/spf13/cobra"
)

// doctorFlags are the flags of the doctor command.
type doctorFlags struct {
	attack   bool
	http, ws string
	tls      bool
}

func doctorCommand(s *settings) *cobra.Command {
	f := &doctorFlags{}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at the wallet's files, settings and surroundings; with --attack, attack its listeners",
		Long: `Look at what the wallet stands on, and report it: with which Go it was built, its
settings, who may read its files, how hard its password is to guess, its daemons, the
clock, the disk, the payment journal, ports, the certificate and the backups. It
changes nothing and needs no password; a server may be running. The exit code is 1 if
something must be changed.

With --attack, attack the wallet's own listeners and report what is refused.

Without --http and --ws it opens listeners in front of a throw-away wallet, with the
rpc- settings of config.yaml and the environment, and attacks those. With them it
attacks the wallet that runs there, on this machine only. If that wallet requires
tokens, doctor makes a few and revokes them afterwards. It calls only is_locked,
wait_payment and operations that would do no harm if they were executed: they ask for
the private key of a key that nobody has, or set an empty password. It takes up to 90
seconds, because some of the attacks are slow clients.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, s) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.attack, "attack", false, "try known attacks on wallets")
	flags.StringVar(&f.http, "http", "", "attack the HTTP listener at ADDR, such as "+defaultHTTP)
	flags.StringVar(&f.ws, "ws", "", "attack the websocket listener at ADDR, such as "+defaultWS)
	flags.BoolVar(&f.tls, "tls", false, "the listeners use TLS, which is found out without it, too")
	return cmd
}

func (f *doctorFlags) run(cmd *cobra.Command, s *settings) error {
	if !f.attack {
		if f.tls || f.http != "" || f.ws != "" {
			return shell.Misuse(errors.New("--attack is missing, which --http, --ws and --tls belong to; write billfold doctor --attack"))
		}
		return checkUp(cmd.Context(), s, cmd.OutOrStdout())
	}
	if f.tls && f.http == "" && f.ws == "" {
		return shell.Misuse(errors.New("--tls applies to --http and --ws; give one of them too"))
	}
	for flag, addr := range map[string]string{"http": f.http, "ws": f.ws} {
		if err := checkAddress(addr); addr != "" && err != nil {
			return shell.Misuse(fmt.Errorf("--%s: %w; write it like %s", flag, err, defaultHTTP))
		}
	}
	if err := s.read(); err != nil {
		return err
	}
	if f.http == "" && f.ws == "" {
		return attackOwn(cmd.Context(), s, cmd.OutOrStdout())
	}
	target := attack.Target{HTTP: f.http, WS: f.ws}
	if f.tls || speaksTLS(cmd.Context(), cmp.Or(f.http, f.ws)) {
		target.TLS = trustAnything()
	}
	return attackRunning(cmd.Context(), s, target, cmd.OutOrStdout())
}

// speaksTLS reports whether a listener does.
func speaksTLS(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, daemonWait)
	defer cancel()
	conn, err := (&tls.Dialer{Config: trustAnything()}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// trustAnything returns a configuration that accepts any certificate. It is for loopback, where the attack may meet any server.
func trustAnything() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// attackOwn attacks listeners with the settings of s in front of a throw-away
// wallet. They require tokens, so that the attacks with tokens can be tried.
func attackOwn(ctx context.Context, s *settings, out io.Writer) error {
	folder, end, err := newScratch()
	if err != nil {
		return err
	}
	defer end()
	own := *s
	own.sandbox, own.dataDir, own.rpcAuth, own.rpcSocket, own.metrics = true, folder, true, "", "" // the server's own may be running
	own.rpcHTTP, own.rpcWS = "127.0.0.1:0", "127.0.0.1:0"
	if s.values.Source("rpc-keys") == setting.FromDefault {
		own.keys = audit.Deny // the default with tokens
	}
	p, err := newProgram(&own)
	if err != nil {
		return err
	}
	defer p.close()
	return p.run(ctx, func(ctx context.Context) error {
		server, err := p.newServer(nil)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(ctx)
		served := make(chan error, 1)
		go func() { served <- server.Serve(ctx) }()
		target := attack.Target{HTTP: server.HTTPAddr(), WS: server.WSAddr()}
		if target.Waits, err = p.makePendingPayment(ctx); err != nil {
			cancel()
			return errors.Join(err, <-served)
		}
		if server.identity != nil {
			target.TLS = trustAnything()
		}
		err = attackRunning(ctx, &own, target, out)
		cancel()
		return errors.Join(err, <-served)
	})
}

// makePendingPayment makes a payment that stays pending, since it stops the throw-away
// ledger from producing blocks. It returns the payment's request key.
func (p *program) makePendingPayment(ctx context.Context) (string, error) {
	const key = "doctor"
	if err := p.box.SetBlockTime(0); err != nil {
		return "", err
	}
	if err := p.wallet.Vault.Unlock(ctx, sandboxPassword); err != nil {
		return "", err
	}
	defer p.wallet.Vault.Lock()
	_, err := p.wallet.Payments.Spend(ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
		payment.Sending{Broadcast: true, Key: key})
	return key, err
}

// attackRunning attacks the server at t, with tokens that are made in the wallet's
// folder if it requires them.
func attackRunning(ctx context.Context, s *settings, t attack.Target, out io.Writer) error {
	if requiresToken(ctx, t) {
		done, err := makeTokens(s, &t)
		if err != nil {
			return err
		}
		defer done()
	}
	findings, err := attack.Run(ctx, t)
	if err != nil {
		return err
	}
	return report(out, findings)
}

// requiresToken reports whether the server refuses an honest call for lack of a token.
func requiresToken(ctx context.Context, t attack.Target) bool {
	addr, scheme := t.HTTP, "http"
	if addr == "" {
		addr = t.WS
	}
	if t.TLS != nil {
		scheme = "https"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, scheme+"://"+addr+"/rpc", strings.NewReader(`{"id":1,"method":"is_locked"}`))
	if err != nil {
		return false
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: t.TLS}}
	resp, err := client.Do(req)
	if err != nil {
		return false // the attack reports why it does not answer
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusUnauthorized
}

// makeTokens makes the tokens of the attack; done revokes them.
func makeTokens(s *settings, t *attack.Target) (done func(), err error) {
	store, closed, err := s.tokenStore(context.Background())
	if err != nil {
		return nil, err
	}
	soon := time.Now().Add(10 * time.Minute) // in case this program is killed before it revokes them
	var names []string
	done = func() {
		for _, name := range names {
			_, _ = store.Revoke(name) // one is revoked already, and the others expire
		}
		closed()
	}
	for _, l := range attackTokens(t) {
		if l.credential == &t.Keys && s.keys == audit.Allow && s.values.Source("rpc-keys") != setting.FromDefault {
			t.KeysOpen = "these settings let programs use keys and password: --rpc-keys=allow"
			continue
		}
		name := "doctor-" + strings.ToLower(rand.Text()[:8])
		l.scope.Expires = soon
		if _, *l.credential, err = store.New(name, l.scope); err != nil {
			done()
			return nil, err
		}
		names = append(names, name)
		if l.credential != &t.Revoked {
			continue
		}
		if _, err := store.Revoke(name); err != nil {
			done()
			return nil, err
		}
	}
	return done, nil
}

// attackToken is a token to make for the attack.
type attackToken struct {
	credential *string
	scope      token.Scope
}

func attackTokens(t *attack.Target) []attackToken {
	return []attackToken{
		{&t.Token, token.Scope{Methods: []string{"is_locked", "wait_payment"}}},
		{&t.Narrow, token.Scope{Methods: []string{"is_new"}}},
		{&t.Keys, token.Scope{Methods: []string{"get_private_key", "import_key", "set_password"}}},
		{&t.Reader, token.Scope{Groups: []string{"Accounts"}}},
		{&t.Revoked, token.Scope{Methods: []string{"is_locked"}}},
	}
}

// report prints the findings. It returns an error if an attack succeeded.
func report(out io.Writer, findings []attack.Finding) error {
	words := map[attack.Outcome]string{attack.Refused: "refused", attack.Succeeded: "SUCCEEDED", attack.Skipped: "skipped"}
	count := map[attack.Outcome]int{}
	for _, f := range findings {
		count[f.Outcome]++
		fmt.Fprintf(out, "%-9s  %-9s  %-52s  %s\n", words[f.Outcome], f.Port, f.Attack, printable.Text(f.Detail))
	}
	fmt.Fprintf(out, "%s: %d refused, %d succeeded, %d skipped\n", printable.Many(len(findings), "attack"),
		count[attack.Refused], count[attack.Succeeded], count[attack.Skipped])
	if n := count[attack.Succeeded]; n > 0 {
		return fmt.Errorf("%s not refused; stop the wallet, and report what succeeded", printable.Were(n, "attack"))
	}
	return nil
}
