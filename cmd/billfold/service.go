package main

import (
	"billfold/rpcserver"
	"billfold/rpcserver/auth/certificate"
	"billfold/rpcserver/auth/token"
	"billfold/rpcserver/events"
)

// service is the RPC server with what it needs beside the wallet.
type service struct {
	*rpcserver.Server
	identity *certificate.Identity // nil without TLS
	tokens   *token.Store
	events   *events.Publisher
}
