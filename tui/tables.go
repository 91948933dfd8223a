package tui

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/paytable"
	"billfold/walletcore/txbuild"
)

// tables builds the payments of tables.
type tables struct{ paytable.Tables }

// Build implements send.Tables.
func (t tables) Build(ctx context.Context, req paytable.Request) (screen.Built, error) {
	made, err := t.Tables.Build(ctx, req)
	if err != nil {
		return nil, err
	}
	return builtTable{made, t, req}, nil
}

// builtTable is a table that was built and can send itself.
type builtTable struct {
	*paytable.Prepared
	by  tables
	req paytable.Request
}

// Reread implements screen.Rereader.
func (b builtTable) Reread(ctx context.Context, shown txbuild.Review) (screen.Reread, error) {
	now, err := b.Again(ctx)
	if err != nil || !now.HasNewWarnings(shown) {
		return screen.Reread{Built: b, Review: now}, err
	}
	anew, err := b.by.Build(ctx, b.req)
	if err != nil {
		return screen.Reread{}, err
	}
	return screen.Reread{Built: anew, Review: anew.Review(), HasNewWarnings: true}, nil
}
