package ipfs_test

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"billfold/content/archive"
	"billfold/content/ipfs"
	"billfold/content/ipfs/ipfstest"
	"billfold/internal/ramdisk"
)

// TestRealDaemon publishes and fetches through npm's ipfs, which make ipfs installs.
func TestRealDaemon(t *testing.T) {
	c := client(t, ipfstest.Start(t))
	version, err := c.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Log("version", version)
	if peer, err := c.ID(t.Context()); err != nil {
		t.Errorf("%s, %v", peer, err)
	}
	store, _ := storeOf(t, true)
	small, err := store.Package(hashB(t))
	if err != nil {
		t.Fatal(err)
	}
	// Several blocks of IPFS, and names that need escaping.
	source := t.TempDir()
	noise := bytes.Repeat([]byte("0123456789abcdef"), 3<<16)
	for i := range noise {
		noise[i] ^= byte(i * i >> 7)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(source, "a"), noise, 0o600), os.Mkdir(filepath.Join(source, "samples"), 0o700),
		os.WriteFile(filepath.Join(source, "samples", "trailer 1+2 100% ü.txt"), []byte("see this"), 0o600)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	content, err := archive.Scan(t.Context(), root, "a")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := archive.ScanSamples(root, "samples")
	if err != nil {
		t.Fatal(err)
	}
	large, err := store.Create(t.Context(), archive.Recipe{Content: content, Samples: samples, Key: &archive.Key{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*archive.Package{small, large} {
		uri, err := c.Upload(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(p.Hash, uri)
		to := ramdisk.Folder(t)
		fetched, err := archive.OpenStore(to)
		if err != nil {
			t.Fatal(err)
		}
		defer fetched.Close()
		// As if an earlier try had stopped in the middle.
		half, err := fetched.Download(p.Hash)
		if err != nil {
			t.Fatal(err)
		}
		begun, _, err := half.Append(archive.EncryptedName)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := p.Open()
		if err != nil {
			t.Fatal(err)
		}
		_, err = bufio.NewReader(whole).WriteTo(&limited{begun, p.Size / 2})
		if err := errors.Join(ignore(err, errEnough), begun.Close(), whole.Close()); err != nil {
			t.Fatal(err)
		}
		half.Close()
		got, err := c.Download(t.Context(), fetched, ipfs.Wanted{URI: uri, Hash: p.Hash, Limit: 64 << 20}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.Parts()
		if err != nil {
			t.Fatal(err)
		}
		if parts, err := got.Parts(); err != nil || len(parts) != len(want) {
			t.Errorf("%v, want %v; %v", parts, want, err)
		}
		id, _ := ipfs.ParseURI(uri)
		if err := c.Unpin(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

var errEnough = errors.New("enough")

type limited struct {
	to   *os.File
	left int64
}

func (l *limited) Write(p []byte) (int, error) {
	n, err := l.to.Write(p[:min(int64(len(p)), l.left)])
	if l.left -= int64(n); l.left == 0 && err == nil {
		err = errEnough
	}
	return n, err
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
