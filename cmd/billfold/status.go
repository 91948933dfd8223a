package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"

	"billfold/cmd/billfold/remotewallet"
	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
)

func statusCommand(s *settings) *cobra.Command {
	var to target
	asJSON := false
	cmd := &cobra.Command{Use: "status", Short: "Report whether the wallet server pays, and what keeps it from paying", Args: exactly(),
		Long: `Report whether the wallet server pays, and what keeps it from paying: the lock, missing
keys, its daemon, its disk, its payment journal, a hold. It asks the server at --to, or
else at the socket in the wallet's folder, at the addresses of config.yaml and the
environment, or at ` + defaultHTTP + `. It needs no password, and a token only to show the lock and
the newest block where tokens are required. A server at an https:// address needs a
certificate that the system trusts, that of this wallet's own listeners, or the one
that --server-cert names.

Exit codes: 0 it pays, 4 nothing is in its way but the lock, 1 something else is, or no
server answers.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.read(); err != nil {
				return err
			}
			server, err := to.runningServer(s)
			if err != nil {
				return err
			}
			own := ""
			if to.to == "" {
				if own, err = s.ownMark(); err != nil {
					return err
				}
			}
			return reportStatus(cmd.Context(), cmd.OutOrStdout(), server, own, asJSON)
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().Var(namedFlag{&to.to}, "to", "the path of a socket, or the address of a wallet server")
	to.defineAccess(cmd)
	return cmd
}

// runningServer returns the server that t or else the settings select.
func (t target) runningServer(s *settings) (*remotewallet.Wallet, error) {
	if t.to == toFiles {
		return nil, shell.Misuse(errors.New("--to files has no effect here: a server is asked; name its socket or address"))
	}
	if server, err := t.server(s); server != nil || err != nil {
		return server, err
	}
	if s.sandbox {
		return nil, shell.Misuse(errors.New("--sandbox has no effect here: a server is asked; name its address with --to"))
	}
	token, err := t.token(s.trust)
	if err != nil {
		return nil, err
	}
	scheme := "http://"
	if s.rpcTLS || s.tlsCert != "" {
		scheme = "https://"
	}
	return remotewallet.OpenURL(scheme+reachable(cmp.Or(s.rpcHTTP, s.rpcWS, defaultHTTP)), t.certificate(s), token)
}

// reachable returns the address at which this machine reaches a listener.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// serverStatus is the JSON of a server's status. What only a token would show is null without one.
type serverStatus struct {
	Server  string     `json:"server"`
	Answers bool       `json:"answers"`
	Ready   bool       `json:"ready"`
	Why     []string   `json:"not_ready"` // a sentence each
	Locked  *bool      `json:"locked"`
	Block   *uint32    `json:"head_block"`
	Time    *time.Time `json:"head_block_time"`
	Age     *int64     `json:"head_block_age"` // in seconds, by this machine's clock
	age     string     // in words
}

// walletMark returns the mark of the wallet with that journal, by which /readyz tells wallets apart; "" for none.
func walletMark(journal string) string {
	if journal == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("billfold wallet " + journal))
	return hex.EncodeToString(sum[:8])
}

// ownMark returns the mark of the wallet in the folder; "" if it is not known. A folder that somebody has named has to have a wallet.
func (s *settings) ownMark() (string, error) {
	keys, err := keystore.OpenWith(s.keystorePath(), s.newKeys)
	if err == nil {
		return walletMark(keys.Public().Journal), nil
	}
	if errors.Is(err, fs.ErrNotExist) && s.values.Source("data-dir") != setting.FromDefault {
		return "", fmt.Errorf("there is no wallet in %s; name its folder with --data-dir, or a server with --to", s.dataDir)
	}
	return "", nil
}

// reportStatus reports how a server is. own, if it is not "", is the mark of the wallet that is asked about.
func reportStatus(ctx context.Context, out io.Writer, server *remotewallet.Wallet, own string, asJSON bool) error {
	why, wallet, err := server.Ready(ctx)
	if err == nil && own != "" && wallet != "" && wallet != own {
		err = &fault.Error{Code: fault.Canceled, Op: "status", Message: "no server of this wallet answers: the one at " + server.Name() + " is another wallet's",
			Hint: "start this wallet's server, or ask the other one with --to"}
	}
	if err != nil && !asJSON {
		return err
	}
	at := serverStatus{Server: server.Name(), Answers: err == nil, Ready: err == nil && len(why) == 0, Why: append([]string{}, why...)}
	if err != nil {
		at.Why = []string{strings.ReplaceAll(sentence(err), "\nhint: ", "; ")}
	} else {
		at.ask(ctx, server)
	}
	if asJSON {
		if err := json.NewEncoder(out).Encode(at); err != nil {
			return err
		}
	} else {
		at.print(out)
	}
	switch {
	case at.Ready:
		return nil
	case len(why) == 1 && (why[0] == lockedWhy || why[0] == unlockingWhy):
		return shell.Reported{Code: shell.IsLocked}
	}
	return shell.Reported{Code: shell.Refused}
}

// ask adds what the server tells only those whom it answers calls.
func (at *serverStatus) ask(ctx context.Context, server *remotewallet.Wallet) {
	ctx, cancel := context.WithTimeout(ctx, daemonWait)
	defer cancel()
	answer := func(method string, into any) bool {
		result, err := server.Call(ctx, method, walletapi.Params{})
		return err == nil && json.Unmarshal(result, into) == nil
	}
	locked := false
	if answer("is_locked", &locked) {
		at.Locked = &locked
	}
	var info struct {
		Block uint32 `json:"head_block_num"`
		Age   string `json:"head_block_age"`
	}
	var head ledger.Time
	if answer("info", &info) && answer("head_block_time", &head) {
		made := head.Time().UTC()
		age := int64(time.Since(made) / time.Second)
		at.Block, at.age, at.Time, at.Age = &info.Block, info.Age, &made, &age
	}
}

func (at *serverStatus) print(out io.Writer) {
	fmt.Fprintf(out, "wallet server at %s\n", printable.Text(at.Server))
	if at.Locked != nil {
		fmt.Fprintln(out, map[bool]string{true: "locked", false: "unlocked"}[*at.Locked])
	}
	if at.Block != nil {
		fmt.Fprintf(out, "newest block %d, %s\n", *at.Block, printable.Text(at.age))
	}
	if at.Ready {
		fmt.Fprintln(out, "ready: it pays")
	}
	for _, why := range at.Why {
		fmt.Fprintf(out, "not ready: %s\n", printable.Text(why))
	}
}
