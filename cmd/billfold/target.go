package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"billfold/cmd/billfold/access"
	"billfold/cmd/billfold/remotewallet"
	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
)

// target selects the wallet that executes a command.
type target struct {
	to        string // "" = the server at the socket in the wallet's folder if one runs, otherwise the files
	tokenFile string // "" = no token
	cert      string // the server's certificate; "" = see certificate
}

// The words that --to takes besides a path or an address.
const (
	toSocket = "socket"
	toFiles  = "files"
)

const whereHelp = `
When a wallet server runs with --rpc-socket, it executes the operation, unlocked or
locked as it is; otherwise the wallet's files are opened here. --to socket insists on
the server, --to files on the files; --to PATH or --to http://127.0.0.1:8093 names
another server.
`

const exitHelp = `
Exit codes: 0 done, 1 refused, 2 wrong use, 3 the outcome of a payment is not known,
4 the wallet is locked, 5 no daemon answers.`

func (t *target) define(cmd *cobra.Command) {
	cmd.Flags().Var(namedFlag{&t.to}, "to", "socket, files, the path of a socket, or the address of a wallet server")
	t.defineAccess(cmd)
}

// defineAccess defines the flags for what a server asks for and is known by.
func (t *target) defineAccess(cmd *cobra.Command) {
	cmd.Flags().Var(namedFlag{&t.tokenFile}, "token-file", "a file that holds the token which the server asks for")
	cmd.Flags().Var(namedFlag{&t.cert}, "server-cert", "the certificate (PEM) of a server at an https:// address, which the system need not trust then")
}

// certificate returns the file of the certificate that a server at an address may have: the named one, or that of the settings' own listeners;
// "" = there is none.
func (t *target) certificate(s *settings) string {
	if t.cert != "" || s.tlsCert != "" {
		return cmp.Or(t.cert, s.tlsCert)
	}
	own := filepath.Join(s.dataDir, ownCertificate)
	if _, err := os.Stat(own); err != nil {
		return ""
	}
	return own
}

// ownCertificate is the file of the certificate that Billfold makes, in the wallet's folder.
const ownCertificate = "rpc-cert.pem"

// maxTokenFile is more bytes than any token with blanks around it.
const maxTokenFile = 4 << 10

func (t target) token(trust access.Trust) (string, error) {
	if t.tokenFile == "" {
		return "", nil
	}
	text, err := trust.Read(t.tokenFile, maxTokenFile)
	if err != nil {
		return "", err
	}
	token, err := tokenIn(text)
	if err != nil {
		return "", fmt.Errorf("the token in %s: %w; nothing was sent", t.tokenFile, err)
	}
	return token, nil
}

// server returns the server that t selects, nil if the wallet's files are to be opened.
func (t target) server(s *settings) (*remotewallet.Wallet, error) {
	if s.sandbox && t.to != "" && t.to != toFiles {
		return nil, shell.Misuse(errors.New("--to has no effect with --sandbox, which has a wallet of its own; leave one of them out"))
	}
	if s.sandbox || t.to == toFiles {
		return nil, nil
	}
	token, err := t.token(s.trust)
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(s.dataDir, socketName)
	switch {
	case t.to == "":
		w, err := remotewallet.OpenSocket(socket, token)
		if errors.Is(err, remotewallet.ErrNobody) {
			return nil, nil
		}
		return w, err
	case t.to == toSocket:
		return remotewallet.OpenSocket(socket, token)
	case strings.Contains(t.to, "://"):
		w, err := remotewallet.OpenURL(t.to, t.certificate(s), token)
		return w, shell.Misuse(err)
	}
	w, err := remotewallet.OpenShared(t.to, token)
	if errors.Is(err, remotewallet.ErrNoSocket) {
		err = shell.Misuse(err)
	}
	return w, err
}

// withWallet calls do with the wallet that the settings and t select. With unlock, a wallet
// that is opened here asks for its password if an operation needs it unlocked.
func withWallet(cmd *cobra.Command, s *settings, t target, unlock bool,
	do func(ctx context.Context, w shell.Wallet, ask *secrets) error) error {
	if err := s.read(); err != nil {
		return err
	}
	ask := newSecrets(cmd)
	server, err := t.server(s)
	if err != nil {
		return err
	}
	if server != nil {
		for _, one := range s.values.Settings() {
			if one.OfWallet && s.values.Source(one.Name) == setting.FromFlag {
				fmt.Fprintf(cmd.ErrOrStderr(), "careful: the wallet server that carries this out has its own --%s; the one given here does not count\n", one.Name)
			}
		}
		return do(cmd.Context(), server, ask)
	}
	return runWithSettings(cmd, s, func(ctx context.Context, p *program) error { return do(ctx, ownWallet{p, ask, unlock}, ask) })
}

// completionWallet returns the wallet that knows names for completing a command line: the server, or the key file.
func (s *settings) completionWallet(t target) shell.Wallet {
	if s.read() != nil {
		return nil
	}
	if server, err := t.server(s); err != nil || server != nil {
		return server
	}
	return keyFileNames(s.keystorePath())
}

// keyFileNames is the path of a key file, as a wallet that can only list its accounts.
type keyFileNames string

// Call returns the accounts in the key file. It refuses all other operations.
func (path keyFileNames) Call(_ context.Context, method string, _ walletapi.Params) (json.RawMessage, error) {
	if method != "list_my_accounts" {
		return nil, errors.New("a key file can only list accounts")
	}
	file, err := keystore.Open(string(path))
	if err != nil {
		return nil, err
	}
	return json.Marshal(file.Public().Accounts)
}
