package content

import (
	"context"
	"errors"
	"math"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// networkFault returns an error of the IPFS daemon, or of a package, as one of the wallet.
func networkFault(op string, err error) error {
	known, is := errors.AsType[*ipfs.Error](err)
	if !is {
		return packageFault(op, err)
	}
	e := &fault.Error{Code: fault.IPFS, Op: op, Message: lowerFirst(known.Message), Hint: known.Hint, Err: err}
	if errors.Is(known, ipfs.ErrContent) || errors.Is(known, ipfs.ErrURI) {
		e.Code = fault.NothingAtURL
	}
	return e
}

// Upload stores a package in IPFS and returns its address. protocol must be ipfs. Errors: fault.BadValue, fault.NoSuchPackage,
// fault.PackageState, fault.IPFS, fault.Canceled.
func (e *Engine) Upload(ctx context.Context, op string, hash ledger.Hash160, protocol string) (uri string, err error) {
	if err := checkProtocol(op, protocol); err != nil {
		return "", err
	}
	pkg, err := e.find(op, hash)
	if err != nil {
		return "", err
	}
	e.forgetFailed(Uploading, hash)
	err = e.during(ctx, record{Task: Task{Kind: Uploading, Hash: &hash}}, func(ctx context.Context, t *task) (err error) {
		uri, err = e.send(ctx, op, pkg, e.progress(t))
		return err
	})
	return uri, err
}

func checkProtocol(op, protocol string) error {
	if protocol == "ipfs" {
		return nil
	}
	return &fault.Error{Code: fault.BadValue, Op: op, Message: "packages are exchanged over ipfs, not " + fault.Quote(protocol), Hint: "write ipfs; nothing was done"}
}

// send uploads a package that is as its hash says.
func (e *Engine) send(ctx context.Context, op string, pkg *archive.Package, progress archive.Progress) (uri string, err error) {
	if err := e.checkNetwork(ctx, op); err != nil {
		return "", err
	}
	err = pkg.Verify(ctx, nil)
	if e.noteDamage(pkg.Hash, err); err != nil {
		return "", packageFault(op, err)
	}
	uri, err = e.IPFS.Upload(ctx, pkg, progress)
	return uri, networkFault(op, err)
}

// checkNetwork fails unless an IPFS daemon answers that packages can be exchanged with.
func (e *Engine) checkNetwork(ctx context.Context, op string) error {
	if e.IPFS == nil {
		return &fault.Error{Code: fault.IPFS, Op: op, Message: "this wallet was opened without IPFS", Hint: "name a daemon with --ipfs-api"}
	}
	_, err := e.IPFS.Version(ctx)
	return networkFault(op, err)
}

// notInIPFS refuses what no wallet can fetch.
func notInIPFS(op, uri string) *fault.Error {
	return &fault.Error{Code: fault.NothingAtURL, Op: op, Message: "the package of " + fault.Quote(uri) + " is not in IPFS, and packages are fetched from nowhere else",
		Hint: "nothing was paid; ask the author to offer it at an address that begins with ipfs:"}
}

// checkFetchable refuses content whose package is neither here nor in IPFS. Errors: fault.NothingAtURL, fault.IPFS.
func (e *Engine) checkFetchable(ctx context.Context, op string, offer *ledger.Content) error {
	if e.Has(offer.Hash) {
		return nil
	}
	if !isInIPFS(offer.URI) {
		return notInIPFS(op, offer.URI)
	}
	if err := e.checkNetwork(ctx, op); err != nil {
		return err
	}
	err := e.IPFS.Check(ctx, wanted(offer.URI, offer.Hash, bytesOf(offer)))
	return networkFault(op, err)
}

// bytesOf returns how many bytes the ledger has for content, whatever number of megabytes somebody submitted.
func bytesOf(offer *ledger.Content) uint64 { return min(offer.Size, math.MaxInt64>>20) << 20 }

// wanted returns what is downloaded of content that the ledger has with so many bytes.
func wanted(uri string, hash ledger.Hash160, most uint64) ipfs.Wanted {
	return ipfs.Wanted{URI: uri, Hash: hash, Limit: int64(min(most, math.MaxInt64))}
}
