package main

import (
	"fmt"
	"io"
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

func (s *settings) tokenStore() (*token.Store, error) {
	return token.OpenStore(filepath.Join(s.dataDir, tokensName))
}
