package daemonclient

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math"
	"net"
	"slices"
	"time"

	"billfold/ledger"
)

// User is the login at a daemon that grants its API sets by user.
type User struct{ Name, Password string }

// Config holds the daemons to use and how patient to be. Everything but URL and URLs may be zero.
type Config struct {
	// URL is a daemon's address, ws://host:port or wss://host:port, without user or password. With URL alone there is
	// one daemon that is taken as it is: the age of its head block is not checked, and it is not probed.
	URL string
	// URLs are the addresses of a pool, one or more; URL, if given as well, comes before them. The daemons of a pool
	// are probed all the time.
	URLs []string
	// Pin is the address of the daemon to use whenever it is usable; see Client.Pin.
	Pin string
	// Quorum is the number of daemons of the pool that AskQuorum asks; 0 and 1 mean the one in use. It may not exceed
	// the number of addresses.
	Quorum int
	// User returns who logs in at an address. It is asked before each login, so that a changed password counts from the next connection
	// on. nil: nobody, which a daemon with its default configuration takes.
	User func(address string) (User, error)
	// ChainID is the chain the daemon must belong to. Zero accepts the first daemon's chain and requires it of every
	// later connection.
	ChainID ledger.ChainID
	// LagAfter is the age of a head block from which another daemon with a fresher one is preferred. Default 15 s.
	LagAfter time.Duration
	// StaleAfter is the age from which a daemon is trusted with no payment. Default StaleAfter; negative: a head may be
	// of any age, for ledgers with a clock of their own.
	StaleAfter time.Duration
	// AheadAfter is the lead of a head block over this machine's clock beyond which its daemon is trusted with no
	// payment. Default 15 s; no limit if StaleAfter is negative.
	AheadAfter time.Duration
	// OwnClock lets a daemon declare that the age of its head block means nothing, as a sandbox does whose blocks are
	// made on demand or whose clock was set. Set it only if the user runs such a ledger, because the daemon's word is
	// taken for it. On DCore's main network it has no effect.
	OwnClock bool
	// ProbeInterval is the time between two probes of the daemon in use; those in reserve are probed ten times less
	// often. Default 0.5 s.
	ProbeInterval time.Duration
	// AnswerTimeout is the complete silence of a daemon that was asked something after which another takes over; the
	// time of a round trip is added. Default 1 s.
	AnswerTimeout time.Duration
	// SwitchAfter is the time that another daemon must have been clearly better (half the cost of a call, and 20 ms)
	// before it takes over. Default 30 s.
	SwitchAfter time.Duration
	// CallTimeout limits each call, including its repetition. Default 15 s.
	CallTimeout time.Duration
	// ConnectTimeout limits dialling, and separately login and the chain check. Each takes at most three round trips.
	// Default 10 s.
	ConnectTimeout time.Duration
	// MinBackoff and MaxBackoff are the shortest and the longest pause between attempts to connect; it doubles with
	// each. Default 0.2 s and 10 s.
	MinBackoff, MaxBackoff time.Duration
	// PingInterval is the time between pings. A connection on which nothing at all arrives for two and a half of them
	// is given up. Default 10 s.
	PingInterval time.Duration
	// ReadLimit is the size in bytes of the largest frame that is read, regardless of what was asked. Default 16 MiB.
	// Each method's own limit is lower (answer_rule.go).
	ReadLimit int64
	// Dial opens the connection under the websocket; nil means TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS is used for wss (TLSConfig returns one); nil means the system's roots.
	TLS *tls.Config
	// Logger gets one line per change of state; nil logs nothing.
	Logger *slog.Logger
}

// StaleAfter is the age of a head block from which its daemon is trusted with no payment, unless the configuration says otherwise. A
// transaction lives for 30 s from the head block's time on (txbuild.TransactionLife): what is signed on an older one may have expired before a miner
// sees it. Maintenance of the ledger takes up to 20 s without blocks.
const StaleAfter = 25 * time.Second

const (
	defaultLagAfter       = 15 * time.Second
	defaultAheadAfter     = 15 * time.Second
	defaultProbeInterval  = 500 * time.Millisecond
	defaultAnswerTimeout  = time.Second
	defaultSwitchAfter    = 30 * time.Second
	defaultCallTimeout    = 15 * time.Second
	defaultConnectTimeout = 10 * time.Second
	defaultMinBackoff     = 200 * time.Millisecond
	defaultMaxBackoff     = 10 * time.Second
	defaultPingInterval   = 10 * time.Second
	defaultReadLimit      = 16 << 20
)

// withDefaults returns the configuration with all defaults filled in.
func (c Config) withDefaults() Config {
	c.LagAfter = orDefault(c.LagAfter, defaultLagAfter)
	c.AheadAfter = orDefault(c.AheadAfter, defaultAheadAfter)
	if c.StaleAfter < 0 {
		c.LagAfter, c.StaleAfter, c.AheadAfter = math.MaxInt64, math.MaxInt64, math.MaxInt64
	}
	c.StaleAfter = max(orDefault(c.StaleAfter, StaleAfter), c.LagAfter)
	c.ProbeInterval = orDefault(c.ProbeInterval, defaultProbeInterval)
	c.AnswerTimeout = orDefault(c.AnswerTimeout, defaultAnswerTimeout)
	c.SwitchAfter = orDefault(c.SwitchAfter, defaultSwitchAfter)
	c.CallTimeout = orDefault(c.CallTimeout, defaultCallTimeout)
	c.ConnectTimeout = orDefault(c.ConnectTimeout, defaultConnectTimeout)
	c.MinBackoff = orDefault(c.MinBackoff, defaultMinBackoff)
	c.MaxBackoff = max(orDefault(c.MaxBackoff, defaultMaxBackoff), c.MinBackoff)
	c.PingInterval = orDefault(c.PingInterval, defaultPingInterval)
	c.ReadLimit = orDefault(c.ReadLimit, defaultReadLimit)
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

func orDefault[T time.Duration | int64](value, byDefault T) T {
	if value <= 0 {
		return byDefault
	}
	return value
}

// addresses returns every daemon once, in order; at least one, which may be empty.
func (c Config) addresses() []string {
	var all []string
	for _, address := range append([]string{c.URL}, c.URLs...) {
		if address != "" && !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// checkAddresses refuses what cannot be dialled, one daemon under two addresses, and a pin that is not among the daemons.
func (c Config) checkAddresses() error {
	addresses := c.addresses()
	if err := CheckAddresses(addresses); err != nil {
		return err
	}
	if err := CheckQuorum(c.Quorum, addresses); err != nil {
		return err
	}
	if c.Pin != "" && !slices.Contains(addresses, c.Pin) {
		return errNoSuchDaemon
	}
	return nil
}

func shownPin(address string) string {
	if address == "" {
		return ""
	}
	return ShownURL(address)
}
