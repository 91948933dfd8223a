package ipfs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/internal/ramdisk"
	"billfold/ledger"
)

const limit = 1 << 20

// packageB is the package of the reference that content/archive tests with.
const packageB = "../archive/testdata/package-B/package"

func hashB(t testing.TB) (hash ledger.Hash160) {
	t.Helper()
	if err := hash.UnmarshalJSON([]byte(`"9326ac3c69687cc95d0b9943a22b9823b99e3a20"`)); err != nil {
		t.Fatal(err)
	}
	return hash
}

func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[filepath.ToSlash(name)] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func published(t testing.TB) map[string][]byte {
	parts := files(t, packageB)
	delete(parts, ".state/lock")
	return parts
}

func client(t testing.TB, address string) *ipfs.Client {
	t.Helper()
	c, err := ipfs.New(address, &ipfs.Options{Stall: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// storeOf returns a store and its folder; with a package in it, if that is asked for.
func storeOf(t testing.TB, filled bool) (*archive.Store, string) {
	t.Helper()
	folder := filepath.Join(ramdisk.Folder(t), "packages")
	if filled {
		if err := os.CopyFS(filepath.Join(folder, hashB(t).String()), os.DirFS(packageB)); err != nil {
			t.Fatal(err)
		}
	}
	store, err := archive.OpenStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store, folder
}

func wantPackage(t *testing.T, folder string) {
	t.Helper()
	got, want := files(t, folder), files(t, packageB)
	for name, content := range want {
		if string(got[hashB(t).String()+"/"+name]) != string(content) {
			t.Errorf("%s is not the same", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func TestPackageIsPublishedAndFetched(t *testing.T) {
	d := startDaemon(t)
	c := client(t, strings.TrimPrefix(d.URL, "http://"))
	store, _ := storeOf(t, true)
	p, err := store.Package(hashB(t))
	if err != nil {
		t.Fatal(err)
	}
	var done, total int64
	uri, err := c.Upload(t.Context(), p, func(now, all int64) { done, total = now, all })
	if err != nil {
		t.Fatal(err)
	}
	if done != total || total != 2*p.Size+2112+9 {
		t.Errorf("%d of %d bytes", done, total)
	}
	id, err := ipfs.ParseURI(uri)
	if err != nil || !d.pinned[id] {
		t.Errorf("%s: %v, pinned: %v", uri, err, d.pinned)
	}
	// As the reference sent it.
	for i, name := range []string{"Samples/sample.txt", "content.cus", "content.zip.aes"} {
		want := fmt.Sprintf(`form-data; name="file%d"; filename="%s/%s" application/octet-stream`, i, p.Hash, name)
		if i >= len(d.parts) || d.parts[i] != want {
			t.Errorf("the parts are %q", d.parts)
		}
	}
	for i, want := range []string{
		"version?stream-channels=true&json=true&encoding=json",
		"add?stream-channels=true&json=true&encoding=json&recursive=true&silent=true",
		"pin/add?stream-channels=true&json=true&encoding=json&arg=" + id,
	} {
		if d.calls[i] != want {
			t.Errorf("call %d is %s, want %s", i, d.calls[i], want)
		}
	}
	empty, folder := storeOf(t, false)
	if _, err := c.Download(t.Context(), empty, ipfs.Wanted{URI: uri, Hash: p.Hash, Limit: limit}, func(now, all int64) { done, total = now, all }); err != nil {
		t.Fatal(err)
	}
	if done != total || total != p.Size+2112+9 {
		t.Errorf("%d of %d bytes", done, total)
	}
	wantPackage(t, folder)
	if _, err := c.Download(t.Context(), empty, ipfs.Wanted{URI: uri, Hash: p.Hash, Limit: limit}, nil); !errors.Is(err, archive.ErrExists) {
		t.Error(err)
	}
	if peer, err := c.ID(t.Context()); err != nil || peer != "QmStandinPeer1111111111111111111111111111111111" {
		t.Errorf("%s, %v", peer, err)
	}
	if traffic, err := c.Ledger(t.Context(), "QmPeer"); err != nil || traffic.Recv != 1<<40 {
		t.Errorf("%+v, %v", traffic, err)
	}
	if err := c.Unpin(t.Context(), id); err != nil || d.pinned[id] {
		t.Errorf("%v, pinned: %v", err, d.pinned)
	}
	if err := c.Pin(t.Context(), "QmUnknown"); !errors.Is(err, ipfs.ErrRefused) || strings.Contains(err.Error(), "\x1b") {
		t.Error(err)
	}
}

// A daemon that cuts each answer short after some bytes is asked for the rest.
func TestDownloadGoesOnWhereItStopped(t *testing.T) {
	for _, name := range []string{"offset", "no offset", "other bytes first"} {
		t.Run(name, func(t *testing.T) {
			d := startDaemon(t)
			c := client(t, d.URL)
			store, folder := storeOf(t, false)
			wanted := ipfs.Wanted{URI: "ipfs:" + d.addFolder(published(t)), Hash: hashB(t), Limit: limit}
			d.hostile = func(command string, w http.ResponseWriter, r *http.Request) bool {
				if command != "cat" {
					return false
				}
				content := d.files[r.URL.Query().Get("arg")]
				if name == "other bytes first" {
					content = make([]byte, len(content))
				}
				w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				_, _ = w.Write(content[:len(content)/2])
				panic(http.ErrAbortHandler)
			}
			if _, err := c.Download(t.Context(), store, wanted, nil); !errors.Is(err, ipfs.ErrUnavailable) {
				t.Fatal(err)
			}
			if got, err := store.Downloads(); err != nil || len(got) != 1 || got[0] != wanted.Hash {
				t.Errorf("%v, %v", got, err)
			}
			if removed, err := store.RemoveLeftovers(); removed != 0 || err != nil {
				t.Errorf("%d, %v", removed, err)
			}
			offsets := 0
			d.hostile = func(command string, w http.ResponseWriter, r *http.Request) bool {
				if command != "cat" || r.URL.Query().Get("offset") == "" {
					return false
				}
				offsets++
				if name == "no offset" {
					_, _ = w.Write(d.files[r.URL.Query().Get("arg")])
				}
				return name == "no offset"
			}
			if _, err := c.Download(t.Context(), store, wanted, nil); err != nil {
				t.Fatal(err)
			}
			if offsets != 1 {
				t.Errorf("%d calls with an offset", offsets)
			}
			wantPackage(t, folder)
		})
	}
}

func TestHostileDaemonsChangeNothing(t *testing.T) {
	change := func(what func(parts map[string][]byte)) func(t *testing.T, d *daemon) string {
		return func(t *testing.T, d *daemon) string {
			parts := published(t)
			what(parts)
			return d.addFolder(parts)
		}
	}
	listing := func(what func(links []ipfs.Link) []ipfs.Link) func(t *testing.T, d *daemon) string {
		return func(t *testing.T, d *daemon) string {
			id := d.addFolder(published(t))
			d.folders[id] = what(d.folders[id])
			return id
		}
	}
	answer := func(command string, reply func(w http.ResponseWriter)) func(t *testing.T, d *daemon) string {
		return func(t *testing.T, d *daemon) string {
			d.hostile = func(called string, w http.ResponseWriter, _ *http.Request) bool {
				if called == command {
					reply(w)
				}
				return called == command
			}
			return d.addFolder(published(t))
		}
	}
	endless := func(w http.ResponseWriter) {
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}
	for name, test := range map[string]struct {
		prepare func(t *testing.T, d *daemon) string
		want    error
	}{
		"one bit":          {change(func(p map[string][]byte) { p["content.zip.aes"][99] ^= 1 }), archive.ErrHash},
		"too little":       {change(func(p map[string][]byte) { p["content.zip.aes"] = p["content.zip.aes"][:99] }), archive.ErrHash},
		"too much":         {change(func(p map[string][]byte) { p["content.zip.aes"] = append(p["content.zip.aes"], 0) }), archive.ErrHash},
		"nothing":          {change(func(p map[string][]byte) { p["content.zip.aes"] = nil }), archive.ErrHash},
		"larger than sold": {change(func(p map[string][]byte) { p["content.zip.aes"] = make([]byte, 3*limit) }), ipfs.ErrContent},
		"no content":       {change(func(p map[string][]byte) { delete(p, "content.zip.aes") }), ipfs.ErrContent},
		"twice":            {listing(func(l []ipfs.Link) []ipfs.Link { return append(l, l...) }), ipfs.ErrContent},
		"announced more": {listing(func(l []ipfs.Link) []ipfs.Link {
			for i := range l {
				l[i].Size = 1 << 62
			}
			return l
		}), ipfs.ErrContent},
		"announced less": {listing(func(l []ipfs.Link) []ipfs.Link {
			for i := range l {
				l[i].Size = min(l[i].Size, 1)
			}
			return l
		}), ipfs.ErrContent},
		"negative":           {listing(func(l []ipfs.Link) []ipfs.Link { l[0].Size = -1; return l }), ipfs.ErrAnswer},
		"id with a query":    {listing(func(l []ipfs.Link) []ipfs.Link { l[0].Hash = "x&arg=y"; return l }), ipfs.ErrAnswer},
		"endless content":    {answer("cat", endless), ipfs.ErrContent},
		"endless listing":    {answer("ls", endless), ipfs.ErrAnswer},
		"listing of nothing": {answer("ls", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"Objects":[]}`) }), ipfs.ErrAnswer},
		"listing is no JSON": {answer("ls", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `<html>`) }), ipfs.ErrAnswer},
		"listing of null":    {answer("ls", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `null`) }), ipfs.ErrAnswer},
		"an error":           {answer("cat", func(w http.ResponseWriter) { http.Error(w, "no", http.StatusInternalServerError) }), ipfs.ErrRefused},
		"a redirect": {answer("cat", func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}), ipfs.ErrRefused},
		"an error at the end": {answer("cat", func(w http.ResponseWriter) {
			w.Header().Set("Trailer", "X-Stream-Error")
			_, _ = io.WriteString(w, "some")
			w.Header().Set("X-Stream-Error", "context deadline exceeded")
		}), ipfs.ErrRefused},
	} {
		t.Run(name, func(t *testing.T) {
			d := startDaemon(t)
			store, folder := storeOf(t, false)
			id := test.prepare(t, d)
			_, err := client(t, d.URL).Download(t.Context(), store, ipfs.Wanted{URI: "ipfs:" + id, Hash: hashB(t), Limit: limit}, nil)
			if !errors.Is(err, test.want) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%v, want %v", err, test.want)
			}
			if hashes, err := store.Packages(); err != nil || len(hashes) != 0 {
				t.Errorf("%v is there, %v", hashes, err)
			}
			for path := range files(t, filepath.Dir(folder)) {
				if !strings.HasPrefix(path, "packages/.billfold-unfinished-download-"+hashB(t).String()+"/") {
					t.Errorf("%s was written", path)
				}
			}
			// An honest one is believed afterwards.
			d.hostile = nil
			id = d.addFolder(published(t))
			if _, err := client(t, d.URL).Download(t.Context(), store, ipfs.Wanted{URI: "ipfs:" + id, Hash: hashB(t), Limit: limit}, nil); err != nil {
				t.Error(err)
			}
			wantPackage(t, folder)
		})
	}
}

// What the ledger's hash is not about keeps nobody from what he bought: it is left out where it is not as it should be.
func TestDownloadsWithoutWhatNobodyNeeds(t *testing.T) {
	change := func(do func(map[string][]byte)) func(t *testing.T, d *daemon) string {
		return func(t *testing.T, d *daemon) string {
			parts := published(t)
			do(parts)
			return d.addFolder(parts)
		}
	}
	twice := func(t *testing.T, d *daemon) string {
		id := d.addFolder(published(t))
		for _, link := range d.folders[id] {
			if link.Name == "content.cus" {
				d.folders[id] = append(d.folders[id], link)
			}
		}
		return id
	}
	for name, prepare := range map[string]func(t *testing.T, d *daemon) string{
		"short custody":   change(func(p map[string][]byte) { p["content.cus"] = p["content.cus"][:99] }),
		"long custody":    change(func(p map[string][]byte) { p["content.cus"] = append(p["content.cus"], 0) }),
		"large sample":    change(func(p map[string][]byte) { p["Samples/x"] = make([]byte, limit) }),
		"sample up":       listingOfSamples(`../../up`),
		"sample here":     listingOfSamples(`.`),
		"sample without":  listingOfSamples(``),
		"sample absolute": listingOfSamples(`/etc/passwd`),
		"sample control":  listingOfSamples("a\x1b[2J"),
		"no custody":      change(func(p map[string][]byte) { p["content.cus"] = nil }),
		"custody twice":   twice,
		"sample by \\":    listingOfSamples(`..\up`),
		"sample CON":      listingOfSamples("CON"),
	} {
		t.Run(name, func(t *testing.T) {
			d := startDaemon(t)
			store, _ := storeOf(t, false)
			wanted := ipfs.Wanted{URI: "ipfs:" + prepare(t, d), Hash: hashB(t), Limit: 1 << 20}
			if err := client(t, d.URL).Check(t.Context(), wanted); err != nil {
				t.Error(err)
			}
			p, err := client(t, d.URL).Download(t.Context(), store, wanted, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Verify(t.Context(), nil); err != nil {
				t.Error(err)
			}
			parts, err := p.Parts()
			if err != nil {
				t.Error(err)
			}
			for _, part := range parts {
				if part.Name == "Samples/CON" || part.Name == "content.cus" && part.Size != archive.CustodySize(p.Size) || part.Size > 1<<20 {
					t.Errorf("%+v", part)
				}
			}
		})
	}
}

func listingOfSamples(name string) func(t *testing.T, d *daemon) string {
	return func(t *testing.T, d *daemon) string {
		id := d.addFolder(published(t))
		for _, link := range d.folders[id] {
			if link.Type == 1 {
				d.folders[link.Hash] = append(d.folders[link.Hash], ipfs.Link{Name: name, Hash: idOf("fileup"), Type: 2})
			}
		}
		return id
	}
}

func TestLyingDaemonsPublishNothing(t *testing.T) {
	store, _ := storeOf(t, true)
	p, err := store.Package(hashB(t))
	if err != nil {
		t.Fatal(err)
	}
	text := func(answer string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { _, _ = io.WriteString(w, answer) }
	}
	for name, test := range map[string]struct {
		command string
		answer  func(http.ResponseWriter)
		want    error
	}{
		"no id":             {"add", text(`{"Name":"other","Hash":"Qm1"}`), ipfs.ErrAnswer},
		"strange id":        {"add", text(`{"Name":"` + p.Hash.String() + `","Hash":"../x"}`), ipfs.ErrAnswer},
		"no JSON":           {"add", text(`added`), ipfs.ErrAnswer},
		"an error in it":    {"add", text(`{"Message":"disk full","Code":0}`), ipfs.ErrRefused},
		"something else":    {"cat", text(strings.Repeat("x", int(p.Size))), ipfs.ErrAnswer},
		"half of it":        {"cat", text("x"), ipfs.ErrAnswer},
		"an id of nothing":  {"add", text(`{"Name":"` + p.Hash.String() + `","Hash":"Qm1"}`), ipfs.ErrRefused},
		"pins nothing":      {"pin/add", func(w http.ResponseWriter) { http.Error(w, "no", http.StatusInternalServerError) }, ipfs.ErrRefused},
		"too old":           {"version", text(`{"Version":"0.4.11"}`), ipfs.ErrVersion},
		"release candidate": {"version", text(`{"Version":"0.4.18-rc1"}`), ipfs.ErrVersion},
	} {
		d := startDaemon(t)
		d.hostile = func(command string, w http.ResponseWriter, r *http.Request) bool {
			if command == test.command {
				_, _ = io.Copy(io.Discard, r.Body)
				test.answer(w)
			}
			return command == test.command
		}
		if uri, err := client(t, d.URL).Upload(t.Context(), p, nil); !errors.Is(err, test.want) || uri != "" {
			t.Errorf("%s: %q, %v, want %v", name, uri, err, test.want)
		}
	}
}

func TestVersions(t *testing.T) {
	version := ""
	d := startDaemon(t)
	d.hostile = func(_ string, w http.ResponseWriter, _ *http.Request) bool {
		_, _ = fmt.Fprintf(w, `{"Version":%q}`, version)
		return true
	}
	c := client(t, d.URL)
	for text, want := range map[string]error{
		"0.4.12": nil, "0.4.13": nil, "0.5.0": nil, "1.0.0": nil, "0.66.0": nil,
		"0.4.11": ipfs.ErrVersion, "0.3.99": ipfs.ErrVersion, "0.4.12-rc1": ipfs.ErrVersion, "0.4": ipfs.ErrVersion, "0.4.12.1": ipfs.ErrVersion,
		"": ipfs.ErrVersion, "0.-4.12": ipfs.ErrVersion, "v0.4.12": ipfs.ErrVersion, "0.4.99999999999": ipfs.ErrVersion,
	} {
		version = text
		if _, err := c.Version(t.Context()); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The daemon sends half, then nothing; it is given up, and so is a caller's patience.
func TestStalledDaemonIsGivenUp(t *testing.T) {
	d := startDaemon(t)
	store, _ := storeOf(t, false)
	id := d.addFolder(published(t))
	d.hostile = func(command string, w http.ResponseWriter, r *http.Request) bool {
		if command == "cat" {
			_, _ = io.WriteString(w, "some")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
		return command == "cat"
	}
	c, err := ipfs.New(d.URL, &ipfs.Options{Stall: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	wanted := ipfs.Wanted{URI: "ipfs:" + id, Hash: hashB(t), Limit: limit}
	if _, err := c.Download(t.Context(), store, wanted, nil); !errors.Is(err, ipfs.ErrStalled) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err = client(t, d.URL).Download(ctx, store, wanted, func(done, _ int64) {
		if done > 4 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	stop()
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"", "5001", ":5001", "host:", "ftp://host", "http://", "http://host/?x=1", "http://user:secret@ho st/"} {
		if _, err := ipfs.New(bad, nil); !errors.Is(err, ipfs.ErrAddress) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	address := strings.Replace(closed.URL, "//", "//user:secret@", 1)
	if _, err := client(t, address).Version(t.Context()); !errors.Is(err, ipfs.ErrUnavailable) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	for _, bad := range []string{"", "ipfs:", "magnet:Qm1", "ipfs:Qm/1", "ipfs:Qm1?x", "ipfs:" + strings.Repeat("Q", 300)} {
		if _, err := ipfs.ParseURI(bad); !errors.Is(err, ipfs.ErrURI) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A daemon that is not there is named with the reason in words, without the calls of the system that failed.
func TestNoDaemonIsThere(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() { // ends with the listener
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1))
			_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_10.0\r\n"))
			conn.Close()
		}
	}()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secret := httptest.NewTLSServer(http.NotFoundHandler())
	defer secret.Close()
	for address, want := range map[string]string{
		"127.0.0.1:1":         "is not available: no program listens at that address: connection refused",
		"daemon.invalid:5001": "is not available: ",
		other.Addr().String(): "the program at that address does not speak HTTP",
		strings.Replace(plain.URL, "http", "https", 1): "it does not use TLS",
		secret.URL: "its certificate is not trusted: ",
	} {
		c, err := ipfs.New(address, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Version(t.Context())
		if !errors.Is(err, ipfs.ErrUnavailable) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "dial tcp") || strings.Contains(err.Error(), "lookup") {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
}
