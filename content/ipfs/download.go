package ipfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"

	"billfold/content/archive"
	"billfold/ledger"
)

// folder is the type of a link that leads to a folder.
const folder = 1

// parts returns what a package has at an id, by the names of its parts. Only content.zip.aes is what the ledger's hash is about, and has to be there
// once; of the others, which no buyer needs, whatever is listed twice, under a name that not every system allows or in too large a number is left out.
func (c *Client) parts(ctx context.Context, id string) (map[string]Link, error) {
	links, err := c.List(ctx, id)
	if err != nil {
		return nil, err
	}
	found, times := map[string]Link{}, map[string]int{}
	add := func(name string, link Link) {
		found[name] = link
		times[name]++
	}
	samples := ""
	for _, link := range links {
		switch {
		case link.Type == folder && link.Name == archive.SamplesName && samples == "":
			samples = link.Hash
		case link.Type != folder && (link.Name == archive.EncryptedName || link.Name == archive.CustodyName):
			add(link.Name, link)
		}
	}
	switch times[archive.EncryptedName] {
	case 0:
		return nil, contentError("it has no " + archive.EncryptedName)
	case 1:
	default:
		return nil, contentError(fmt.Sprintf("%q is listed twice", archive.EncryptedName))
	}
	if samples != "" {
		links, err := c.List(ctx, samples)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(links) > archive.MaxSamples {
			links = nil
		}
		for _, link := range links {
			if link.Type != folder && archive.IsSampleName(link.Name) {
				add(path.Join(archive.SamplesName, link.Name), link)
			}
		}
	}
	maps.DeleteFunc(found, func(name string, _ Link) bool { return times[name] > 1 })
	return found, nil
}

// Check returns why Download could not fetch a package, as far as a listing shows that. Errors: those of Download.
func (c *Client) Check(ctx context.Context, wanted Wanted) error {
	id, err := ParseURI(wanted.URI)
	if err != nil {
		return err
	}
	parts, err := c.parts(ctx, id)
	if err != nil {
		return err
	}
	return wanted.fits(parts[archive.EncryptedName])
}

// Wanted is a package to be downloaded.
type Wanted struct {
	URI  string
	Hash ledger.Hash160 // on the ledger
	// Limit is the maximum size of all of it: what the ledger names as its size, in bytes, since that is rounded up there.
	Limit int64
}

// most returns the maximum announced size of content.zip.aes, in bytes: some daemons add their own to the size of a file.
func (w Wanted) most() int64 { return w.Limit + min(w.Limit/256+1<<20, math.MaxInt64-w.Limit) }

func (w Wanted) fits(content Link) error {
	if content.Size > w.most() {
		return contentError(fmt.Sprintf("%s alone is larger than the %d bytes that the ledger has for all of it", archive.EncryptedName, w.Limit))
	}
	return nil
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
	d := &download{client: c, to: to, wanted: wanted, done: &counter{report: report, total: wanted.Limit}}
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
	wanted Wanted
	done   *counter
}

func (d *download) run(ctx context.Context, id string) error {
	parts, err := d.client.parts(ctx, id)
	if err != nil {
		return err
	}
	content := parts[archive.EncryptedName]
	if err := d.wanted.fits(content); err != nil {
		return err
	}
	d.done.total = content.Size
	if err := d.to.CheckRoom(content.Size); err != nil {
		return err
	}
	size, err := d.content(ctx, content)
	if err != nil {
		return err
	}
	delete(parts, archive.EncryptedName)
	left := d.wanted.Limit - size
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		got, err := d.extra(ctx, name, parts[name], left, size)
		if err != nil {
			return err
		}
		left -= got
	}
	return nil
}

// extra fetches a part that the ledger says nothing about, at most left bytes. It is left out if it cannot be had, has more bytes, or is a
// content.cus without the length that follows from the size of the content. Errors: those of the disk, the context's.
func (d *download) extra(ctx context.Context, name string, link Link, left, content int64) (size int64, err error) {
	if name == archive.CustodyName {
		link.Size = archive.CustodySize(content)
	} else if err := d.to.Forget(name); err != nil { // begun by another try; samples are short
		return 0, err
	}
	if link.Size > left || d.to.CheckRoom(link.Size) != nil {
		return 0, d.to.Forget(name)
	}
	d.done.total += link.Size
	size, _, err = d.part(ctx, name, link, left)
	packed := new(archive.Error)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, &packed):
		return 0, err
	case err != nil, name == archive.CustodyName && size != link.Size:
		return 0, d.to.Forget(name)
	}
	return size, nil
}

// content fetches content.zip.aes. What was resumed and is wrong is fetched once more from its beginning: the daemon may not know how to begin in
// the middle, or another one may have sent the first part.
func (d *download) content(ctx context.Context, link Link) (int64, error) {
	before := d.done.count()
	for {
		size, resumed, err := d.part(ctx, archive.EncryptedName, link, d.wanted.most())
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
		err = d.client.Cat(ctx, link.Hash, have, limit-have, &counting{disk{f, name}, d.done})
	}
	if err == nil {
		err = archive.WriteError(name, f.Sync())
	}
	size, seek := f.Seek(0, io.SeekCurrent)
	err = errors.Join(err, archive.WriteError(name, seek), archive.WriteError(name, f.Close()))
	if errors.Is(err, ErrContent) {
		err = errors.Join(err, d.to.Forget(name))
	}
	return size, have > 0, err
}

// disk has the errors of writing a part told as the disk's: the daemon is not to blame for them.
type disk struct {
	to   io.Writer
	name string
}

func (d disk) Write(p []byte) (int, error) {
	n, err := d.to.Write(p)
	return n, archive.WriteError(d.name, err)
}
