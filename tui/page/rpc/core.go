package rpc

import (
	"context"
	"time"

	"billfold/walletcore/ledgerview"
)

// Listener is an address at which programs can call the wallet.
type Listener struct {
	Name   string
	Addr   string // with its scheme: where it listens, or would if it were on
	On     bool
	Since  time.Time // when it was switched on
	Token  bool      // it refuses calls without a token
	Beyond bool      // other machines can reach it
}

// Client is a program that calls the wallet.
type Client struct {
	Number         uint64
	Who, Via, From string // From is empty for this machine
	Open           bool   // it has a connection, which can be cut off
	Calls          int
	Last           time.Time
}

// Call is a call, or several of one kind in quick succession.
type Call struct {
	At             time.Time
	Who, Via, From string
	Method         string // empty if it is unknown
	Params         string // as far as they may be shown
	Count, Running int
	Took           time.Duration
	Fault, Message string // why it failed; empty if it did not
	Status         int    // HTTP status of a request that was refused; 0 otherwise
}

// Server lists the listeners and switches them on and off.
type Server interface {
	Listeners() []Listener
	Switch(name string, on bool) error
}

// Traffic lists the programs that call through the listeners, and their calls.
type Traffic interface {
	Clients() []Client
	Calls() []Call // newest first
	CutOff(number uint64) bool
}

// Policy holds the permissions of a token, in the words of its owner; an empty field does not restrict.
type Policy struct {
	May          string // operations and groups, separated by commas
	Accounts     string // that it may act for
	Destinations string // that it may pay to
	PerPayment   string // amounts with their assets, separated by commas: 5 DCT, 2 USDX
	PerDay       string
	AskAbove     string
	Expires      string // 90d, 12h, 2030-12-31
}

// Token is a token as it is stored, without its text.
type Token struct {
	ID, Name string
	Policy   Policy
	Summary  string // what it permits, in one sentence
	Spent    []Sum  // what it has used of its daily limits in the last 24 hours
	Expired  bool
}

// Sum is an amount of an asset.
type Sum struct {
	Asset  ledgerview.AssetRef
	Amount int64
}

// Tokens keeps the tokens with which programs call.
type Tokens interface {
	List(ctx context.Context) ([]Token, error)
	Describe(p Policy) (string, error)                                       // what it would permit, in one sentence
	New(ctx context.Context, name string, p Policy) (text []byte, err error) // the caller wipes the text
	Change(ctx context.Context, id string, p Policy) error
	Revoke(ctx context.Context, id string) error
}

// Core holds what the page needs.
type Core struct {
	Server  Server  // nil: the program has no listeners
	Traffic Traffic // of the server
	Tokens  Tokens
	Terms   []Term // under which programs may call
}

// Term is a condition under which programs may call: {"Spending", "you are asked", false}.
type Term struct {
	Name, Text string
	Open       bool // it calls for care
}
