package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// Imported holds what an import brought over.
type Imported struct {
	Accounts []ledgerview.AccountRef
	Keys     int
	Unlisted []ledger.PublicKey // keys that belong to none of the accounts
	Pending  []string           // accounts with a pending registration
	Miners   []string           // accounts whose registration as a miner is pending
	Missing  []keystore.MissingKey
	ChainID  ledger.ChainID
}

// maxLegacy is the largest wallet.json that is read.
const maxLegacy = 64 << 20

// ImportLegacy takes over the wallet.json of the reference wallet: every key, account and pending registration. The file
// is only read. A new wallet is created with newPassword; an existing one must be unlocked, and newPassword is not used.
// Errors: fault.File, fault.WrongPassword, fault.WrongChain, fault.Locked.
func (m *Importer) ImportLegacy(_ context.Context, path, oldPassword, newPassword string) (Imported, error) {
	legacy, err := readLegacy(path, oldPassword)
	if err != nil {
		return Imported{}, err
	}
	defer legacy.Secrets.Wipe()
	if chain := m.vault.DaemonChain(); chain != (ledger.ChainID{}) {
		if err := legacy.Public.CheckChain(chain); err != nil {
			return Imported{}, wrongChain(legacy, "the node is of "+chain.String(), err)
		}
	}
	if m.vault.IsNew() {
		err = m.vault.create(newPassword, legacy.Public, legacy.Secrets)
	} else {
		err = m.merge(legacy)
	}
	if err != nil {
		return Imported{}, err
	}
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return summary(legacy), nil
}

// CheckLegacy returns what a wallet.json contains, and imports nothing; it works before
// there is a wallet. Errors: those of ImportLegacy.
func (m *Importer) CheckLegacy(_ context.Context, path, password string) (Imported, error) {
	legacy, err := readLegacy(path, password)
	if err != nil {
		return Imported{}, err
	}
	defer legacy.Secrets.Wipe()
	if chain := m.vault.DaemonChain(); chain != (ledger.ChainID{}) {
		if err := legacy.Public.CheckChain(chain); err != nil {
			return Imported{}, wrongChain(legacy, "the node is of "+chain.String(), err)
		}
	}
	return summary(legacy), nil
}

// CheckLegacyFile reports whether a file is a wallet.json, without its password.
// Error: fault.File.
func (m *Importer) CheckLegacyFile(_ context.Context, path string) error {
	data, err := legacyData(path)
	if err != nil {
		return err
	}
	if err := keystore.CheckLegacy(data); err != nil {
		return fault.KeyFile("import", err)
	}
	return nil
}

// wrongChain returns the error of a wallet.json that belongs to another chain than what follows.
func wrongChain(legacy *keystore.Legacy, other string, err error) *fault.Error {
	return &fault.Error{Code: fault.WrongChain, Op: "import", Err: err, Hint: "nothing was changed; import it into a wallet of its own chain",
		Message: "the wallet.json belongs to the chain " + legacy.Public.ChainID.String() + ", and " + other}
}

func readLegacy(path, password string) (*keystore.Legacy, error) {
	data, err := legacyData(path)
	if err != nil {
		return nil, err
	}
	if err := keystore.CheckLegacy(data); err != nil { // also for keys that are none
		return nil, fault.KeyFile("import", err)
	}
	legacy, err := keystore.ReadLegacy(data, password)
	if err != nil {
		return nil, fault.KeyFile("import", err)
	}
	return legacy, nil
}

func legacyData(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, legacyFile(path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxLegacy {
		return nil, &fault.Error{
			Code:    fault.File,
			Op:      "import",
			Message: fault.Quote(path) + " is not a wallet file",
			Hint:    "name the wallet.json that cli_wallet wrote",
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, legacyFile(path, err)
	}
	return data, nil
}

func legacyFile(path string, err error) *fault.Error {
	e := &fault.Error{
		Code:    fault.File,
		Op:      "import",
		Message: "the file " + fault.Quote(path) + " cannot be read",
		Hint:    "check its name and permissions; nothing was changed",
		Err:     err,
	}
	if errors.Is(err, fs.ErrNotExist) {
		e.Message = "there is no file " + fault.Quote(path)
	}
	return e
}

// merge adds what a legacy file holds to the unlocked keystore.
func (m *Importer) merge(legacy *keystore.Legacy) error {
	store, err := m.vault.Unlocked("import")
	if err != nil {
		return err
	}
	err = store.Update(func(c *keystore.Contents) error {
		if err := c.Public.CheckChain(legacy.Public.ChainID); err != nil {
			return wrongChain(legacy, "this wallet to "+c.Public.ChainID.String(), err)
		}
		c.Public.ChainID = legacy.Public.ChainID
		return addLegacy(c, legacy)
	})
	var own *fault.Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return fault.KeyFile("import", err)
}

func addLegacy(c *keystore.Contents, legacy *keystore.Legacy) error {
	for _, a := range legacy.Public.Accounts {
		c.AddAccount(a.ID, a.Name)
		for _, pub := range legacy.Public.KeysOf(a.ID) {
			if key, held := legacy.Secrets.Key(pub); held {
				if err := c.AddKey(a.ID, key); err != nil {
					return err
				}
			}
		}
	}
	for _, pub := range legacy.Secrets.PublicKeys() {
		key, _ := legacy.Secrets.Key(pub)
		if _, err := c.Secrets.AddKey(key); err != nil {
			return err
		}
	}
	if err := addElGamal(c.Secrets, legacy.Secrets); err != nil {
		return err
	}
	for _, p := range legacy.Secrets.PendingAccounts() {
		if err := c.Secrets.AddPendingAccount(p.Name, p.Keys...); err != nil {
			return err
		}
	}
	for _, p := range legacy.Secrets.PendingMiners() {
		if err := c.Secrets.SetPendingMiner(p.Name, p.Keys[0]); err != nil {
			return err
		}
	}
	return nil
}

// addElGamal adds the pairs that neither follow from the keys nor were added before.
func addElGamal(to, from *keystore.Secrets) error {
	held := map[string]bool{}
	for _, pair := range to.ElGamalKeys() {
		held[pair.Public.String()] = true
		pair.Wipe()
	}
	for _, pair := range from.ElGamalKeys() {
		if !held[pair.Public.String()] {
			if err := to.AddElGamal(pair); err != nil {
				return err
			}
		}
		pair.Wipe()
	}
	return nil
}

func summary(legacy *keystore.Legacy) Imported {
	out := Imported{Missing: legacy.Missing, Keys: len(legacy.Secrets.PublicKeys()), Unlisted: legacy.Unlisted, ChainID: legacy.Public.ChainID}
	for _, a := range legacy.Public.Accounts {
		out.Accounts = append(out.Accounts, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
	}
	for _, p := range legacy.Secrets.PendingMiners() {
		out.Miners = append(out.Miners, p.Name)
	}
	for _, p := range legacy.Secrets.PendingAccounts() {
		out.Pending = append(out.Pending, p.Name)
	}
	return out
}
