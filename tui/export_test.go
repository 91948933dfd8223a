package tui

import (
	"context"

	"billfold/tui/screen"
	"billfold/tui/widget/frame"
	"billfold/walletcore"
	"billfold/walletcore/cosign"
)

// What the tests of the root see of its inside.

// Pages are those with a key of their own.
func Pages() []frame.Page { return pages() }

// Page is the page that is shown.
func (m *Model) Page() screen.ID { return m.page }

// Screen is the page of an id.
func (m *Model) Screen(id screen.ID) screen.Screen { return m.screens[id] }

// Keep does what the end of the program does with what was typed.
func (m *Model) Keep(ctx context.Context) error {
	_, err := m.keep(ctx, m.env, keepLimit)
	return err
}

// Told is what the end of the program says after it kept what was typed.
func (m *Model) Told(ctx context.Context) []string {
	told, _ := m.keep(ctx, m.env, keepLimit)
	return told
}

// Env is the reading that the last frame was drawn from.
func (m *Model) Env() screen.Env { return m.env }

// WhyNoSigning is why a file cannot be signed.
func WhyNoSigning(ctx context.Context, w *walletcore.Wallet, file *cosign.File) (string, error) {
	seen, err := files{w}.look(ctx, "", file)
	return seen.Off, err
}
