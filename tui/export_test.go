package tui

import (
	"context"

	"billfold/tui/page/content"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
	"billfold/walletcore"
	"billfold/walletcore/cosign"
)

// What the tests of the root may use of its internals.

// Pages returns the pages with a key of their own.
func Pages() []frame.Page { return pages() }

// Page returns the page that is shown.
func (m *Model) Page() screen.ID { return m.page }

// Screen returns a page.
func (m *Model) Screen(id screen.ID) screen.Screen { return m.screens[id] }

// Keep saves what was typed, as the program does when it ends.
func (m *Model) Keep(ctx context.Context) error {
	_, err := m.saveTyped(ctx, m.env, saveLimit)
	return err
}

// Saved returns what the program prints about what it saved when it ends.
func (m *Model) Saved(ctx context.Context) []string {
	saved, _ := m.saveTyped(ctx, m.env, saveLimit)
	return saved
}

// Env returns the reading that the last frame was drawn from.
func (m *Model) Env() screen.Env { return m.env }

// WhyNoSigning returns why a file cannot be signed; empty if it can.
func WhyNoSigning(ctx context.Context, w *walletcore.Wallet, file *cosign.File) (string, error) {
	seen, err := files{w}.inspect(ctx, "", file)
	return seen.Off, err
}

// ContentOf returns a wallet as the page of content needs it.
func ContentOf(w *walletcore.Wallet) content.Core { return shop{payer{w.Payments, w}} }
