package firstrun

import (
	"context"

	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
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
	CheckKeyImport(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
	ImportAccountKey(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
}

// LegacyImporter takes over a wallet.json.
type LegacyImporter interface {
	CheckLegacyFile(ctx context.Context, path string) error
	CheckLegacy(ctx context.Context, path, password string) (vault.Imported, error)
	ImportLegacy(ctx context.Context, path, oldPassword, newPassword string) (vault.Imported, error)
}
