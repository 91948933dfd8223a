package rpcserver

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"billfold/walletcore/walletapi"
)

// ErrBeyondLoopback is New's error for an address that other machines can reach.
var ErrBeyondLoopback = errors.New(
	"other machines would reach this port, which needs both tokens (--rpc-auth) and encryption (--rpc-tls); " +
		"use a loopback address such as 127.0.0.1")

// Options configure a Server. Only Caller and one address are required.
type Options struct {
	HTTPAddr string // "host:port" for HTTP, port 0 = any free one; "" = off
	WSAddr   string // the same for websockets
	// Passed are listeners at these addresses that are there already; those that are not it opens.
	Passed         map[ListenerKind]net.Listener
	SpareHTTP      string   // where Switch opens HTTP if HTTPAddr is "": on this machine only, and for tokens only; "" = nowhere
	SpareWS        string   // the same for websockets
	Traffic        *Traffic // records every call; nil = none
	BeyondLoopback bool     // allow addresses that other machines reach, without Authenticator or TLS
	Caller         Caller
	Authenticator  Authenticator                      // identifies callers; nil = everybody who reaches the port may call
	AllowAnonymous bool                               // callers without a token may call too; Authenticator checks tokens that are sent
	PasswordWait   func() time.Duration               // how long the next password is held back; nil = never
	Decider        Decider                            // applies the wallet's policy to calls; nil = none
	TLS            *tls.Config                        // with its certificates; nil = no encryption
	Socket         string                             // path of a unix socket for HTTP and websockets of this user; "" = off
	SocketGroup    uint32                             // a group whose members may connect to Socket too, with a token where one is required; 0 = none
	Pace           func(method string) walletapi.Pace // the pace of an operation; nil = PaceUsual for all
	InOrder        func(method string) bool           // operations that take their turn among the messages of a websocket; nil = none
	NamesKey       func(method string, p Params) bool // whether a call is a spend that names a request key; nil = none is
	Spends         func(method string) bool           // operations that may move money; nil = none
	Observer       Observer                           // counts calls; nil = nobody does
	Metrics        http.Handler                       // what GET /metrics answers at MetricsAddr
	MetricsAddr    string                             // "host:port" for Metrics alone, under the same rules as the other ports; "" = off
	Owner          http.Handler                       // what the wallet's own user gets below /debug/ of Socket, and nobody else; nil = nothing
	Group          func(method string) string         // the heading of an operation; "" = there is none of that name; nil = all are unknown
	Secret         func(method string) bool           // operations whose answers are wiped after sending; nil = none
	Feed           *Feed                              // events for websockets; nil = none
	AllowedHosts   []string                           // further names for Host, "host" or "host:port"
	AllowedOrigins []string                           // origins of web pages that may open a websocket
	Limits         Limits                             // zero fields mean defaults
	Logger         *slog.Logger                       // nil = no log; never receives parameters or results
	Notice         time.Duration                      // how long newcomers are still told that the server ends, once it does; 0 = while calls run
	NotReady       func() string                      // for /readyz: why not, in sentences, "" = ready; nil = always ready
	Wallet         func() string                      // for /readyz: the header WalletHeader, which tells wallets apart; "" or nil = none
}

// Observer is told of every call. It must be quick, and is used by many goroutines.
type Observer interface {
	// Called is told how long an operation took its caller, whatever came of it. The name may be a client's text.
	Called(method string, took time.Duration)
	// Refused is told the code of each error that is answered. There is a limited number of codes.
	Refused(code string)
}

func (o *Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}
