package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"billfold/cmd/billfold/access"
	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/sandbox"
	"billfold/tui/screen"
	"billfold/walletcore/content"
	"billfold/walletcore/spelling"
	"billfold/walletcore/store/postgres"
)

const (
	defaultHTTP   = "127.0.0.1:8093"
	defaultWS     = "127.0.0.1:8091"
	defaultDaemon = "ws://127.0.0.1:8090"

	defaultMetrics = "127.0.0.1:8094"

	defaultSocket = "default"
	configName    = "config.yaml"
	keystoreName  = "wallet.keys"
	tokensName    = "rpc-tokens.json"
	socketName    = "rpc.sock"
)

// settings are the user's settings: a flag overrides the environment, which overrides
// the file, which overrides the default. Their table is in settings_table.go.
type settings struct {
	values  *setting.Table
	newKeys *keystore.Options // options for new key files, nil = for a real wallet; users cannot set it
	passed  passedSockets     // what the listeners are, where they were opened for this process
	flags   string            // those of the command line that select the wallet; see walletFlags

	sandbox    bool
	tui        bool
	rpcHTTP    string // "" = off
	rpcWS      string // "" = off
	daemonURLs []string

	daemonUsers, daemonPasswords []string // see daemonUserAt

	quorum      int // how many daemons must agree; 1 = only the one in use is asked
	chainID     ledger.ChainID
	daemonCA    string // "" = the system's CA certificates
	daemonPin   daemonclient.Fingerprint
	maxFee      int64 // in smallest units of DCT; 0 = the core's own ceiling
	dataDir     string
	indexDir    string // "" = dataDir
	trust       access.Trust
	packages    string // "" = the folder packages in dataDir
	contentDir  string // "" = programs may name no folder
	ipfsAPI     string
	theme       string
	color       string
	ascii       bool
	motion      screen.Motion
	time        string // zone of the times on screen: timeLocal or timeUTC
	hide        bool
	linear      bool
	hosts       []string
	origins     []string
	exposed     bool
	rpcSocket   string // "" = off
	socketGroup uint32 // 0 = nobody else
	rpcAuth     bool
	rpcTLS      bool
	spends      audit.Policy
	changedKeys changedKeys
	keys        audit.Policy // over RPC; never "" once the settings are read
	tlsCert     string       // "" = a self-signed one
	tlsKey      string
	clientCA    string        // "" = clients need no certificate
	lockAfter   time.Duration // 0 = never
	unlockFrom  string        // where the password is at the start; "" = somebody unlocks the wallet
	store       string        // the database that several servers share; "" = a file in the folder
	mayLose     bool          // the database needs no synchronous standby
	serverName  string        // "" = the machine's name
	logLevel    logLevel
	logFormat   logFormat
	metrics     string // "" = off
}

// read reads the settings from all sources. A missing file is not an error; one that
// cannot be read, or an invalid setting, is.
func (s *settings) read() error { return shell.Misuse(s.readAll()) }

func (s *settings) readAll() error {
	picked := s.sandbox // chosen on the first page of an earlier session
	if err := s.values.Read(s.readConfig); err != nil {
		return err
	}
	s.sandbox = s.sandbox || picked
	if err := s.checkPassed(); err != nil {
		return err
	}
	s.origins = origins(s.origins)
	if s.rpcSocket == defaultSocket {
		s.rpcSocket = filepath.Join(s.dataDir, socketName)
	}
	if s.values.Source("lock-after") == setting.FromDefault && !s.headless() {
		s.lockAfter = lockAfterUI
	}
	if s.keys == "" && s.guarded() {
		s.keys = audit.Deny
	}
	s.keys = cmp.Or(s.keys, audit.Allow) // as in the reference
	return s.check()
}

// guarded reports whether the settings restrict programs in any way. Their owner does
// not expect them to have access to keys then.
func (s *settings) guarded() bool {
	return s.rpcAuth || s.spends != audit.Allow || s.keys != "" && s.keys != audit.Allow ||
		s.rpcTLS || s.tlsCert != "" || s.clientCA != "" || s.exposed || s.socketGroup != 0 || len(s.origins) > 0 || len(s.hosts) > 0
}

// defaultFolder returns the wallet's folder if no setting names one.
func defaultFolder() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("there is no home folder for the wallet; name a folder with --data-dir: %w", err)
	}
	return filepath.Join(home, ".billfold", "default"), nil
}

// readConfig finds the wallet's folder and reads the settings file in it.
func (s *settings) readConfig() (text []byte, path string, err error) {
	if s.dataDir == "" {
		if s.dataDir, err = defaultFolder(); err != nil {
			return nil, "", err
		}
	}
	if err := s.trust.Folder(s.dataDir, "--data-dir"); err != nil {
		return nil, "", err
	}
	path = filepath.Join(s.dataDir, configName)
	if err := noOtherConfig(s.dataDir); err != nil {
		return nil, path, err
	}
	text, err = s.trust.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, path, nil
	}
	if err != nil {
		return nil, path, fmt.Errorf("the settings file cannot be used: %w", err)
	}
	return text, path, nil
}

// configNames returns names that people may give the settings file.
func configNames() []string { return []string{configName, "config", "settings.yaml"} }

// isBackup reports whether a file is named as a copy that is not meant to be read, such as config.yaml.bak.
func isBackup(name string) bool {
	return slices.ContainsFunc(
		[]string{"~", ".bak", ".backup", ".old", ".orig", ".save", ".swp", ".sample", ".example", ".disabled", ".off"},
		func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// noOtherConfig refuses a folder with a file that somebody probably meant as the settings file.
func noOtherConfig(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the folder %s cannot be read: %w", folder, err)
	}
	for _, e := range entries {
		name := e.Name()
		if name == configName || e.IsDir() || isBackup(name) || spelling.Nearest(name, configNames()) == "" {
			continue
		}
		return fmt.Errorf("%s is not the settings file; rename it to %s, or move it away", filepath.Join(folder, name), configName)
	}
	return nil
}

// check refuses settings that contradict each other.
func (s *settings) check() error {
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return errors.New("a TLS certificate goes with its key; give both --rpc-tls-cert and --rpc-tls-key")
	}
	if err := s.checkApart(); err != nil {
		return err
	}
	if err := daemonclient.CheckQuorum(s.quorum, s.daemonURLs); err != nil {
		return err
	}
	if s.socketGroup != 0 && filepath.Dir(s.rpcSocket) == filepath.Clean(s.dataDir) && s.passed[rpcserver.ListenSocket] == nil {
		return fmt.Errorf("the group of --rpc-socket-group does not reach a socket in the wallet's folder, which is yours alone; "+
			"name a place that it reaches, such as --rpc-socket=/run/billfold/%s", socketName)
	}
	if err := s.checkPinned(); err != nil {
		return err
	}
	if err := s.checkDaemonUsers(); err != nil {
		return err
	}
	if err := s.checkStore(); err != nil {
		return err
	}
	for _, path := range []string{s.tlsCert, s.tlsKey, s.clientCA, s.daemonCA} {
		if err := s.trust.File(path); err != nil {
			return err
		}
	}
	if err := s.checkIndexDir(); err != nil {
		return err
	}
	return s.trust.Files(s.dataDir, ownFiles())
}

// checkPinned refuses a CA or a fingerprint for daemons if one of them is reached without TLS,
// where anybody in between can change the data. The sandbox has a ledger of its own.
func (s *settings) checkPinned() error {
	plain := daemonclient.PlainURLs(s.daemonURLs)
	if s.sandbox || len(plain) == 0 || s.daemonCA == "" && s.daemonPin == (daemonclient.Fingerprint{}) {
		return nil
	}
	name := "--daemon-fingerprint"
	if s.daemonCA != "" {
		name = "--daemon-ca"
	}
	return fmt.Errorf("%s does not protect the connection to %s; write its address with wss://, or leave one of them out", name, plain[0])
}

// checkStore refuses a password where other users of the machine, or readers of a copied file, can see it.
func (s *settings) checkStore() error {
	if s.store == "" || !postgres.HasPassword(s.store) || s.values.Source("store") == setting.FromEnvironment {
		return nil
	}
	return errors.New("--store has a password in it, which others can read; give the address in BILLFOLD_STORE, " +
		"or the password in ~/.pgpass or a file that passfile= names")
}

// maxConfig is far more bytes than all settings with comments take.
const maxConfig = 1 << 20

// ownFiles returns patterns for the wallet's files in its folder.
func ownFiles() []string {
	return []string{"wallet.*", "rpc-*", "*.db", "*.db-*", "store.*", "console.*"}
}

// How long a wallet may go unused before it is locked. The default with the UI is
// for a person who may have gone away. Without the UI, a program unlocked it and
// expects it to stay unlocked, as with the reference.
const (
	lockAfterUI  = 15 * time.Minute
	minLockAfter = time.Second
	maxLockAfter = 7 * 24 * time.Hour // the core unlocks no wallet for longer
)

func parseLockAfter(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil && (d == 0 || d >= minLockAfter && d <= maxLockAfter) {
		return d, nil
	}
	return 0, fmt.Errorf("%q is not a time between 1s and 168h; write it as 90s, 15m or 1h30m, or 0 for never", text)
}

// listens reports whether the settings name a listener.
func (s *settings) listens() bool { return s.rpcHTTP != "" || s.rpcWS != "" || s.rpcSocket != "" }

// headless reports whether the listeners run without the UI.
func (s *settings) headless() bool { return s.listens() && !s.tui && !s.linear }

// logger returns the log for problems of a command; nil where a person looks at a screen, which it would disturb.
func (s *settings) logger() *slog.Logger {
	if !s.headless() {
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func (s *settings) keystorePath() string { return filepath.Join(s.dataDir, keystoreName) }

// sandboxOptions returns the options of the embedded ledger.
func sandboxOptions() sandbox.Options {
	return sandbox.Options{BlockTime: sandbox.DefaultBlockTime, Listen: "127.0.0.1:0", Seeders: content.MinSeeders}
}

// changedKeys is the policy for payments to accounts whose keys changed.
type changedKeys string

const (
	refuseKeys changedKeys = "refuse"
	allowKeys  changedKeys = "allow"
)
