package ipfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"

	"billfold/content/archive"
	"billfold/ledger"
)

// folder is the type of a link that leads to a folder.
const folder = 1

// parts returns what a package has at an id, by the names of its parts. Whatever else is there is left out; two of one name are an error.
func (c *Client) parts(ctx context.Context, id string) (map[string]Link, error) {
	links, err := c.List(ctx, id)
	if err != nil {
		return nil, err
	}
	found := map[string]Link{}
	add := func(name string, link Link) error {
		if _, twice := found[name]; twice {
			return contentError(fmt.Sprintf("%q is listed twice", name))
		}
		found[name] = link
		return nil
	}
	samples := ""
	for _, link := range links {
		switch {
		case link.Type == folder && link.Name == archive.SamplesName && samples == "":
			samples = link.Hash
		case link.Type != folder && (link.Name == archive.EncryptedName || link.Name == archive.CustodyName):
			if err := add(link.Name, link); err != nil {
				return nil, err
			}
		}
	}
	if _, ok := found[archive.EncryptedName]; !ok {
		return nil, contentError("it has no " + archive.EncryptedName)
	}
	if samples == "" {
		return found, nil
	}
	if links, err = c.List(ctx, samples); err != nil {
		return nil, err
	}
	if len(links) > archive.MaxSamples {
		return nil, contentError(fmt.Sprintf("it has more than %d samples", archive.MaxSamples))
	}
	for _, link := range links {
		if link.Type == folder {
			continue
		}
		if !archive.IsSampleName(link.Name) {
			return nil, contentError(fmt.Sprintf("%s is no name of a sample", quote(link.Name)))
		}
		if err := add(path.Join(archive.SamplesName, link.Name), link); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Wanted is a package to be downloaded.
type Wanted struct {
	URI  string
	Hash ledger.Hash160 // on the ledger
	// Limit is how many bytes all of it may have: what the ledger names as its size, in bytes, since that is rounded up there.
	Limit int64
}

// Download fetches a package and puts it into a store, once its hash is the one on the ledger. It resumes a download that was not finished, and
// leaves one that fails to be resumed. Errors: ErrURI, ErrUnavailable, ErrStalled, ErrContent, others of this package and of content/archive, the
// context's; the store then has no more than before.
func (c *Client) Download(ctx context.Context, store *archive.Store, wanted Wanted, report archive.Progress) (*archive.Package, error) {
	id, err := ParseURI(wanted.URI)
	if err != nil {
		return nil, err
	}
	to, err := store.Download(wanted.Hash)
	if err != nil {
		return nil, err
	}
	d := &download{client: c, to: to, left: wanted.Limit, done: &counter{report: report, total: wanted.Limit}}
	if err := d.run(ctx, id); err != nil {
		to.Close()
		return nil, err
	}
	p, err := to.Finish()
	if err != nil {
		to.Close()
	}
	return p, err
}

type download struct {
	client *Client
	to     *archive.Download
	left   int64 // bytes that may still come
	done   *counter
}

func (d *download) run(ctx context.Context, id string) error {
	parts, err := d.client.parts(ctx, id)
	if err != nil {
		return err
	}
	var total int64
	for name, link := range parts {
		if link.Size > d.left-total {
			return contentError(fmt.Sprintf("with %s it is larger than the %d bytes that the ledger has for all of it", name, d.left))
		}
		total += link.Size
	}
	d.done.total = total
	if err := d.to.CheckRoom(total); err != nil {
		return err
	}
	size, err := d.content(ctx, parts[archive.EncryptedName])
	if err != nil {
		return err
	}
	d.left -= size
	if custody, ok := parts[archive.CustodyName]; ok {
		if err := d.custody(ctx, custody, archive.CustodySize(size)); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if name == archive.EncryptedName || name == archive.CustodyName {
			continue
		}
		if err := d.to.Forget(name); err != nil { // begun by another try; samples are short
			return err
		}
		size, _, err := d.part(ctx, name, parts[name], d.left)
		if err != nil {
			return err
		}
		d.left -= size
	}
	return nil
}

// content fetches content.zip.aes. What was resumed and is wrong is fetched once more from its beginning: the daemon may not know how to begin in
// the middle, or another one may have sent the first part.
func (d *download) content(ctx context.Context, link Link) (int64, error) {
	before := d.done.count()
	for {
		size, resumed, err := d.part(ctx, archive.EncryptedName, link, d.left)
		if err == nil {
			err = d.to.Verify(ctx)
			if errors.Is(err, archive.ErrHash) && size < link.Size && !resumed {
				return size, &Error{Kind: ErrStalled, Message: fmt.Sprintf("The IPFS daemon sent %d of %d bytes", size, link.Size),
					Hint: "try again: the download goes on there"}
			}
		}
		if errors.Is(err, archive.ErrHash) {
			err = errors.Join(err, d.to.Forget(archive.EncryptedName))
		}
		if err == nil || !resumed || !errors.Is(err, archive.ErrHash) && !errors.Is(err, ErrContent) && !errors.Is(err, ErrRefused) {
			return size, err
		}
		if err := d.to.Forget(archive.EncryptedName); err != nil {
			return 0, err
		}
		d.done.add(before - d.done.count())
	}
}

// custody fetches content.cus. All that the ledger fixes about it is that it has size bytes.
func (d *download) custody(ctx context.Context, link Link, size int64) error {
	if size > d.left {
		return contentError(archive.CustodyName + " makes it larger than the ledger has for all of it")
	}
	link.Size = size
	got, _, err := d.part(ctx, archive.CustodyName, link, d.left)
	if err == nil && got != size {
		err = errors.Join(contentError(fmt.Sprintf("%s has %d bytes, not %d", archive.CustodyName, got, size)), d.to.Forget(archive.CustodyName))
	}
	d.left -= got
	return err
}

// part fetches a part of at most limit bytes, or as many as are announced, and reports whether some of it was here already.
func (d *download) part(ctx context.Context, name string, link Link, limit int64) (size int64, resumed bool, err error) {
	f, have, err := d.to.Append(name)
	if err != nil {
		return 0, false, err
	}
	if link.Size > 0 {
		limit = min(limit, link.Size)
	}
	d.done.add(have)
	switch {
	case have > limit:
		err = contentError(name + " is shorter than what was fetched before")
	case have < limit || link.Size == 0:
		err = d.client.Cat(ctx, link.Hash, have, limit-have, &counting{f, d.done})
	}
	if err == nil {
		err = f.Sync()
	}
	size, seek := f.Seek(0, io.SeekCurrent)
	err = errors.Join(err, seek, f.Close())
	if errors.Is(err, ErrContent) {
		err = errors.Join(err, d.to.Forget(name))
	}
	return size, have > 0, err
}
