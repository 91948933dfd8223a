package ipfs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// DefaultAddress is the address at which a daemon listens if nothing else was set.
	DefaultAddress = "127.0.0.1:5001"

	defaultStall = time.Minute
	maxAnswer    = 1 << 20 // of what is not content
	maxRefusal   = 300     // of what a daemon says about an error
)

// Client calls one daemon. Its methods may be called by several goroutines.
type Client struct {
	base  *url.URL
	http  *http.Client
	stall time.Duration
}

// Options may be nil.
type Options struct {
	// Stall is the time that a daemon may send and take nothing before it is given up; a minute if 0. Finding content that nobody
	// near has takes long, and it is tried again where it stopped.
	Stall time.Duration
}

// New returns a client of the daemon at host:port or at an http or https URL. Error: ErrAddress. It does not connect yet.
func New(address string, options *Options) (*Client, error) {
	if !strings.Contains(address, "://") {
		if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
			return nil, addressError()
		}
		address = "http://" + address
	}
	base, err := url.Parse(address)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, addressError()
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	c := &Client{base: base, stall: defaultStall}
	if options != nil && options.Stall > 0 {
		c.stall = options.Stall
	}
	c.http = &http.Client{
		// No proxy: what is not encrypted yet would pass through it. No redirects: a daemon does not need them.
		Transport: &http.Transport{
			DialContext:            (&net.Dialer{Timeout: c.stall}).DialContext,
			TLSHandshakeTimeout:    c.stall,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        c.stall,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// addressError does not repeat the address, which may hold a password.
func addressError() error {
	return &Error{Kind: ErrAddress, Message: "This is not the address of an IPFS daemon", Hint: "write host:port, or a URL that begins with http:// or https://"}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// watched is a call that ends when nothing moves for too long.
type watched struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	stall  time.Duration
}

func (c *Client) watch(ctx context.Context, command string) *watched {
	ctx, cancel := context.WithCancelCause(ctx)
	stalled := &Error{Kind: ErrStalled, Message: fmt.Sprintf("The IPFS daemon at %s has sent nothing for %s while it was asked for %s", c.base.Host, c.stall, command),
		Hint: "try again, or name another daemon with --ipfs-api"}
	return &watched{ctx: ctx, cancel: cancel, stall: c.stall, timer: time.AfterFunc(c.stall, func() { cancel(stalled) })}
}

func (w *watched) moved() { w.timer.Reset(w.stall) }

func (w *watched) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// cause returns why a call ended, if it was given up.
func (w *watched) cause(err error) error {
	if err != nil && w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return err
}

// moving notes that bytes pass.
type moving struct {
	io.ReadCloser
	call *watched
}

func (m *moving) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if n > 0 {
		m.call.moved()
	}
	return n, m.call.cause(err)
}

// request is a call of the interface.
type request struct {
	command string
	query   url.Values
	body    io.ReadCloser // may be nil
	size    int64         // of the body
	kind    string        // content type of the body
}

// call sends a request and has read read the answer. Options that the reference sends come first.
func (c *Client) call(ctx context.Context, r request, read func(io.Reader) error) error {
	watched := c.watch(ctx, r.command)
	defer watched.stop()
	at := c.base.JoinPath("api/v0", r.command)
	at.RawQuery = "stream-channels=true&json=true&encoding=json"
	if len(r.query) > 0 {
		at.RawQuery += "&" + r.query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		body = &moving{r.body, watched}
	}
	post, err := http.NewRequestWithContext(watched.ctx, http.MethodPost, at.String(), body)
	if err != nil {
		return c.wrap(r.command, err)
	}
	if r.body != nil {
		post.ContentLength = r.size
		post.Header.Set("Content-Type", r.kind)
	}
	answer, err := c.http.Do(post)
	if err != nil {
		return c.wrap(r.command, watched.cause(err))
	}
	defer func() { _ = answer.Body.Close() }()
	from := &moving{answer.Body, watched}
	if answer.StatusCode != http.StatusOK {
		return c.refusal(r.command, answer.StatusCode, from)
	}
	if err := read(from); err != nil {
		return c.wrap(r.command, watched.cause(err))
	}
	// What was reported behind the body, after the daemon had begun to answer well. It is there after the end of the body.
	if trouble := answer.Trailer.Get("X-Stream-Error"); trouble != "" {
		return &Error{Kind: ErrRefused, Message: fmt.Sprintf("The IPFS daemon stopped in the middle of %s: %s", r.command, quote(trouble)),
			Hint: "try again, or name another daemon with --ipfs-api"}
	}
	return nil
}

func (c *Client) refusal(command string, status int, body io.Reader) error {
	text, _ := io.ReadAll(io.LimitReader(body, 64<<10))
	var told struct{ Message string }
	if json.Unmarshal(text, &told) != nil || told.Message == "" {
		told.Message = string(text)
	}
	hint := "see what the daemon writes about it"
	if status >= 300 && status < 400 {
		hint = "name the address that it leads to with --ipfs-api; nothing is sent there unasked"
	}
	return &Error{Kind: ErrRefused, Message: fmt.Sprintf("The IPFS daemon at %s refuses %s with status %d: %s", c.base.Host, command, status, quote(told.Message)), Hint: hint}
}

// quote shortens what a daemon says and keeps its control characters from a terminal.
func quote(text string) string {
	return strconv.QuoteToGraphic(strings.ToValidUTF8(text[:min(len(text), maxRefusal)], ""))
}

// get calls a command and decodes its answer.
func (c *Client) get(ctx context.Context, command string, query url.Values, into any) error {
	return c.call(ctx, request{command: command, query: query}, func(from io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(from, maxAnswer+1))
		if err != nil {
			return err
		}
		if len(text) > maxAnswer {
			return answerError(command, "is too long")
		}
		if err := json.Unmarshal(bytes.TrimSpace(text), into); err != nil {
			return answerError(command, "is not JSON as it should be")
		}
		return nil
	})
}

func arg(value string) url.Values { return url.Values{"arg": {value}} }

// Version returns the daemon's version, and fails unless content can be published with it: three numbers with dots, 0.4.12 or later, and nothing
// behind them. Errors: ErrVersion, ErrUnavailable and others.
func (c *Client) Version(ctx context.Context) (string, error) {
	var answer struct{ Version string }
	if err := c.get(ctx, "version", nil, &answer); err != nil {
		return "", err
	}
	if !isUsable(answer.Version) {
		return "", &Error{Kind: ErrVersion, Message: fmt.Sprintf("The IPFS daemon at %s has the version %s", c.base.Host, quote(answer.Version)),
			Hint: "use 0.4.12 or later, and no release candidate"}
	}
	return answer.Version, nil
}

func isUsable(version string) bool {
	least := [3]uint64{0, 4, 12}
	parts := strings.Split(version, ".")
	if len(parts) != len(least) {
		return false
	}
	decided := false
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			return false
		}
		if !decided && n != least[i] {
			if n < least[i] {
				return false
			}
			decided = true
		}
	}
	return true
}

// ID returns the daemon's peer id.
func (c *Client) ID(ctx context.Context) (string, error) {
	var answer struct{ ID string }
	if err := c.get(ctx, "id", nil, &answer); err != nil {
		return "", err
	}
	if !isPlain(answer.ID) {
		return "", answerError("id", "has no peer id")
	}
	return answer.ID, nil
}

// Pin keeps a daemon from dropping what is at an id.
func (c *Client) Pin(ctx context.Context, id string) error {
	var answer struct{ Pins []string }
	return c.get(ctx, "pin/add", arg(id), &answer)
}

// Unpin lets a daemon drop what is at an id.
func (c *Client) Unpin(ctx context.Context, id string) error {
	var answer struct{ Pins []string }
	return c.get(ctx, "pin/rm", arg(id), &answer)
}

// Traffic is the number of bytes that a daemon has exchanged with a peer.
type Traffic struct {
	Sent uint64
	Recv uint64
}

// Ledger returns the traffic with a peer: what op report_stats reports of a seeder.
func (c *Client) Ledger(ctx context.Context, peer string) (Traffic, error) {
	var answer Traffic
	if !isPlain(peer) {
		return answer, answerError("bitswap/ledger", "cannot be had: the peer has no id")
	}
	return answer, c.get(ctx, "bitswap/ledger", arg(peer), &answer)
}

// Link is a row of a listing.
type Link struct {
	Name string
	Hash string
	Size int64
	Type int // 1 is a folder
}

// List returns what is in the folder at an id. Names may be anything.
func (c *Client) List(ctx context.Context, id string) ([]Link, error) {
	var answer struct {
		Objects []struct{ Links []Link }
	}
	if err := c.get(ctx, "ls", arg(id), &answer); err != nil {
		return nil, err
	}
	if len(answer.Objects) != 1 {
		return nil, answerError("ls", "is not about one folder")
	}
	for _, link := range answer.Objects[0].Links {
		if !isPlain(link.Hash) || link.Size < 0 {
			return nil, answerError("ls", "has a row without an id")
		}
	}
	return answer.Objects[0].Links, nil
}

// Cat writes what is at an id to a writer, from an offset on. It stops with an error at more than limit bytes.
func (c *Client) Cat(ctx context.Context, id string, offset, limit int64, to io.Writer) error {
	query := arg(id)
	if offset > 0 {
		query.Set("offset", strconv.FormatInt(offset, 10))
	}
	return c.call(ctx, request{command: "cat", query: query}, func(from io.Reader) error {
		if _, err := io.CopyN(to, from, limit); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		var more [1]byte
		if n, err := io.ReadFull(from, more[:]); n > 0 {
			return contentError("it is longer than announced")
		} else if !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	})
}

// isPlain reports whether a text may be an id of content or of a peer. It is only ever sent to the daemon.
func isPlain(id string) bool {
	return id != "" && len(id) <= 128 && strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}
