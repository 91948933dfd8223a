package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"billfold/keystore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// fileEvery is the interval between checks of the key file.
const fileEvery = 2 * time.Second

// Follow takes over what other programs write into the key file, such as an imported key or the first wallet, until ctx ends.
func (v *Vault) Follow(ctx context.Context) error {
	tick := time.NewTicker(fileEvery)
	defer tick.Stop()
	for failure := ""; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := v.rereadFile(); err == nil {
			if failure != "" {
				failure = ""
				v.Logger.Warn("keys: the file that another program wrote can be loaded")
			}
		} else if text := err.Error(); text != failure { // once, not every two seconds
			failure = text
			v.Logger.Warn("keys: the file was written by another program and cannot be loaded", "error", text)
		}
	}
}

func (v *Vault) rereadFile() error {
	store := v.keys()
	if store == nil {
		return v.findFile()
	}
	changed, err := store.Reread()
	if changed {
		v.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

// findFile opens a key file that another program created.
func (v *Vault) findFile() error {
	found, err := v.openFound()
	if found {
		v.Events.Publish(event.Event{Kind: event.Lock})
		v.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

func (v *Vault) openFound() (bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.store != nil {
		return false, nil
	}
	if _, err := os.Lstat(v.Path); err != nil { // usually because there is none
		return false, nil
	}
	err := v.openStore()
	return v.store != nil, err
}

// SaveCopy copies the key file, still encrypted, into the folder of copies beside it. Without a name it does nothing,
// because every change is saved at once. Errors: fault.Locked, fault.File.
func SaveCopy(v *Vault, name string) error {
	if err := v.CheckOpen("save_wallet_file"); err != nil || name == "" {
		return err
	}
	err := v.keys().Copy(name)
	if err == nil {
		return nil
	}
	e := &fault.Error{Code: fault.File, Op: "save_wallet_file", Message: "the wallet was not copied: " + err.Error(),
		Hint: "copies are written into " + keystore.CopiesFolder(v.Path), Err: err}
	if errors.Is(err, fs.ErrExist) {
		e.Message, e.Hint = "there is a copy of that name already, and no copy is replaced", "choose another name"
	}
	return e
}

// Reload reads the key file again if name is empty or the file's own name, and reports whether it was read. For any
// other name it reports false without reading the disk: one process serves one wallet.
func Reload(v *Vault, name string) (bool, error) {
	if name != "" && name != v.Path && name != filepath.Base(v.Path) {
		return false, nil
	}
	err := v.rereadFile()
	if err != nil {
		return false, fault.KeyFile("load_wallet_file", err)
	}
	return v.State() != New, nil
}
