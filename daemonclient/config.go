package daemonclient

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"billfold/ledger"
)

// Config says which daemon to use and how patient to be. Everything but URL may
// be left zero.
type Config struct {
	// URL is the daemon's address, ws://host:port or wss://host:port, without
	// user or password.
	URL string
	// User and Password are sent with login. A daemon in its default
	// configuration takes empty ones.
	User, Password string
	// ChainID is the chain the daemon must belong to. Zero accepts the first
	// daemon's chain and holds every later connection to it.
	ChainID ledger.ChainID
	// CallTimeout bounds each call, its repetition included. Default 15 s.
	CallTimeout time.Duration
	// ConnectTimeout bounds dialling, login and the chain check. Default 10 s.
	ConnectTimeout time.Duration
	// MinBackoff and MaxBackoff bound the pause before the next attempt to
	// connect; it doubles from the first to the second. Default 0.2 s and 10 s.
	MinBackoff, MaxBackoff time.Duration
	// PingInterval is the time between pings. A line on which nothing at all
	// arrives for two and a half of them is given up. Default 10 s.
	PingInterval time.Duration
	// ReadLimit is the size in bytes of the largest frame that is read.
	// Default 64 MiB.
	ReadLimit int64
	// TLS is used for wss; nil means the system's settings.
	TLS *tls.Config
	// Logger gets one line per change of state; nil means silence.
	Logger *slog.Logger
}

const (
	defaultCallTimeout    = 15 * time.Second
	defaultConnectTimeout = 10 * time.Second
	defaultMinBackoff     = 200 * time.Millisecond
	defaultMaxBackoff     = 10 * time.Second
	defaultPingInterval   = 10 * time.Second
	defaultReadLimit      = 64 << 20
)

// filled returns the configuration with every default in place.
func (c Config) filled() Config {
	c.CallTimeout = orDefault(c.CallTimeout, defaultCallTimeout)
	c.ConnectTimeout = orDefault(c.ConnectTimeout, defaultConnectTimeout)
	c.MinBackoff = orDefault(c.MinBackoff, defaultMinBackoff)
	c.MaxBackoff = max(orDefault(c.MaxBackoff, defaultMaxBackoff), c.MinBackoff)
	c.PingInterval = orDefault(c.PingInterval, defaultPingInterval)
	c.ReadLimit = orDefault(c.ReadLimit, defaultReadLimit)
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

// checkURL refuses what cannot be dialled. Its errors never repeat the address,
// which may hold a password by mistake.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("the daemon's address is not a URL; write it as ws://host:port")
	case u.Scheme != "ws" && u.Scheme != "wss":
		return errors.New("the daemon's address must begin with ws:// or wss://, such as ws://127.0.0.1:8090")
	case u.Host == "":
		return errors.New("the daemon's address names no host; write it as ws://host:port")
	case u.User != nil:
		return errors.New("the daemon's address must not hold a user or password; give them as settings of their own")
	}
	return nil
}

// shownURL is the address as it may be printed.
func shownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable address)"
	}
	return u.Redacted()
}
