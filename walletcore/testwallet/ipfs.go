package testwallet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"billfold/content/ipfs"
)

// IPFS is an HTTP server that answers as an IPFS daemon does, with what was added to it.
type IPFS struct {
	// Hold, if not nil, is called with each command before it is answered; false: the connection breaks instead.
	Hold func(command string) bool

	server *httptest.Server
	mu     sync.Mutex
	files  map[string][]byte
	links  map[string][]ipfs.Link
}

// NewIPFS starts one that ends with the test.
func NewIPFS(t testing.TB) *IPFS {
	t.Helper()
	d := &IPFS{files: map[string][]byte{}, links: map[string][]ipfs.Link{}}
	d.server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(d.server.Close)
	return d
}

// Client returns a client of it that ends with the test.
func (d *IPFS) Client(t testing.TB) *ipfs.Client {
	t.Helper()
	c, err := ipfs.New(d.server.URL, nil)
	Must(t, err)
	t.Cleanup(c.Close)
	return c
}

// Set changes it while it serves.
func (d *IPFS) Set(hold func(command string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Hold = hold
}

// Change replaces a file by another one, under the id of the first.
func (d *IPFS) Change(change func(content []byte) []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, content := range d.files {
		d.files[id] = change(content)
	}
}

func (d *IPFS) serve(w http.ResponseWriter, r *http.Request) {
	command, arg := strings.TrimPrefix(r.URL.Path, "/api/v0/"), r.URL.Query().Get("arg")
	d.mu.Lock()
	hold := d.Hold
	d.mu.Unlock()
	if hold != nil && !hold(command) {
		panic(http.ErrAbortHandler)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	switch command {
	case "version":
		answer(map[string]string{"Version": "0.4.22"})
	case "pin/add", "pin/rm":
		answer(map[string][]string{"Pins": {arg}})
	case "bitswap/ledger":
		answer(ipfs.Traffic{Recv: 7})
	case "ls":
		answer(map[string]any{"Objects": []any{map[string]any{"Links": d.links[arg]}}})
	case "cat":
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		_, _ = w.Write(d.files[arg][offset:])
	case "add":
		d.add(w, r)
	default:
		http.NotFound(w, r)
	}
}

// add keeps the files of a form, in one folder and those of it.
func (d *IPFS) add(w http.ResponseWriter, r *http.Request) {
	form, err := r.MultipartReader()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	root, folders := "", map[string][]ipfs.Link{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return // the client left
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return
		}
		_, name, _ := strings.Cut(part.Header.Get("Content-Disposition"), `filename="`)
		words := strings.Split(strings.TrimSuffix(name, `"`), "/")
		root = words[0]
		within := strings.Join(words[1:len(words)-1], "/")
		id := idOf("file " + string(content))
		d.files[id] = content
		folders[within] = append(folders[within], ipfs.Link{Name: words[len(words)-1], Hash: id, Size: int64(len(content)), Type: 2})
	}
	for within, links := range folders {
		if within != "" {
			id := idOf("folder " + within + root)
			d.links[id] = links
			folders[""] = append(folders[""], ipfs.Link{Name: within, Hash: id, Type: 1})
		}
	}
	id := idOf("folder " + root)
	d.links[id] = folders[""]
	_ = json.NewEncoder(w).Encode(map[string]string{"Name": root, "Hash": id})
}

func idOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "Qm" + hex.EncodeToString(sum[:22])
}
