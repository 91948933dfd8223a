package vault

import (
	"errors"
	"io/fs"
	"path/filepath"

	"billfold/keystore"
	"billfold/walletcore/fault"
)

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
