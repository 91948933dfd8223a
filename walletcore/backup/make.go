package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"billfold/keystore"
	"billfold/osfile"
	"billfold/walletcore/database"
	"billfold/walletcore/store/sqlite"
)

// Source describes the wallet that is backed up.
type Source struct {
	Folder  string            // of the wallet
	Program string            // version of this program
	Sealing *keystore.Options // nil = for real wallets
	Now     time.Time
}

// Seal holds the recipients of age that a backup is sealed for, if there are any, or else its password.
type Seal struct {
	Password   string
	Recipients keystore.Recipients
}

// check refuses a password that nobody could type again.
func (s Seal) check() error {
	if !s.Recipients.None() {
		return nil
	}
	return keystore.CheckNewPassword(s.Password)
}

func (s Seal) open(to io.Writer, version int, o *keystore.Options) (io.WriteCloser, error) {
	if !s.Recipients.None() {
		return keystore.SealBackupTo(to, version, s.Recipients)
	}
	return keystore.SealBackup(to, version, s.Password, o)
}

// workPrefix begins the names of folders in the wallet's folder in which a backup or a restore works.
const workPrefix = ".backup-"

// workAge is the age beyond which such a folder must be that of a program that was killed.
const workAge = 24 * time.Hour

// Make backs a wallet up into the new file to while programs use it. The file is for its owner alone, and on disk on return; after an error it
// is not there. Errors of ctx included, they are sentences; keystore.ErrUnseen means a password that nobody could type again.
func Make(ctx context.Context, from Source, to string, seal Seal) (m Manifest, err error) {
	if err := refuseExisting(to); err != nil {
		return m, err
	}
	if err := seal.check(); err != nil {
		return m, err
	}
	sweep(from.Folder, from.Now)
	work, err := os.MkdirTemp(from.Folder, workPrefix)
	if err != nil {
		return m, fmt.Errorf("the wallet's folder has no room for a copy of the store: %w", database.Explain(from.Folder, err))
	}
	defer os.RemoveAll(work) //nolint:errcheck // nothing uses what may be left of it, and the next backup removes it
	m = Manifest{Made: from.Now.UTC().Truncate(time.Second), Program: from.Program}
	journal := filepath.Join(from.Folder, sqlite.Name)
	// The store first: keys that are made meanwhile are in the key file then, and a store that knows of fewer keys is held all the same.
	if m.Changes, err = sqlite.Backup(ctx, journal, filepath.Join(work, sqlite.Name)); err != nil {
		return m, err
	}
	keys, err := keystore.OpenWith(filepath.Join(from.Folder, keysName), from.Sealing)
	if err != nil {
		return m, err
	}
	m.Chain, m.Keys, m.Accounts = keys.ChainID(), len(keys.PublicKeys()), len(keys.Accounts())
	archives, err := sqlite.ArchivesOf(ctx, filepath.Join(work, sqlite.Name))
	if err != nil {
		return m, err
	}
	version := keystore.BackupOfWallet
	if len(archives) > 0 {
		version = keystore.BackupWithArchives
	}
	var contents []io.Reader
	for _, name := range slices.Insert(names(), 1, slices.Sorted(maps.Keys(archives))...) {
		path := filepath.Join(from.Folder, name)
		if name == sqlite.Name {
			path = filepath.Join(work, name)
		}
		file, listed, err := open(path, name)
		sum, archived := archives[name]
		if errors.Is(err, fs.ErrNotExist) && name != keysName && name != sqlite.Name && !archived {
			continue
		}
		if err == nil && archived && hex.EncodeToString(listed.SHA256) != sum {
			err = errors.Join(errors.New("it is not as it was made, and the store needs it"), file.Close())
		}
		if err != nil && archived {
			err = fmt.Errorf("%w; put that archive back as it was, from an older backup or a copy of it; until then billfold journal backup FILE copies what must not be lost, and if it is gone for good, billfold store give-up %s does without it", err, name)
		}
		if err != nil {
			return m, fmt.Errorf("%s cannot be backed up: %w", path, err)
		}
		defer file.Close() //nolint:errcheck // it is only read
		m.Files, contents = append(m.Files, listed), append(contents, file)
	}
	return m, publish(to, func(file io.Writer) error {
		sealed, err := seal.open(until{ctx, file}, version, from.Sealing)
		if err != nil {
			return err
		}
		return errors.Join(write(sealed, m, contents), sealed.Close())
	})
}

func refuseExisting(path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%s exists already; name a new file", path)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

// sweep removes what killed programs left in the folder.
func sweep(folder string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(folder, workPrefix+"*")) // the pattern is good
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && info.IsDir() && now.Sub(info.ModTime()) > workAge {
			_ = os.RemoveAll(path) // if it fails, the next backup tries again
		}
	}
}

// open opens a file that is replaced as a whole when it changes, and lists it. The handle stays at its first byte.
//
// It must not be given the store that is in use: a process that closes a handle of it gives up SQLite's locks.
func open(path, name string) (file *os.File, listed File, err error) {
	info, err := os.Stat(path) // opening a pipe would wait for its writer
	if err != nil {
		return nil, listed, err
	}
	if !info.Mode().IsRegular() {
		return nil, listed, errors.New("it is not a file")
	}
	if file, err = os.Open(path); err != nil {
		return nil, listed, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, listed, errors.Join(err, file.Close())
	}
	return file, File{name, n, sum.Sum(nil)}, nil
}

// publish has fill write a file under a temporary name beside to, syncs it and gives it its name, under which nothing may be.
func publish(to string, fill func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+".*.partial") // for its owner alone
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", to, err)
	}
	defer os.Remove(file.Name()) //nolint:errcheck // it is gone already if all went well
	err = fill(file)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("the backup was not made: %w", database.Explain(to, err))
	}
	if err := os.Link(file.Name(), to); errors.Is(err, fs.ErrExist) {
		return refuseExisting(to)
	} else if err != nil { // the disk knows no links, as one of a camera
		if err := refuseExisting(to); err != nil {
			return err
		}
		if err := os.Rename(file.Name(), to); err != nil {
			return fmt.Errorf("%s cannot be written: %w", to, err)
		}
	}
	_ = os.Remove(file.Name())
	if err := osfile.SyncFolder(filepath.Dir(to)); err != nil {
		return fmt.Errorf("%s may not last, as its folder cannot be synced: %w", to, err)
	}
	return nil
}

// until writes until ctx ends.
type until struct {
	ctx context.Context
	to  io.Writer
}

// Write implements io.Writer.
func (u until) Write(data []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, errors.New("it was stopped")
	}
	return u.to.Write(data)
}
