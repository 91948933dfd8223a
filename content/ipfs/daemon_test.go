package ipfs_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"

	"billfold/content/ipfs"
)

// daemon answers as a real one did to the reference (docs/design/018-content-engine.md, IPFS), unless hostile answers first.
type daemon struct {
	*httptest.Server
	hostile func(command string, w http.ResponseWriter, r *http.Request) bool

	mu      sync.Mutex
	files   map[string][]byte
	folders map[string][]ipfs.Link
	pinned  map[string]bool
	calls   []string // command and query
	parts   []string // names of the parts that were added
}

func startDaemon(t testing.TB) *daemon {
	d := &daemon{files: map[string][]byte{}, folders: map[string][]ipfs.Link{}, pinned: map[string]bool{}}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func idOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "Qm" + hex.EncodeToString(sum[:22])
}

// addFolder keeps files and returns the id of the folder that has them.
func (d *daemon) addFolder(files map[string][]byte) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.addLocked(files)
}

func (d *daemon) addLocked(files map[string][]byte) string {
	inside := map[string]map[string][]byte{}
	var links []ipfs.Link
	all := ""
	for name, content := range files {
		if folder, rest, ok := strings.Cut(name, "/"); ok {
			if inside[folder] == nil {
				inside[folder] = map[string][]byte{}
			}
			inside[folder][rest] = content
			continue
		}
		id := idOf("file" + string(content))
		d.files[id] = content
		links = append(links, ipfs.Link{Name: name, Hash: id, Size: int64(len(content)), Type: 2})
		all += name + id
	}
	for name, files := range inside {
		id := d.addLocked(files)
		links = append(links, ipfs.Link{Name: name, Hash: id, Type: 1})
		all += name + id
	}
	id := idOf("folder" + all)
	d.folders[id] = links
	return id
}

func (d *daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	command := strings.TrimPrefix(r.URL.Path, "/api/v0/")
	d.mu.Lock()
	d.calls = append(d.calls, command+"?"+r.URL.RawQuery)
	d.mu.Unlock()
	if d.hostile != nil && d.hostile(command, w, r) {
		return
	}
	if r.Method != http.MethodPost {
		http.Error(w, "405 - Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	arg := r.URL.Query().Get("arg")
	answer := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	switch command {
	case "version":
		answer(map[string]string{"Version": "0.4.22"})
	case "id":
		answer(map[string]string{"ID": "QmStandinPeer1111111111111111111111111111111111"})
	case "bitswap/ledger":
		answer(map[string]any{"Peer": arg, "Sent": 10, "Recv": 1 << 40})
	case "pin/add", "pin/rm":
		if d.folders[arg] == nil {
			w.WriteHeader(http.StatusInternalServerError)
			answer(map[string]any{"Message": "pin: \x1b[2Jnot found", "Code": 0, "Type": "error"})
			return
		}
		d.pinned[arg] = command == "pin/add"
		answer(map[string][]string{"Pins": {arg}})
	case "ls":
		answer(map[string]any{"Objects": []any{map[string]any{"Hash": arg, "Links": d.folders[arg]}}})
	case "cat":
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		_, _ = w.Write(d.files[arg][offset:])
	case "add":
		d.add(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (d *daemon) add(w http.ResponseWriter, r *http.Request) {
	reader, err := r.MultipartReader()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	files, root := map[string][]byte{}, ""
	for {
		part, err := reader.NextPart()
		if err != nil {
			break
		}
		d.parts = append(d.parts, fmt.Sprintf("%s %s", part.Header.Get("Content-Disposition"), part.Header.Get("Content-Type")))
		content, _ := io.ReadAll(part)
		_, name, _ := strings.Cut(part.Header.Get("Content-Disposition"), `filename="`)
		folder, rest, _ := strings.Cut(strings.TrimSuffix(name, `"`), "/")
		root, files[rest] = folder, content
	}
	for name, content := range files {
		_ = json.NewEncoder(w).Encode(map[string]string{"Name": path.Join(root, name), "Hash": idOf("file" + string(content))})
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"Name": root, "Hash": d.addLocked(files)})
}
