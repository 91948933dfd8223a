package firstrun

import (
	"context"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"
)

// Maker offers what the page needs of the wallet.
type Maker interface {
	IsNew() bool
	Create(ctx context.Context, password string) error
	JudgePassword(lists *strength.Estimator, password string) strength.Verdict
	KeyImporter
	LegacyImporter
	PhraseMaker
	PhraseImporter
	Watcher
	Registrar
	Prover
}

// Nodes tries and chooses the node that the wallet asks. Choosing changes the settings, and takes effect when the session begins anew.
type Nodes interface {
	Fixed() string // why it cannot be chosen here; empty if it can
	Default() string
	Try(ctx context.Context, url string) error // nil if a node answers there that the wallet can use
	Use(url string) error
}

// Registrar builds the registration of an account with the keys of a recovery phrase, without signing it.
type Registrar interface {
	Register(ctx context.Context, req txbuild.CreateAccountParams) (screen.Built, error)
}

// Prover unlocks the wallet, returns the private keys that are to be written down, and records that they were.
type Prover interface {
	Unlock(ctx context.Context, password string) error
	PrivateKeyOf(key ledger.PublicKey) (ledger.KeyText, error)
	NoteBackup(ctx context.Context, account ledger.AccountID, keys []ledger.PublicKey) error // the copies were verified now
}

// PhraseMaker creates a wallet with the keys of a new recovery phrase.
type PhraseMaker interface {
	CheckNewName(ctx context.Context, name string) error
	CreateFromPhrase(ctx context.Context, password, phrase, name string) (vault.NewAccount, error)
	Waiting() ([]vault.Waiting, error)
}

// PhraseImporter imports the keys of a recovery phrase.
type PhraseImporter interface {
	CheckPhrase(ctx context.Context, in vault.PhraseImport) (vault.ImportedKey, error)
	ImportPhrase(ctx context.Context, in vault.PhraseImport) (vault.ImportedKey, error)
}

// Watcher lists an account whose keys are elsewhere.
type Watcher interface {
	CheckWatch(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
	Watch(ctx context.Context, nameOrID string) error
}

// KeyImporter imports a private key.
type KeyImporter interface {
	CheckKeyImport(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
	ImportAccountKey(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
}

// LegacyImporter imports a wallet.json.
type LegacyImporter interface {
	CheckLegacyFile(ctx context.Context, path string) error
	CheckLegacy(ctx context.Context, path, password string) (vault.Imported, error)
	ImportLegacy(ctx context.Context, path, oldPassword, newPassword string) (vault.Imported, error)
}
