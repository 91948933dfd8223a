package content

import (
	"bytes"
	"context"
	"crypto/aes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"billfold/content/archive"
	"billfold/content/custody"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Made is a package that was made.
type Made struct {
	Hash      ledger.Hash160
	Custody   ledger.CustodyData
	Megabytes uint64
}

// Create makes a package, which it encrypts with key: that one must encrypt nothing else. Errors: fault.BadValue for content that cannot be
// packed, and for a package that is here already, those of open, fault.File, fault.Canceled.
func (e *Engine) Create(ctx context.Context, op string, from Source, key share.Key) (made Made, err error) {
	secret, err := custody.NewSecret()
	if err != nil {
		return made, &fault.Error{Code: fault.Internal, Op: op, Message: err.Error(), Err: err}
	}
	defer secret.Wipe()
	err = e.during(ctx, record{Task: Task{Kind: Creating}}, func(ctx context.Context, t *task) (err error) {
		made, err = e.pack(ctx, op, from, key, packing{secret: secret, progress: e.progress(t)})
		return err
	})
	return made, err
}

// packing holds the parameters for making a package.
type packing struct {
	secret   custody.Secret
	replace  bool                // a package with the same hash
	check    func(scanned) error // of what was packed; nil: none
	progress archive.Progress    // of reading and encrypting
	proving  archive.Progress    // of the signatures that follow; nil: nobody looks
}

func (e *Engine) pack(ctx context.Context, op string, from Source, key share.Key, how packing) (made Made, err error) {
	s, err := e.scan(ctx, op, from)
	if err != nil {
		return made, err
	}
	defer s.close()
	store, err := e.packages(op)
	if err != nil {
		return made, err
	}
	var raw archive.Key
	key.Put(&raw)
	defer clear(raw[:])
	var check func() error
	if how.check != nil {
		check = func() error { return how.check(s) }
	}
	pkg, err := store.Create(ctx, archive.Recipe{Content: s.content, Samples: s.samples, Key: &raw, Replace: how.replace, Progress: how.progress,
		Check: check,
		Custody: func(ctx context.Context, encrypted io.ReaderAt, size int64, signatures io.Writer) (err error) {
			var options custody.Options
			if how.proving != nil {
				options.Progress = func(done, all uint32) { how.proving(size/int64(all)*int64(done), size) }
			}
			made.Custody, err = how.secret.Sign(ctx, io.NewSectionReader(encrypted, 0, size), size, 0, signatures, options)
			return err
		}})
	if err != nil {
		return made, packageFault(op, err)
	}
	e.noteDamage(pkg.Hash, nil)
	megabytes, err := pkg.Megabytes()
	made.Hash, made.Megabytes = pkg.Hash, uint64(max(megabytes, 1))
	return made, packageFault(op, err)
}

// openNew is open for a folder that is extracted to.
func (e *Engine) openNew(op string, to Folder) (place, error) {
	if name := filepath.Base(to.Path); name != strings.TrimSpace(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return place{}, &fault.Error{Code: fault.BadValue, Op: op, Message: "the name " + fault.Quote(name) + " has a line end or another control character in it, or blanks at its ends",
			Hint: "name the folder otherwise; nothing was done"}
	}
	at, err := e.open(op, to)
	if err == nil && at.name == "." {
		at.close()
		err = &fault.Error{Code: fault.BadValue, Op: op, Message: fault.Quote(to.Path) + " cannot be extracted to", Hint: "name a new folder in it"}
	}
	return at, err
}

// find returns a package of this machine. Error: fault.NoSuchPackage.
func (e *Engine) find(op string, hash ledger.Hash160) (*archive.Package, error) {
	none := &fault.Error{Code: fault.NoSuchPackage, Op: op, Message: "the package " + hash.String() + " is not on this machine",
		Hint: "check the hash, or download the package first"}
	if _, err := os.Stat(e.PackageFolder); err != nil {
		return nil, none
	}
	store, err := e.packages(op)
	if err != nil {
		return nil, err
	}
	pkg, err := store.Package(hash)
	if errors.Is(err, archive.ErrNotFound) {
		return nil, none
	}
	return pkg, packageFault(op, err)
}

// Has reports whether a package is on this machine, and not known to be damaged.
func (e *Engine) Has(hash ledger.Hash160) bool {
	_, err := e.find("content", hash)
	return err == nil && !e.isDamaged(hash)
}

func (e *Engine) isDamaged(hash ledger.Hash160) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.damaged[hash]
}

// noteDamage records whether a package that was read turned out to have another hash. It can be fetched, or made, again then.
func (e *Engine) noteDamage(hash ledger.Hash160, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if errors.Is(err, archive.ErrHash) {
		e.damaged[hash] = true
	} else if err == nil {
		delete(e.damaged, hash)
	}
}

// removeDamaged removes a package that is known to be damaged, in whose place another one comes.
func (e *Engine) removeDamaged(op string, hash ledger.Hash160) error {
	if !e.isDamaged(hash) {
		return nil
	}
	store, err := e.packages(op)
	if err != nil {
		return err
	}
	if err := store.Remove(hash); err != nil && !errors.Is(err, archive.ErrNotFound) {
		return packageFault(op, err)
	}
	e.noteDamage(hash, nil)
	return nil
}

// Remove deletes a package, and ends its download. Errors: fault.NoSuchPackage, fault.PackageState for one that is being published or uploaded.
func (e *Engine) Remove(op string, hash ledger.Hash160) error {
	e.releasePlacesOf(hash)
	if t := e.taskOf(hash, Downloading); t != nil {
		return e.Cancel(op, t.ID)
	}
	for _, kind := range []Kind{Publishing, Uploading, Extracting} {
		if t := e.taskOf(hash, kind); t != nil {
			return &fault.Error{Code: fault.PackageState, Op: op, Message: "the package " + hash.String() + " is in use by the task " + t.ID + " (" + string(kind) + ")",
				Hint: "wait until that is done, or cancel it; nothing was removed"}
		}
	}
	if _, err := e.find(op, hash); err != nil {
		return err
	}
	store, err := e.packages(op)
	if err != nil {
		return err
	}
	err = store.Remove(hash)
	e.noteDamage(hash, err)
	return packageFault(op, err)
}

// taskOf returns a task about a package that is not over, nil if there is none.
func (e *Engine) taskOf(hash ledger.Hash160, kind Kind) *Task {
	for _, t := range e.Tasks() {
		if t.Kind == kind && t.Hash != nil && *t.Hash == hash && (t.State == Waiting || t.State == Running) {
			return &t
		}
	}
	return nil
}

// List returns the hashes of the packages of this machine. Error: fault.File.
func (e *Engine) List(op string) ([]ledger.Hash160, error) {
	if _, err := os.Stat(e.PackageFolder); err != nil {
		return nil, nil
	}
	store, err := e.packages(op)
	if err != nil {
		return nil, err
	}
	list, err := store.Packages()
	return list, packageFault(op, err)
}

// checkOffer compares what is to be submitted with the package, if that is on this machine: nothing is paid for what no buyer could use.
// Errors: fault.BadValue, fault.PackageState.
func (e *Engine) checkOffer(op string, hash ledger.Hash160, size uint64, key share.Key, cd *ledger.CustodyData) error {
	pkg, err := e.find(op, hash)
	if fault.CodeOf(err) == fault.NoSuchPackage {
		return nil // it was made elsewhere
	}
	if err != nil {
		return err
	}
	wrong := func(what, hint string) error {
		return &fault.Error{Code: fault.BadValue, Op: op, Message: "the package " + hash.String() + " " + what, Hint: hint + "; nothing was signed"}
	}
	if megabytes, err := pkg.Megabytes(); err != nil {
		return packageFault(op, err)
	} else if uint64(megabytes) > size {
		return wrong("has "+strconv.FormatInt(megabytes, 10)+" megabytes, not "+strconv.FormatUint(size, 10), "seeders would refuse it; name its size")
	}
	if n, err := custody.Signatures(pkg.Size); cd != nil && (err != nil || n != cd.N) {
		return wrong("does not fit the custody data, so nobody could prove to keep it", "name those that create_package returned with it")
	}
	if key.IsZero() {
		return nil
	}
	if fits, err := opens(pkg, key); err != nil {
		return packageFault(op, err)
	} else if !fits {
		return wrong("is not encrypted with this key, so no buyer could read it", "name the key that it was made with")
	}
	return nil
}

// opens reports whether a key decrypts the beginning of a package, which is that of a gzip stream.
func opens(pkg *archive.Package, key share.Key) (bool, error) {
	f, err := pkg.Open()
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	var block [aes.BlockSize]byte
	if _, err := io.ReadFull(f, block[:]); err != nil {
		return false, err
	}
	var raw archive.Key
	key.Put(&raw)
	defer clear(raw[:])
	cipher, err := aes.NewCipher(raw[:])
	if err != nil {
		return false, err
	}
	cipher.Decrypt(block[:], block[:]) // the initialisation vector is zero
	return bytes.HasPrefix(block[:], []byte{0x1f, 0x8b, 8}), nil
}
