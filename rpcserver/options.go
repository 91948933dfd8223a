package rpcserver

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"billfold/walletcore/walletapi"
)

// ErrBeyondLoopback is New's refusal of an address that other machines reach.
var ErrBeyondLoopback = errors.New(
	"other machines would reach this port, which takes both tokens and encryption; use a loopback address such as 127.0.0.1")

// Options say where to listen, and for whom. Only Caller and one address are
// needed.
type Options struct {
	HTTPAddr       string   // "host:port" for HTTP, port 0 = any free one; "" = off
	WSAddr         string   // the same for websockets
	SpareHTTP      string   // where Switch opens HTTP when HTTPAddr is "": on this machine only, and for tokens only; "" = nowhere
	SpareWS        string   // the same for websockets
	Traffic        *Traffic // is told of every call; nil = nobody looks on
	BeyondLoopback bool     // listen where other machines reach it, without Authenticator or TLS
	Caller         Caller
	Authenticator  Authenticator                      // who may call; nil = everybody who reaches the port
	AllowAnonymous bool                               // Authenticator judges what is shown only: who shows nothing may call as well
	PasswordWait   func() time.Duration               // how long the next password is held back; nil = never
	Decider        Decider                            // who decides about permitted calls; nil = nobody
	TLS            *tls.Config                        // its certificates; nil = no encryption
	Socket         string                             // path of a unix socket for HTTP and websockets of this user; "" = off
	Pace           func(method string) walletapi.Pace // how an operation spends its time; nil = all as usual
	Spends         func(method string) bool           // operations that may move money; nil = none
	Secret         func(method string) bool           // operations whose answers are wiped once they were sent; nil = none
	Feed           *Feed                              // events for websockets; nil = none
	AllowedHosts   []string                           // further names for Host, "host" or "host:port"
	AllowedOrigins []string                           // origins of web pages that may open a websocket
	Limits         Limits                             // zero fields mean defaults
	Logger         *slog.Logger                       // nil = no log; never receives parameters or results
	NotReady       func() string                      // for /readyz: why not, in a sentence, "" = ready; nil = always ready
}

func (o *Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}
