package main

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"billfold/cmd/billfold/access"
	"billfold/cmd/billfold/setting"
	"billfold/content/ipfs"
	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/rpcserver/audit"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/postgres"
)

// table declares every setting. To add one, add a field to settings and one entry here.
// The flag, the environment variable, the key in config.yaml, --help and
// docs/settings.md (after `make docs`) follow from it, and so do the checks of
// TestSettings (make stories). An entry has:
//
//   - Name: the flag without dashes.
//   - Value: the type and the field it sets: setting.Bool, Path, Choice, List, or
//     Parsed with a function that parses the text. Its error is a sentence
//     without the name, such as `"5 dogs" is not an amount; write it like "1 DCT"`.
//   - Example: a value, for the documentation and the tests; not needed for Bool and Choice.
//   - Default: as a user would write it; leave it out if it is the field's zero value.
//     Depends: the default in words if it follows from other settings.
//   - Help: one line, in lower case, without a full stop.
//   - Scope: setting.Everywhere (the zero value) for a flag of `billfold call` and the
//     other commands too, setting.Program for one of the program itself only.
//   - Idle: returns why the flag would have no effect, for settings of the listeners or the UI.
//   - OfWallet: true if a command with the flag has no use for it where a wallet server carries it out.
//
// No password, key or token is a setting. settings.check refuses settings that contradict
// each other.
func (s *settings) table() []setting.Setting {
	return []setting.Setting{
		{Name: "sandbox", Value: setting.Bool(&s.sandbox),
			Help: "use an embedded ledger with play money and a throw-away wallet (password: sandbox)"},
		{
			Name:    "daemon-url",
			Value:   setting.List(&s.daemonURLs, "address", daemonclient.CheckAddresses),
			Default: defaultDaemon,
			Idle:    s.notInSandbox,
			Example: "wss://node.example",
			Help:    "a daemon's websocket address; give several, with commas or by repeating the flag, and the best one is used",
		},
		{
			Name: "daemon-quorum", Value: setting.Parsed(&s.quorum, "number", parseQuorum), Default: "1",
			Idle: s.notInSandbox, Example: "2",
			Help: "how many of the daemons must agree about miners, accounts, assets, fees, and the blocks of deposits and " +
				"large payments",
		},
		{Name: "chain-id", Value: setting.Parsed(&s.chainID, "64 hex digits", parseChainID), Idle: s.notInSandbox,
			Example: ledger.MainnetChainID,
			Depends: "the wallet's own; a new wallet takes that of the first daemon that answers",
			Help:    "the only chain that is accepted from daemons, which must be the wallet's own"},
		{Name: "daemon-ca", Value: setting.Path(&s.daemonCA), Idle: s.withoutWSS, Example: "/etc/wallet/daemon-ca.pem",
			Help: "file of the CA certificates (PEM) for verifying daemons at wss:// addresses, instead of the system's"},
		{Name: "daemon-fingerprint", Value: setting.Parsed(&s.daemonPin, "SHA-256", daemonclient.ParseFingerprint), Idle: s.withoutWSS,
			Example: "9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:82:2C:D1:5D:6C:15:B0:F0:0A:08",
			Help:    "the only certificate accepted from daemons at wss:// addresses; without --daemon-ca no CA needs to have signed it"},
		{Name: "daemon-user", Value: setting.List(&s.daemonUsers, "name", setting.Each(checkDaemonUser)), Idle: s.notInSandbox,
			Example: "exchange",
			Help: "the user that logs in at daemons that grant their calls by user; one for all of them, or one for each in the order of " +
				"--daemon-url (- for nobody)"},
		{Name: "daemon-password-file", Value: setting.List(&s.daemonPasswords, "path", setting.Each(setting.CheckPath)),
			Idle: s.withoutDaemonUser, Example: "/etc/wallet/daemon-password",
			Help: "file with the password of --daemon-user; one for all daemons, or one for each in their order"},
		{Name: "max-fee", Value: setting.Parsed(&s.maxFee, "amount", parseMaxFee), OfWallet: true, Example: "2 DCT",
			Depends: "1 DCT, or ten times the ledger's built-in fee where that is more",
			Help:    "the largest fee of a transaction that the wallet signs, whoever asks for it"},
		{Name: "data-dir", Value: setting.Path(&s.dataDir), Depends: "~/.billfold/default", Early: true,
			Example: "/srv/wallet", Help: "the wallet's folder"},
		{Name: "index-dir", Value: setting.Path(&s.indexDir), Idle: s.notInSandbox, Depends: "the wallet's folder",
			Example: "/srv/index", Help: "the folder of history.db, the history index, which can be on another disk; it is rebuilt from the ledger where it is lost"},
		{Name: "trust-group", Value: setting.Parsed(&s.trust, "name or number", access.ParseTrust), Early: true, Example: "2000",
			Depends: "no group", Help: "a group that may write the wallet's folder and its files and read its keys, as the fsGroup of a volume; " +
				"each of its members counts as you"},
		{Name: "packages-path", Value: setting.Path(&s.packages), OfWallet: true, Idle: s.notInSandbox, Depends: "packages in the wallet's folder",
			Example: "/srv/packages", Help: "the folder of content packages, which has the reference wallet's layout"},
		{Name: "content-dir", Value: setting.Path(&s.contentDir), OfWallet: true, Example: "/srv/content",
			Help: "the folder below which programs may name folders over RPC, to make packages of and to extract to; without it they may name none"},
		{Name: "ipfs-api", Value: setting.Parsed(&s.ipfsAPI, "address", parseIPFS), OfWallet: true, Depends: ipfs.DefaultAddress + ", in the sandbox its own", Example: "127.0.0.1:5002",
			Help: "the HTTP interface of the IPFS daemon over which packages are exchanged: host:port, or a URL"},
		{Name: "store", Value: setting.Parsed(&s.store, "address", parseStore), Idle: s.notInSandbox,
			Depends: "a file in the wallet's folder",
			Example: "postgres://billfold@db.example/wallet",
			Help: "the PostgreSQL database that several servers share, without a password: that is for BILLFOLD_STORE, " +
				"a password file or a client certificate"},
		{Name: "store-may-lose", Value: setting.Bool(&s.mayLose), Idle: s.withoutStore,
			Help: "use a database without a synchronous standby, which may lose payments when it fails over"},
		{Name: "server-name", Value: setting.Parsed(&s.serverName, "name", parseServerName), Idle: s.withoutStore,
			Depends: "the name it had before, at first that of the machine", Example: "pay-1",
			Help: "what billfold servers calls this server"},
		{Name: "lock-after", Value: setting.Parsed(&s.lockAfter, "time", parseLockAfter), Scope: setting.Program,
			Depends: "15m with the UI, 0 without", Example: "1h30m", Help: "lock the wallet after this long without use; 0 = never"},
		{Name: "unlock-from", Value: setting.Parsed(&s.unlockFrom, "place", parseUnlockFrom), Scope: setting.Program, Idle: s.withUI,
			Example: "credential:wallet-password",
			Help: "unlock at the start with the password in a file, fd:N (an open descriptor), credential:NAME (of systemd) or command:PROGRAM …; " +
				"a wrong or missing one leaves the wallet locked, and nobody is asked"},
		{Name: "log-level", Value: setting.Choice(&s.logLevel, levels()...), Default: string(defaultLogLevel),
			Scope: setting.Program, Idle: s.withUI,
			Help: "what the log on standard error has: error, warn, info (payments, refusals, daemons) or debug (every call); SIGHUP reads it again from the file"},
		{Name: "log-format", Value: setting.Choice(&s.logFormat, logText, logJSON), Default: string(logText), Scope: setting.Program, Idle: s.withUI,
			Help: "how lines of the log are written: text, or json for programs that collect logs"},
		{Name: "tui", Value: setting.Bool(&s.tui), Scope: setting.Program,
			Help: "run the terminal UI along with the listeners"},
		{Name: "rpc-http", Value: setting.Parsed(&s.rpcHTTP, "address", addressOr(defaultHTTP)), Assumed: defaultHTTP,
			Scope:   setting.Program,
			Example: "127.0.0.1:9000", Help: "serve the wallet API over HTTP at this address"},
		{Name: "rpc-ws", Value: setting.Parsed(&s.rpcWS, "address", addressOr(defaultWS)), Assumed: defaultWS, Scope: setting.Program,
			Example: "127.0.0.1:9001", Help: "serve the wallet API over websocket at this address"},
		{Name: "rpc-socket", Value: setting.Parsed(&s.rpcSocket, "path", parseSocket), Assumed: defaultSocket, Scope: setting.Program,
			Example: "/run/wallet/rpc.sock",
			Help: "serve HTTP and websockets on a unix socket, for your own programs; " +
				"default is " + socketName + " in the wallet's folder",
		},
		{Name: "rpc-socket-group", Value: setting.Parsed(&s.socketGroup, "name or number", parseSocketGroup), Scope: setting.Program,
			Idle: s.withoutSocket, Depends: "only you", Example: "2000",
			Help: "a group whose members may connect to the unix socket too, with a token where --rpc-auth requires one"},
		{Name: "rpc-allow-host", Value: setting.List(&s.hosts, "host", setting.Each(checkHost)), Scope: setting.Program,
			Idle: s.withoutNamedPort, Example: "localhost:9000", Help: "another host name that requests may carry in their Host header"},
		{Name: "rpc-allow-origin", Value: setting.List(&s.origins, "origin", setting.Each(checkOrigin)), Scope: setting.Program,
			Idle: s.withoutWebsocket, Example: "https://shop.example", Help: "an origin whose web pages may open a websocket"},
		{Name: "rpc-insist-beyond-loopback", Value: setting.Bool(&s.exposed), Scope: setting.Program,
			Idle: s.onLoopback, Help: "listen on an address that other machines can reach, without tokens or encryption"},
		{Name: "rpc-auth", Value: setting.Bool(&s.rpcAuth), Scope: setting.Program,
			Idle: s.withoutListener, Help: "require a token from every client (billfold token new)"},
		{Name: "rpc-spends", Value: setting.Choice(&s.spends, audit.Allow, audit.Deny, audit.Ask), Default: string(audit.Allow),
			Scope: setting.Program,
			Idle:  s.withoutListener,
			Help:  "payments over RPC: allow, deny, or ask the person at the terminal (needs --tui or --linear; without, denied)"},
		{Name: "rpc-changed-keys", Value: setting.Choice(&s.changedKeys, refuseKeys, allowKeys), Default: string(refuseKeys),
			Scope: setting.Program,
			Idle:  s.withoutListener,
			Help:  "payments over RPC to an account whose keys changed, when nobody is asked: refuse or allow"},
		{Name: "rpc-keys", Value: setting.Choice(&s.keys, audit.Allow, audit.Deny, audit.Ask), Scope: setting.Program,
			Depends: "deny once tokens are required, or a policy for payments, TLS, another host, an origin or a group for the socket is set; otherwise allow",
			Idle:    s.withoutListener,
			Help:    "key export, key import and password changes over RPC: allow, deny, or ask the person at the terminal",
		},
		{Name: "rpc-tls", Value: setting.Bool(&s.rpcTLS), Scope: setting.Program,
			Idle: s.withoutPort, Help: "encrypt with TLS; Billfold makes and keeps a certificate unless --rpc-tls-cert names one"},
		{Name: "rpc-tls-cert", Value: setting.Path(&s.tlsCert), Scope: setting.Program,
			Idle: s.withoutPort, Example: "/etc/wallet/cert.pem", Help: "file of the TLS certificate (PEM)"},
		{Name: "rpc-tls-key", Value: setting.Path(&s.tlsKey), Scope: setting.Program,
			Idle: s.withoutPort, Example: "/etc/wallet/key.pem", Help: "file of the TLS certificate's private key (PEM)"},
		{Name: "rpc-client-ca", Value: setting.Path(&s.clientCA), Scope: setting.Program,
			Idle: s.withoutTLS, Example: "/etc/wallet/clients.pem",
			Help: "file of CA certificates (PEM); ports then accept only clients whose certificate one of these signed, and tokens are required as before"},
		{Name: "metrics", Value: setting.Parsed(&s.metrics, "address", addressOr(defaultMetrics)), Assumed: defaultMetrics, Scope: setting.Program,
			Idle: s.withoutListener, Example: "127.0.0.1:9002",
			Help: "answer Prometheus at this address (GET /metrics); beyond this machine only as the other ports: with tokens and TLS"},
		{Name: "theme", Value: setting.Choice(&s.theme, "auto", "dark", "light", "contrast", "mono"), Default: "auto",
			Scope: setting.Program,
			Idle:  s.withoutUI, Help: "colours of the terminal UI"},
		{Name: "color", Value: setting.Choice(&s.color, "auto", "24bit", "256", "16", "none"), Default: "auto", Scope: setting.Program,
			Idle: s.withoutUI, Help: "how many colours the terminal has"},
		{Name: "ascii", Value: setting.Bool(&s.ascii), Scope: setting.Program,
			Idle: s.withoutUI, Help: "draw with ASCII characters only"},
		{Name: "motion", Value: setting.Choice(&s.motion, screen.MotionFull, screen.MotionReduced, screen.MotionNone),
			Default: string(screen.MotionFull), Scope: setting.Program,
			Idle: s.withoutUI, Help: "how much moves on screen: full, reduced (no spinners) or none (words only)"},
		{Name: "time", Value: setting.Choice(&s.time, timeLocal, timeUTC), Default: timeLocal, Scope: setting.Program,
			Idle: s.withoutUI, Help: "zone of the times on screen: local (this machine's) or utc; exports and RPC always use UTC"},
		{Name: "hide-amounts", Value: setting.Bool(&s.hide), Scope: setting.Program,
			Idle: s.withoutUI, Help: "begin with amounts hidden; * shows them"},
		{Name: "linear", Value: setting.Bool(&s.linear), Scope: setting.Program,
			Help: "a conversation in lines instead of pages, for screen readers and scripts; always used if TERM is dumb"},
	}
}

func (s *settings) withoutListener() string {
	if s.listens() {
		return ""
	}
	return "without a listener; add --rpc-http, --rpc-ws or --rpc-socket, or leave it out"
}

func (s *settings) withoutSocket() string {
	if s.rpcSocket != "" {
		return ""
	}
	return "without --rpc-socket, whose file the group may use; add it, or leave it out"
}

func parseSocketGroup(text string) (uint32, error) {
	id, err := access.ParseGroup(text)
	if err == nil && id == 0 {
		err = errors.New("it is the group of root, whose members need no right; name another group")
	}
	return id, err
}

func (s *settings) withoutNamedPort() string {
	if s.rpcHTTP != "" || s.rpcWS != "" || s.metrics != "" {
		return ""
	}
	return "without --rpc-http or --rpc-ws, which check the Host of a request; add one, or leave it out"
}

func (s *settings) withoutWebsocket() string {
	if s.rpcWS != "" || s.rpcSocket != "" {
		return ""
	}
	return "without --rpc-ws, over which web pages call; add it, or leave it out"
}

func (s *settings) onLoopback() string {
	for _, addr := range []string{s.rpcHTTP, s.rpcWS, s.metrics} {
		if addr != "" && beyondLoopback(addr) {
			return ""
		}
	}
	return "without an address in --rpc-http, --rpc-ws or --metrics that other machines reach, such as 0.0.0.0:8093; add one, or leave it out"
}

// beyondLoopback reports whether other machines may reach a listener at addr.
func beyondLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && host != "localhost" && !net.ParseIP(host).IsLoopback()
}

func (s *settings) withoutPort() string {
	if s.rpcHTTP != "" || s.rpcWS != "" || s.metrics != "" {
		return ""
	}
	return "without --rpc-http or --rpc-ws, whose connections it encrypts; add one, or leave it out"
}

func (s *settings) withoutTLS() string {
	if s.rpcTLS || s.tlsCert != "" {
		return s.withoutPort()
	}
	return "without --rpc-tls or --rpc-tls-cert, over which clients show a certificate; add one, or leave it out"
}

func (s *settings) withoutUI() string {
	if !s.headless() {
		return ""
	}
	return "without the terminal UI; add --tui, or leave it out"
}

func (s *settings) withUI() string {
	if s.headless() {
		return ""
	}
	return "without a server that runs by itself; add --rpc-http, --rpc-ws or --rpc-socket, without --tui, or leave it out"
}

func (s *settings) withoutWSS() string {
	if slices.ContainsFunc(s.daemonURLs, func(address string) bool { return strings.HasPrefix(strings.ToLower(address), "wss:") }) {
		return s.notInSandbox()
	}
	return "without a --daemon-url that begins with wss://; write the daemon's address that way, or leave it out"
}

func (s *settings) notInSandbox() string {
	if !s.sandbox {
		return ""
	}
	return "with --sandbox, which has its own ledger; leave one of them out"
}

// addressOr returns a parser for the address of a listener. In the file or the environment,
// true means the default address, like the flag without a value.
func addressOr(standard string) func(string) (string, error) {
	return func(text string) (string, error) {
		switch on, isBool := parseSwitch(text); {
		case isBool && on:
			return standard, nil
		case isBool:
			return "", nil
		}
		if err := checkAddress(text); err != nil {
			return "", fmt.Errorf("%w; write it like %s", err, standard)
		}
		return text, nil
	}
}

// checkAddress requires a port in digits, because a name in its place is usually a mistake.
func checkAddress(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("%q is not an address with a port from 0 to 65535", text)
	}
	return nil
}

func parseSwitch(text string) (on, isBool bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

func parseSocket(text string) (string, error) {
	switch on, isBool := parseSwitch(text); {
	case isBool && on:
		return defaultSocket, nil
	case isBool:
		return "", nil
	}
	return text, setting.CheckPath(text)
}

// parseMaxFee parses the fee limit and returns it in smallest units of DCT.
func parseMaxFee(text string) (int64, error) {
	fee, err := ledger.ParseAmountOf(text, ledgerview.DCT().Symbol, ledgerview.DCT().Precision)
	if err != nil || fee <= 0 {
		return 0, fmt.Errorf("%q is not a fee; write it like 2 DCT", text)
	}
	return fee, nil
}

func parseIPFS(text string) (string, error) {
	client, err := ipfs.New(text, nil)
	if err != nil {
		return "", fmt.Errorf("%q is not an address of an IPFS daemon; write it like %s", text, ipfs.DefaultAddress)
	}
	client.Close()
	return text, nil
}

func parseChainID(text string) (ledger.ChainID, error) {
	id, err := ledger.ParseChainID(text)
	if err != nil || id == (ledger.ChainID{}) {
		return id, fmt.Errorf("%q is not a chain id of 64 hex digits; billfold call info shows that of a daemon", text)
	}
	return id, nil
}

// maxQuorum is more daemons than anybody would use.
const maxQuorum = 99

func parseQuorum(text string) (int, error) {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= maxQuorum && text == strconv.Itoa(n) {
		return n, nil
	}
	return 0, fmt.Errorf("%q is not a number of daemons; write it like 2", text)
}

func newSettings() *settings {
	s := &settings{}
	s.values = setting.New(environmentPrefix, s.table())
	return s
}

// environmentPrefix is the prefix of the variables for settings.
const environmentPrefix = "BILLFOLD_"

// parseStore checks the address of a database. Its error never repeats the address.
func parseStore(text string) (string, error) { return text, postgres.CheckAddress(text) }

// serverNamePattern matches the names of servers, which have the form of machine names.
var serverNamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func parseServerName(text string) (string, error) {
	if !serverNamePattern.MatchString(text) {
		return "", fmt.Errorf("%q is not a name of letters, digits, dots, - and _; write it like pay-1", text)
	}
	return text, nil
}

// withoutStore returns why a setting of a shared store would have no effect.
func (s *settings) withoutStore() string {
	if s.store != "" {
		return s.notInSandbox()
	}
	return "without --store; give the address of the database, or leave it out"
}
