package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"billfold/rpcserver/audit"
	"billfold/sandbox"
)

const (
	defaultHTTP   = "127.0.0.1:8093"
	defaultWS     = "127.0.0.1:8091"
	defaultDaemon = "ws://127.0.0.1:8090"
	defaultSocket = "default"
	configName    = "config.yaml"
	keystoreName  = "wallet.keys"
	journalName   = "payments.db"
	draftsName    = "drafts.db"
	tokensName    = "rpc-tokens.json"
	spentName     = "rpc-spent.db"
	depositsName  = "rpc-deposits.db"
	auditName     = "rpc-audit.db"
	socketName    = "rpc.sock"
)

// settings are what the user chose: flag before environment before file before
// default.
type settings struct {
	v *viper.Viper

	sandbox   bool
	tui       bool
	rpcHTTP   string // "" = off
	rpcWS     string // "" = off
	daemonURL string // one address, or several with commas between
	dataDir   string
	theme     string
	color     string
	ascii     bool
	hosts     []string
	origins   []string
	exposed   bool
	rpcSocket string // "" = off
	rpcAuth   bool
	rpcTLS    bool
	spends    audit.Policy
	tlsCert   string // "" = the one that is made
	tlsKey    string
	lockAfter time.Duration // 0 = never
}

func newSettings() *settings {
	v := viper.New()
	v.SetEnvPrefix("BILLFOLD")
	v.SetEnvKeyReplacer(strings.NewReplacer("-", "_"))
	v.AutomaticEnv()
	return &settings{v: v}
}

// define adds the flags; all but the UI's own go for subcommands too.
func (s *settings) define(root *cobra.Command) {
	f, local := root.PersistentFlags(), root.Flags()
	f.Bool("sandbox", false, "use an embedded ledger with play money and a throw-away wallet (password: sandbox)")
	f.StringSlice("daemon-url", []string{defaultDaemon}, "a daemon's websocket address; several, with commas or flags of their own, stand in for each other")
	f.String("data-dir", "", "the folder of the wallet (default ~/.billfold/default)")
	local.String("lock-after", "", "lock the wallet after so long without use, such as 15m or 1h30m; 0 = never (default 15m with the UI, 0 without)")
	local.Bool("tui", false, "keep the terminal UI in front of the listeners")
	local.String("rpc-http", "", "serve the wallet API over HTTP at ADDR (default "+defaultHTTP+")")
	local.String("rpc-ws", "", "serve the wallet API over websocket at ADDR (default "+defaultWS+")")
	local.StringSlice("rpc-allow-host", nil, "another Host that requests may name, such as localhost:9000")
	local.StringSlice("rpc-allow-origin", nil, "an Origin that browsers' websockets may come from")
	local.Bool("rpc-insist-beyond-loopback", false, "listen on an address that other machines reach, without tokens or encryption")
	local.Bool("rpc-auth", false, "ask every client for a token (billfold token new)")
	local.String("rpc-spends", "allow", "what becomes of payments over RPC: allow, deny, or ask the person at the terminal (with --tui; denied without)")
	local.Bool("rpc-tls", false, "encrypt; a certificate is made and kept unless --rpc-tls-cert names one")
	local.String("rpc-tls-cert", "", "file of the TLS certificate (PEM)")
	local.String("rpc-tls-key", "", "file of its private key (PEM)")
	local.String("rpc-socket", "", "serve HTTP and websockets on a unix socket at PATH, for your own programs (default "+socketName+" in the wallet's folder)")
	local.Lookup("rpc-socket").NoOptDefVal = defaultSocket
	local.String("theme", "auto", "auto, dark, light, contrast or mono")
	local.String("color", "auto", "auto, 24bit, 256, 16 or none")
	local.Bool("ascii", false, "draw with ASCII characters only")
	local.Lookup("rpc-http").NoOptDefVal = defaultHTTP
	local.Lookup("rpc-ws").NoOptDefVal = defaultWS
	for _, set := range []error{s.v.BindPFlags(f), s.v.BindPFlags(local)} {
		if set != nil { // only a nil flag set fails
			root.PersistentPreRunE = func(*cobra.Command, []string) error { return set }
		}
	}
}

// read takes the settings together. A config file that cannot be read is an
// error, a missing one is not.
func (s *settings) read() error {
	s.dataDir = s.v.GetString("data-dir")
	if s.dataDir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("there is no home folder for the wallet; name a folder with --data-dir: %w", err)
		}
		s.dataDir = filepath.Join(home, ".billfold", "default")
	}
	s.v.SetConfigFile(filepath.Join(s.dataDir, configName))
	if err := s.v.ReadInConfig(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the settings file %s cannot be read: %w; correct it or move it away", s.v.ConfigFileUsed(), err)
	}
	s.sandbox = s.sandbox || s.v.GetBool("sandbox")
	s.daemonURL, s.tui = addressList(s.v.GetStringSlice("daemon-url")), s.v.GetBool("tui")
	s.rpcHTTP, s.rpcWS = s.v.GetString("rpc-http"), s.v.GetString("rpc-ws")
	s.hosts, s.origins = s.v.GetStringSlice("rpc-allow-host"), s.v.GetStringSlice("rpc-allow-origin")
	s.exposed = s.v.GetBool("rpc-insist-beyond-loopback")
	s.rpcAuth, s.rpcTLS, s.rpcSocket = s.v.GetBool("rpc-auth"), s.v.GetBool("rpc-tls"), s.v.GetString("rpc-socket")
	s.tlsCert, s.tlsKey = s.v.GetString("rpc-tls-cert"), s.v.GetString("rpc-tls-key")
	var err error
	if s.spends, err = audit.ParsePolicy(s.v.GetString("rpc-spends")); err != nil {
		return fmt.Errorf("--rpc-spends: %w", err)
	}
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return errors.New("a TLS certificate goes with its key; give both --rpc-tls-cert and --rpc-tls-key")
	}
	if s.rpcSocket == defaultSocket {
		s.rpcSocket = filepath.Join(s.dataDir, socketName)
	}
	if s.lockAfter, err = parseLockAfter(s.v.GetString("lock-after"), s.headless()); err != nil {
		return err
	}
	s.theme, s.color, s.ascii = s.v.GetString("theme"), s.v.GetString("color"), s.v.GetBool("ascii")
	if s.tui && !isTerminal() {
		return errors.New("--tui needs a terminal; leave it out to serve without one")
	}
	return nil
}

// How long a wallet may go unused: with the UI a person may have gone away;
// without, a program unlocked it and expects what the reference does.
const (
	lockAfterUI = 15 * time.Minute
	shortestUse = time.Second
	longestUse  = 7 * 24 * time.Hour // the core opens no wallet for longer
)

// parseLockAfter reads the setting; "" is the default.
func parseLockAfter(text string, headless bool) (time.Duration, error) {
	switch d, err := time.ParseDuration(text); {
	case text == "" && headless:
		return 0, nil
	case text == "":
		return lockAfterUI, nil
	case err == nil && (d == 0 || d >= shortestUse && d <= longestUse):
		return d, nil
	}
	return 0, fmt.Errorf("--lock-after: %q is not a time between 1s and 168h; write it as 90s, 15m or 1h30m, or 0 for never", text)
}

// listens says that programs may call the wallet.
func (s *settings) listens() bool { return s.rpcHTTP != "" || s.rpcWS != "" || s.rpcSocket != "" }

// headless says that the listeners run without the UI.
func (s *settings) headless() bool { return s.listens() && !s.tui }

// logger gets what goes wrong while nobody looks at a screen; nil with the UI,
// over which it would go.
func (s *settings) logger() *slog.Logger {
	if !s.headless() {
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// addressList joins addresses from a flag, a file's list, or one text with commas
// or spaces, as the environment has it.
func addressList(given []string) string {
	return strings.Join(strings.FieldsFunc(strings.Join(given, ","), betweenAddresses), ",")
}

func betweenAddresses(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// daemonURLs are the daemons to use, the first before the others.
func (s *settings) daemonURLs() []string { return strings.FieldsFunc(s.daemonURL, betweenAddresses) }

func (s *settings) keystorePath() string { return filepath.Join(s.dataDir, keystoreName) }

// sandboxOptions are those of the embedded ledger.
func sandboxOptions() sandbox.Options {
	return sandbox.Options{BlockTime: sandbox.DefaultBlockTime, Listen: "127.0.0.1:0"}
}
