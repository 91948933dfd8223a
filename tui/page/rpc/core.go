package rpc

import (
	"context"
	"time"

	"billfold/walletcore/ledgerview"
)

// Listener is where programs call the wallet.
type Listener struct {
	Name   string
	Addr   string // with its scheme: where it listens, or would
	On     bool
	Since  time.Time // on since
	Token  bool      // who shows no token is turned away
	Beyond bool      // other machines reach it
}

// Client is a program that calls.
type Client struct {
	Number         uint64
	Who, Via, From string // From is "" for this machine
	Open           bool   // its connection stays open and can be cut off
	Calls          int
	Last           time.Time
}

// Call is a call, or several of one kind that came fast.
type Call struct {
	At             time.Time
	Who, Via, From string
	Method         string // "" where it is unknown
	Params         string // as far as they may be seen
	Count, Running int
	Took           time.Duration
	Fault, Message string // why it failed; "" where it did not
	Status         int    // of a request that was turned away; 0 otherwise
}

// Server is the listeners.
type Server interface {
	Listeners() []Listener
	Switch(name string, on bool) error
}

// Traffic is who calls through the listeners, and what.
type Traffic interface {
	Clients() []Client
	Calls() []Call // the newest first
	CutOff(number uint64) bool
}

// Policy is what a token permits, in the words of its owner; an empty field does not restrict.
type Policy struct {
	May          string // operations and groups, with commas
	Accounts     string // that may be acted for
	Destinations string // that may be paid
	PerPayment   string // amounts with their assets, with commas: 5 DCT, 2 USDX
	PerDay       string
	AskAbove     string
	Expires      string // 90d, 12h, 2030-12-31
}

// Token is a token as it is kept.
type Token struct {
	ID, Name string
	Policy   Policy
	Says     string // what it permits, in one sentence
	Spent    []Sum  // of its day's limits, in the last 24 hours
	Expired  bool
}

// Sum is an amount of an asset.
type Sum struct {
	Asset  ledgerview.AssetRef
	Amount int64
}

// Tokens are those that programs call with.
type Tokens interface {
	List(ctx context.Context) ([]Token, error)
	Describe(p Policy) (string, error)                                       // what it would permit, in one sentence
	New(ctx context.Context, name string, p Policy) (text []byte, err error) // the caller wipes the text
	Change(ctx context.Context, id string, p Policy) error
	Revoke(ctx context.Context, id string) error
}

// Core is what the page needs.
type Core struct {
	Server  Server  // nil: there is none
	Traffic Traffic // of the server
	Tokens  Tokens
	Terms   []Term // under which programs may call
}

// Term is a condition under which programs may call: {"Spending", "you are asked", false}.
type Term struct {
	Name, Text string
	Open       bool // it is one to be careful with
}
