package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// entry is a file of an archive. Its time is the commit's, and its owner nobody in particular.
type entry struct {
	name string
	text []byte
	mode int64
}

// archives writes an archive for each program, with all that a person wants beside it.
func (r *release) archives(programs []program, shipped []entry) error {
	for _, p := range programs {
		text, err := os.ReadFile(p.path)
		if err != nil {
			return err
		}
		folder := r.name(p.system)
		name, write := folder+".tar.gz", r.writeTar
		binary := "billfold"
		if strings.HasPrefix(p.system, "windows/") {
			name, write, binary = folder+".zip", r.writeZip, "billfold.exe"
		}
		entries := []entry{{folder + "/" + binary, text, 0o755}}
		for _, e := range shipped {
			if strings.HasPrefix(e.name, "packaging/") && !strings.HasPrefix(p.system, "linux/") {
				continue // units of systemd
			}
			entries = append(entries, entry{folder + "/" + e.name, e.text, e.mode})
		}
		if err := r.writeFile(name, func(to io.Writer) error { return write(to, entries) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) writeFile(name string, fill func(io.Writer) error) error {
	file, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	return errors.Join(fill(file), file.Close())
}

func (r *release) writeTar(to io.Writer, entries []entry) error {
	zipped, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		head := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.text)), ModTime: r.commit.time, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(head); err != nil {
			return err
		}
		if _, err := w.Write(e.text); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), zipped.Close())
}

func (r *release) writeZip(to io.Writer, entries []entry) error {
	w := zip.NewWriter(to)
	for _, e := range entries {
		head := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: r.commit.time}
		head.SetMode(os.FileMode(e.mode))
		in, err := w.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := in.Write(e.text); err != nil {
			return err
		}
	}
	return w.Close()
}

// source writes an archive of the commit's files.
func (r *release) source() error {
	folder := "billfold_" + r.version + "_source"
	cmd := exec.Command("git", "-c", "tar.umask=0022", "archive", "--format=tar", "--prefix="+folder+"/", r.commit.id)
	cmd.Dir = r.root
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git archive: %w", err)
	}
	return r.writeFile(folder+".tar.gz", func(to io.Writer) error {
		zipped, err := gzip.NewWriterLevel(to, gzip.BestCompression)
		if err != nil {
			return err
		}
		_, err = zipped.Write(text)
		return errors.Join(err, zipped.Close())
	})
}

// sums writes the SHA-256 sums of all files, as sha256sum -c reads them.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, e := range entries {
		sum, err := sumOf(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, e.Name())
	}
	fmt.Print(list.String())
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), list.Bytes(), 0o644)
}

func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
