package ipfs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"

	"billfold/content/archive"
	"billfold/ledger"
	"billfold/ledger/usertext"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160, which has to withstand a second preimage.
	"golang.org/x/crypto/ripemd160"
)

// Scheme begins the URI of content in IPFS.
const Scheme = "ipfs:"

// maxURI is more than any URI of IPFS is long.
const maxURI = 200

// ParseURI returns the id in a URI. Error: ErrURI.
func ParseURI(uri string) (id string, err error) {
	id, ok := strings.CutPrefix(uri, Scheme)
	if !ok || len(uri) > maxURI || !isPlain(id) {
		return "", &Error{Kind: ErrURI, Message: fmt.Sprintf("%s is not the address of content in IPFS", quote(uri)),
			Hint: "such an address reads ipfs:Qm…; content elsewhere has to be fetched by other means"}
	}
	return id, nil
}

// written matches an id, also the longer ones of the sandbox, with what else is written before one.
var written = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:ipfs:(?://)?|/ipfs/)?(Qm[0-9A-Za-z]{44,64}|b[a-z2-7]{58})/?$`)
})

// Address returns the URI that a text names as people and other programs write it: the id alone, ipfs://…, or with brackets, quotes, blanks or the
// full stop of a sentence around it. What names none stays as it is.
func Address(text string) string {
	bare := strings.TrimFunc(text, func(r rune) bool {
		return usertext.IsBlank(r) || strings.ContainsRune("<>()[]\"'`“”„«»‘’.,;:!?…", r)
	})
	if found := written().FindStringSubmatch(bare); found != nil {
		return Scheme + found[1]
	}
	return text
}

// Upload adds a package to a daemon, pins it, and returns its URI. The daemon then has all of it, or the call fails: what it lists and holds is
// compared. Progress counts the package as it is sent, and content.zip.aes as it is read back.
func (c *Client) Upload(ctx context.Context, p *archive.Package, report archive.Progress) (uri string, err error) {
	if _, err := c.Version(ctx); err != nil {
		return "", err
	}
	parts, err := p.Parts()
	if err != nil {
		return "", err
	}
	done := &counter{report: report, total: p.Size}
	for _, part := range parts {
		done.total += part.Size
	}
	id, err := c.add(ctx, p, parts, done)
	if err != nil {
		return "", err
	}
	if err := c.Pin(ctx, id); err != nil {
		return "", err
	}
	if err := c.compare(ctx, id, p, parts, done); err != nil {
		return "", err
	}
	return Scheme + id, nil
}

// counter reports progress. A daemon may answer while it is still sent the rest, so two goroutines count.
type counter struct {
	report archive.Progress

	mu    sync.Mutex
	done  int64
	total int64
}

func (c *counter) add(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	if c.report != nil {
		c.report(c.done, c.total)
	}
}

func (c *counter) count() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.done
}

// compare checks that the daemon has what it was sent.
func (c *Client) compare(ctx context.Context, id string, p *archive.Package, parts []archive.Part, done *counter) error {
	listed, err := c.parts(ctx, id)
	if err != nil {
		return err
	}
	for _, part := range parts {
		link, ok := listed[part.Name]
		if !ok || link.Size != 0 && link.Size < part.Size {
			return answerError("ls", "shows that "+part.Name+" is not there as it was sent")
		}
	}
	sum := ripemd160.New()
	err = c.Cat(ctx, listed[archive.EncryptedName].Hash, 0, p.Size, &counting{sum, done})
	if err == nil && ledger.Hash160(sum.Sum(nil)) != p.Hash {
		err = answerError("cat", "is not what it was sent as "+archive.EncryptedName)
	}
	return err
}

// counting counts what is written.
type counting struct {
	io.Writer
	done *counter
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.done.add(int64(n))
	return n, err
}

// add sends the parts as the reference does, each under the hash of the package, and returns the id of the folder.
func (c *Client) add(ctx context.Context, p *archive.Package, parts []archive.Part, done *counter) (string, error) {
	body, err := newBody(p, parts, done)
	if err != nil {
		return "", err
	}
	var id string
	query := url.Values{"recursive": {"true"}, "silent": {"true"}}
	err = c.call(ctx, request{command: "add", query: query, body: body, size: body.size, kind: body.kind}, func(from io.Reader) error {
		lines := bufio.NewScanner(io.LimitReader(from, maxAnswer))
		for lines.Scan() {
			line := bytes.TrimSpace(lines.Bytes())
			var added struct{ Name, Hash, Message string }
			if len(line) == 0 {
				continue
			}
			if json.Unmarshal(line, &added) != nil {
				return answerError("add", "has a line that is not JSON")
			}
			if added.Message != "" {
				return &Error{Kind: ErrRefused, Message: "The IPFS daemon does not add the package: " + quote(added.Message), Hint: "see what the daemon writes about it"}
			}
			if added.Name == p.Hash.String() {
				id = added.Hash
			}
		}
		return lines.Err()
	})
	if err == nil && !isPlain(id) {
		err = answerError("add", "names no id for the package")
	}
	return id, err
}

// body is the package as a form, read from the disk while it is sent. The transport closes it, perhaps in the middle.
type body struct {
	size int64
	kind string
	done *counter

	mu     sync.Mutex
	pieces []piece // not sent yet
	file   *os.File
	closed bool
}

// piece is text, then a file.
type piece struct {
	text []byte
	part archive.Part // none, if it has no name
	left int64        // of the file
	open func() (*os.File, error)
}

func newBody(p *archive.Package, parts []archive.Part, done *counter) (*body, error) {
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	b := &body{kind: form.FormDataContentType(), done: done}
	for i, part := range parts {
		_, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="file%d"; filename="%s/%s"`, i, p.Hash, escape(part.Name))},
			"Content-Type":        {"application/octet-stream"},
		})
		if err != nil {
			return nil, err
		}
		b.size += int64(text.Len()) + part.Size
		b.pieces = append(b.pieces, piece{text: bytes.Clone(text.Bytes()), part: part, left: part.Size,
			open: func() (*os.File, error) { return p.OpenPart(part) }})
		text.Reset()
	}
	if err := form.Close(); err != nil {
		return nil, err
	}
	b.size += int64(text.Len())
	b.pieces = append(b.pieces, piece{text: text.Bytes()})
	return b, nil
}

// Read implements io.Reader.
func (b *body) Read(to []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if b.closed || len(b.pieces) == 0 {
			return 0, io.EOF
		}
		now := &b.pieces[0]
		switch {
		case len(now.text) > 0:
			n := copy(to, now.text)
			now.text = now.text[n:]
			return n, nil
		case now.left == 0:
			b.closeFile()
			b.pieces = b.pieces[1:]
		default:
			return b.readFile(now, to)
		}
	}
}

func (b *body) readFile(now *piece, to []byte) (n int, err error) {
	if b.file == nil {
		if b.file, err = now.open(); err != nil {
			return 0, err
		}
	}
	n, err = b.file.Read(to[:min(int64(len(to)), now.left)])
	now.left -= int64(n)
	b.done.add(int64(n))
	if errors.Is(err, io.EOF) {
		return n, fmt.Errorf("%s has become shorter while it was sent", now.part.Name)
	}
	return n, err
}

func (b *body) closeFile() {
	if b.file != nil {
		_ = b.file.Close()
		b.file = nil
	}
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.closeFile()
	return nil
}

// escape keeps the name of a sample one name: daemons decode it as part of a URL.
func escape(name string) string {
	folder, sample, ok := strings.Cut(name, "/")
	if !ok {
		return name
	}
	return folder + "/" + strings.ReplaceAll(url.PathEscape(sample), "+", "%2B")
}
