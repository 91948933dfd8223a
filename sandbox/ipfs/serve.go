package ipfs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Prefix is the path below which the interface is served.
const Prefix = "/api/v0/"

const (
	version  = "0.4.23"
	peer     = "QmSandbox"
	maxFiles = 2000 // in one call of add
	maxDepth = 4
)

// ServeHTTP answers one call of the interface.
func (f *Folder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		refuse(w, http.StatusMethodNotAllowed, errors.New("calls are POST"))
		return
	}
	arg := r.URL.Query().Get("arg")
	var answer any
	var err error
	switch command := strings.TrimPrefix(r.URL.Path, Prefix); command {
	case "version":
		answer = map[string]string{"Version": version}
	case "id":
		answer = map[string]string{"ID": peer}
	case "pin/add", "pin/rm":
		answer = map[string][]string{"Pins": {arg}}
	case "bitswap/ledger":
		answer = map[string]any{"Peer": arg, "Sent": 0, "Recv": 0}
	case "ls":
		answer, err = f.list(arg)
	case "cat":
		err = f.cat(w, r, arg)
		if err == nil {
			return
		}
	case "add":
		// A package may take longer than any other call.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		f.add(w, r)
		return
	default:
		refuse(w, http.StatusNotFound, fmt.Errorf("there is no command %q", command))
		return
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	writeJSON(w, answer)
}

func writeJSON(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // who does not wait for the answer does not get it
}

func refuse(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"Message": err.Error(), "Code": 0, "Type": "error"})
}

type listing struct{ Objects []listed }

type listed struct {
	Hash  string
	Links []Link
}

func (f *Folder) list(id string) (listing, error) {
	links, err := f.Links(id)
	return listing{Objects: []listed{{Hash: id, Links: links}}}, err
}

func (f *Folder) cat(w http.ResponseWriter, r *http.Request, id string) error {
	from, err := f.File(id)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	if text := r.URL.Query().Get("offset"); text != "" {
		offset, err := strconv.ParseInt(text, 10, 64)
		if err != nil || offset < 0 {
			return fmt.Errorf("%q is no offset", text)
		}
		if _, err := from.Seek(offset, io.SeekStart); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	_, _ = io.Copy(w, from) // who does not wait for the rest does not get it
	return nil
}

// add keeps the files of a form, with the folders in their names, and answers with a line for each, folders last.
func (f *Folder) add(w http.ResponseWriter, r *http.Request) {
	lines, err := f.readForm(r)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	to := json.NewEncoder(w)
	for _, line := range lines {
		_ = to.Encode(map[string]string{"Name": line.Name, "Hash": line.Hash, "Size": strconv.FormatInt(line.Size, 10)})
	}
}

func (f *Folder) readForm(r *http.Request) (lines []Link, err error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	root := tree{}
	for range maxFiles {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return f.addTree(root, "")
		}
		if err != nil {
			return nil, err
		}
		names, err := namesOf(part)
		if err != nil {
			return nil, err
		}
		link, err := f.addFile(names[len(names)-1], part)
		if err != nil {
			return nil, err
		}
		if err := root.put(names, link); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("a call adds at most %d files", maxFiles)
}

// namesOf returns the folders and the name of a file.
func namesOf(part *multipart.Part) ([]string, error) {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return nil, err
	}
	name, err := url.PathUnescape(params["filename"])
	if err != nil {
		return nil, err
	}
	names := strings.Split(name, "/")
	if len(names) > maxDepth || slices.ContainsFunc(names, func(n string) bool { return n == "" || n == "." || n == ".." }) {
		return nil, fmt.Errorf("%q is no name of a file", name)
	}
	return names, nil
}

// tree is a folder that is being added: its files and folders by their names.
type tree map[string]node

type node struct {
	file    Link
	entries tree // nil for a file
}

func (t tree) put(names []string, link Link) error {
	name := names[0]
	there, taken := t[name]
	switch {
	case len(names) == 1 && !taken:
		t[name] = node{file: link}
		return nil
	case len(names) == 1 || taken && there.entries == nil:
		return fmt.Errorf("%q is there twice", name)
	case !taken:
		there = node{entries: tree{}}
		t[name] = there
	}
	return there.entries.put(names[1:], link)
}

// addTree keeps the folders of a tree, and returns what is in it with full names, each folder behind its content.
func (f *Folder) addTree(t tree, path string) (lines []Link, err error) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		full := path + name
		if t[name].entries == nil {
			link := t[name].file
			link.Name = full
			lines = append(lines, link)
			continue
		}
		below, err := f.addTree(t[name].entries, full+"/")
		if err != nil {
			return nil, err
		}
		link, err := f.addFolder(full, direct(below, full+"/"))
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, below...), link)
	}
	return lines, nil
}

// direct returns the links of what lies directly in a folder, with their names there.
func direct(lines []Link, path string) []Link {
	links := []Link{}
	for _, line := range lines {
		if name := strings.TrimPrefix(line.Name, path); !strings.Contains(name, "/") {
			line.Name = name
			links = append(links, line)
		}
	}
	return links
}
