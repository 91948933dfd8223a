package firstrun

import (
	"context"

	"billfold/walletcore"
	"billfold/walletcore/strength"
)

// Maker is what the page needs of the wallet.
type Maker interface {
	IsNew() bool
	Create(ctx context.Context, password string) error
	JudgePassword(lists *strength.Estimator, password string) strength.Verdict
	KeyImporter
	LegacyImporter
}

// KeyImporter takes over a private key.
type KeyImporter interface {
	CheckKeyImport(ctx context.Context, key walletcore.KeyImport) (walletcore.ImportedKey, error)
	ImportAccountKey(ctx context.Context, key walletcore.KeyImport) (walletcore.ImportedKey, error)
}

// LegacyImporter takes over a wallet.json.
type LegacyImporter interface {
	CheckLegacyFile(ctx context.Context, path string) error
	CheckLegacy(ctx context.Context, path, password string) (walletcore.Imported, error)
	ImportLegacy(ctx context.Context, path, oldPassword, newPassword string) (walletcore.Imported, error)
}
