package backup

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/keystore"
	"billfold/osfile"
	"billfold/walletcore/database"
	"billfold/walletcore/store/sqlite"
)

// Key opens a backup: identities if it is sealed to recipients, else its password.
type Key struct {
	Password   string
	Identities *keystore.Identities // nil = the password
}

// open returns what is in a backup, and what wipes the key of it.
func (k Key) open(source io.Reader) (plain io.Reader, end func(), err error) {
	if k.Identities != nil {
		plain, err = keystore.OpenBackupWith(source, *k.Identities)
		return plain, func() {}, err
	}
	sealed, err := keystore.OpenBackup(source, k.Password)
	if err != nil {
		return nil, nil, err
	}
	return sealed, sealed.Close, nil
}

// Restore takes a backup out into a folder that is empty or not there. The wallet in it spends nothing until its journal is accepted, see
// sqlite.Adopt. Everything is on disk on return; after an error the folder is as it was. Errors are sentences.
func Restore(ctx context.Context, file string, key Key, folder string) (m Manifest, err error) {
	if err := refuseUsed(folder); err != nil { // it takes a while to type a password
		return m, err
	}
	source, err := openBackup(file)
	if err != nil {
		return m, err
	}
	defer source.Close()                 //nolint:errcheck // it is only read
	sealed, end, err := key.open(source) // before anything is made
	if err != nil {
		return m, err
	}
	defer end()
	made, err := makeFolder(folder)
	defer func() {
		if err != nil {
			for _, path := range made {
				_ = os.Remove(path) // which removes no folder with anything in it
			}
		}
	}()
	if err != nil {
		return m, fmt.Errorf("the folder %s cannot be made: %w", folder, err)
	}
	work, err := os.MkdirTemp(folder, workPrefix)
	if err != nil {
		return m, fmt.Errorf("the folder %s cannot be written to: %w", folder, err)
	}
	defer os.RemoveAll(work) //nolint:errcheck // removed before the folders around it, if there was an error
	if m, err = extract(ctx, sealed, work); err != nil {
		return m, database.Explain(folder, err)
	}
	if err := adopt(ctx, work, file, m); err != nil {
		return m, err
	}
	return m, putInPlace(work, folder, m)
}

// Ready reports whether a backup is sealed to recipients. It refuses, without what opens it, what Restore would refuse first: a folder with
// anything in it, and a file that is no backup that this program knows.
func Ready(file, folder string) (toRecipients bool, err error) {
	if err := refuseUsed(folder); err != nil {
		return false, err
	}
	source, err := openBackup(file)
	if err != nil {
		return false, err
	}
	toRecipients, err = keystore.CheckBackup(source)
	return toRecipients, errors.Join(err, source.Close())
}

// refuseUsed refuses a folder with anything in it.
func refuseUsed(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the folder %s cannot be used: %w", folder, err)
	case len(entries) > 0:
		return fmt.Errorf("the folder %s has %s in it, and a backup is restored into an empty folder only; name a new one with --data-dir",
			folder, entries[0].Name())
	}
	return nil
}

func openBackup(path string) (*os.File, error) {
	info, err := os.Stat(path) // opening a pipe would wait for its writer
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	var file *os.File
	if err == nil {
		file, err = os.Open(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no backup %s; check its path", path)
	}
	if of, is := errors.AsType[*fs.PathError](err); is { // it is named already
		err = of.Err
	}
	if err != nil {
		return nil, fmt.Errorf("the backup %s cannot be read: %w; check its path", path, err)
	}
	return file, nil
}

// makeFolder makes a folder with those above it, and returns which were not there, the deepest first.
func makeFolder(folder string) (made []string, err error) {
	for path := filepath.Clean(folder); ; path = filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			break
		}
		made = append(made, path)
	}
	return made, os.MkdirAll(folder, 0o700)
}

// extract writes the files of a backup into a folder, and syncs them.
func extract(ctx context.Context, sealed io.Reader, folder string) (m Manifest, err error) {
	err = read(sealed, func(listed Manifest) error { m = listed; return nil }, func(f File, from io.Reader) error {
		file, err := os.OpenFile(filepath.Join(folder, f.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(until{ctx, file}, from)
		return errors.Join(err, file.Sync(), file.Close())
	})
	return m, err
}

// adopt makes what came out of a backup a wallet that spends nothing yet.
func adopt(ctx context.Context, work, file string, m Manifest) error {
	keys, err := keystore.Open(filepath.Join(work, keysName))
	if err != nil {
		return err
	}
	if err := m.hasArchives(ctx, filepath.Join(work, sqlite.Name)); err != nil {
		return err
	}
	owner := sqlite.Owner{ID: keys.Journal(), Chain: keys.ChainID()}
	return sqlite.Adopt(ctx, filepath.Join(work, sqlite.Name), "in "+file, m.Made, owner)
}

// hasArchives refuses a backup without an archive that the store in it, at path, names. A store of an earlier version names none.
func (m Manifest) hasArchives(ctx context.Context, path string) error {
	archives, err := sqlite.ArchivesOf(ctx, path)
	if err != nil {
		return nil //nolint:nilerr // whoever adopts the store says what is wrong with it
	}
	for _, f := range m.Files {
		if archives[f.Name] == hex.EncodeToString(f.SHA256) {
			delete(archives, f.Name)
		}
	}
	for name := range archives {
		return damaged("it lacks " + name + ", which has a part of the store")
	}
	return nil
}

// putInPlace moves the files into the folder, the mark of the store before the store and the key file last: whenever that ends, the folder
// has no wallet that spends. After an error it is empty.
func putInPlace(work, folder string, m Manifest) (err error) {
	moved := []string{sqlite.MarkName}
	for _, f := range m.Files {
		moved = append(moved, f.Name)
	}
	for i, name := range moved {
		if err = osfile.Rename(filepath.Join(work, name), filepath.Join(folder, name)); err != nil {
			moved = moved[:i]
			break
		}
		if name == sqlite.MarkName {
			err = osfile.SyncFolder(folder)
		}
	}
	if err = errors.Join(err, osfile.SyncFolder(folder)); err != nil {
		for _, name := range moved {
			_ = os.Remove(filepath.Join(folder, name))
		}
		return fmt.Errorf("the files cannot be put into %s: %w", folder, err)
	}
	return nil
}
