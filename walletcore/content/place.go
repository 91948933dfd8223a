package content

import (
	"context"
	"math"
	"path"
	"path/filepath"

	"billfold/content/archive"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/osfile"
	"billfold/walletcore/fault"
)

// keptPlace is a folder that is kept for content which is being bought, until it is extracted.
type keptPlace struct {
	hash    ledger.Hash160
	buyer   string // "" = it is only extracted
	size    int64  // of the package at most, in bytes; 0 if it is here
	at      place
	claim   *archive.Claim
	working bool // it is being extracted to
}

func (k *keptPlace) release() {
	k.claim.Release()
	k.at.close()
}

// path returns the whole path of the place.
func (p place) path() string { return filepath.Join(p.root.Name(), filepath.FromSlash(p.name)) }

// KeepPlace keeps a folder for the content at an address before that is paid for: it is refused unless the content can be extracted there, and
// everybody else, another buyer of the content too, is refused the folder until the content is extracted, its package removed, release called, or
// the program ends. What an earlier call of the buyer keeps stays kept, and release does nothing then. check looks once more. Errors: fault.BadValue, fault.PackageState while
// somebody else has the folder, fault.File, those of open and of Quorum.Offer.
func (e *Engine) KeepPlace(ctx context.Context, op, uri, buyer string, to Folder) (release func(), check func() error, err error) {
	offer, err := e.View.Quorum.Offer(ctx, uri)
	if err != nil {
		return nil, nil, err
	}
	if account, err := e.View.Accounts.Named(ctx, buyer); err == nil { // by its name and by its id it is one
		buyer = account.ID.String()
	}
	k, isNew, err := e.claim(op, offer.Hash, buyer, to, int64(min(offer.Size, math.MaxInt32))<<20)
	if err != nil {
		return nil, nil, unpaid(err)
	}
	release = func() {}
	if isNew {
		release = func() { e.releasePlaces(func(other *keptPlace) bool { return other == k }) }
	}
	return release, func() error { return unpaid(e.CheckPlace(op, offer.Hash, to)) }, nil
}

// claim claims a folder for a package of at most so many bytes, or finds it claimed for it, by the same buyer if there is one.
func (e *Engine) claim(op string, hash ledger.Hash160, buyer string, to Folder, size int64) (k *keptPlace, isNew bool, err error) {
	at, err := e.openNew(op, to)
	if err != nil {
		return nil, false, err
	}
	e.placing.Lock()
	defer e.placing.Unlock()
	for _, k := range e.kept {
		if k.hash == hash && k.at.path() == at.path() && (buyer == "" || buyer == k.buyer) {
			at.close()
			if size, err = e.roomFor(op, hash, k.at, k.size); err == nil {
				err = packageFault(op, k.claim.Check(size))
			}
			return k, false, err
		}
	}
	k = &keptPlace{hash: hash, buyer: buyer, size: size, at: at}
	if size, err = e.roomFor(op, hash, at, size); err == nil {
		k.claim, err = archive.ClaimPlace(at.root, at.name, size)
	}
	if err != nil {
		at.close()
		return nil, false, packageFault(op, err)
	}
	e.kept = append(e.kept, k)
	return k, true, nil
}

// roomFor returns how many bytes the disk of a place needs for a package of at most so many bytes: twice as many where the package is to be
// downloaded to the same disk. Error: fault.File if the disk that it is downloaded to has too little room.
func (e *Engine) roomFor(op string, hash ledger.Hash160, at place, size int64) (int64, error) {
	if size == 0 || e.Has(hash) {
		return size, nil
	}
	if _, err := e.packages(op); err != nil {
		return 0, err
	}
	free, all, known := osfile.Room(e.PackageFolder)
	if known && free < uint64(size) { //nolint:gosec // no size is negative
		return 0, packageFault(op, archive.RoomError(e.PackageFolder, size, int64(free))) //nolint:gosec // less than size
	}
	if _, other, both := osfile.Room(at.root.Name()); known && both && all == other {
		return 2 * size, nil
	}
	return size, nil
}

// releasePlaces ends what is kept of the places that are meant.
func (e *Engine) releasePlaces(meant func(*keptPlace) bool) {
	e.placing.Lock()
	defer e.placing.Unlock()
	var left []*keptPlace
	for _, k := range e.kept {
		if meant(k) {
			k.release()
		} else {
			left = append(left, k)
		}
	}
	e.kept = left
}

// releasePlacesOf ends what is kept for a package.
func (e *Engine) releasePlacesOf(hash ledger.Hash160) {
	e.releasePlaces(func(k *keptPlace) bool { return k.hash == hash && !k.working })
}

// CheckPlace returns why a package could not be extracted to a folder. Errors: those of KeepPlace.
func (e *Engine) CheckPlace(op string, hash ledger.Hash160, to Folder) error {
	k, isNew, err := e.claim(op, hash, "", to, 0)
	if isNew {
		e.releasePlaces(func(other *keptPlace) bool { return other == k })
	}
	return err
}

// Extract decrypts a package into a folder, which must not exist or be empty: all of it, or nothing. Errors: fault.NoSuchPackage,
// fault.PackageState for one that is damaged, and while somebody else has the folder, fault.BadValue for a wrong key or a folder that is not
// free, those of open.
func (e *Engine) Extract(ctx context.Context, op string, hash ledger.Hash160, to Folder, key share.Key) error {
	pkg, err := e.find(op, hash)
	if err != nil {
		return err
	}
	k, isNew, err := e.claim(op, hash, "", to, 0)
	if err != nil {
		return err
	}
	if !e.takePlace(k) {
		return &fault.Error{Code: fault.PackageState, Op: op, Message: "this content is being extracted to " + fault.Quote(to.Path) + " already", Hint: "list_content_tasks shows how far it is"}
	}
	err = e.extract(ctx, op, pkg, k.at, key)
	e.placing.Lock()
	k.working = false
	e.placing.Unlock()
	e.releasePlaces(func(other *keptPlace) bool {
		return other == k && isNew || other.hash == hash && (k.buyer == "" || k.buyer == other.buyer) && err == nil && !other.working
	})
	return err
}

// takePlace marks a place as being extracted to; false if it is already.
func (e *Engine) takePlace(k *keptPlace) bool {
	e.placing.Lock()
	defer e.placing.Unlock()
	taken := k.working
	k.working = true
	return !taken
}

func (e *Engine) extract(ctx context.Context, op string, pkg *archive.Package, at place, key share.Key) error {
	e.forgetFailed(Extracting, pkg.Hash)
	r := record{Task: Task{Kind: Extracting, Hash: &pkg.Hash}, Folder: filepath.Join(at.root.Name(), filepath.FromSlash(path.Dir(at.name))), Name: path.Base(at.name)}
	return e.during(ctx, r, func(ctx context.Context, t *task) error {
		var raw archive.Key
		key.Put(&raw)
		defer clear(raw[:])
		_, err := pkg.Extract(ctx, &raw, at.root, at.name, archive.DefaultLimits(), e.progress(t))
		e.noteDamage(pkg.Hash, err)
		return packageFault(op, err)
	})
}
