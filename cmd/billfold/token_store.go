package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"billfold/ledger/printable"
	"billfold/rpcserver/auth/token"
)

// printNotes prints what tokens of an earlier version may no longer do.
func printNotes(out io.Writer, store *token.Store) {
	for _, note := range store.Notes() {
		fmt.Fprintln(out, printable.Text(note))
	}
}

// tokenStore opens the tokens in the wallet's folder, or those that several servers share. done closes them.
func (s *settings) tokenStore(ctx context.Context) (tokens *token.Store, done func(), err error) {
	if s.store == "" || s.sandbox {
		tokens, err = token.OpenStoreFor(s.tokensPath(), s.trust.Covers)
		return tokens, func() {}, err
	}
	kept, err := s.storeOptions(nil).OpenAside(ctx, s.store)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = kept.Close() } // nothing waits to be written
	if tokens, err = token.OpenTable(kept.Tokens); err != nil {
		done()
	}
	return tokens, done, err
}

func (s *settings) tokensPath() string { return filepath.Join(s.dataDir, tokensName) }

// tokens opens the tokens that the server accepts.
func (p *program) tokens() (*token.Store, error) {
	if !p.store.Tokens.Shared() {
		return token.OpenStoreFor(p.settings.tokensPath(), p.settings.trust.Covers)
	}
	if _, err := os.Stat(p.settings.tokensPath()); err == nil && p.log != nil {
		p.log.Warn("tokens: those in a file are ignored, as the servers use the tokens in their shared store", "file", p.settings.tokensPath())
	}
	return token.OpenTable(p.store.Tokens)
}
