package postgres

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"billfold/osfile"
	"billfold/walletcore/store"
)

// mark is the last commit that the store confirmed to this server. A store whose row for the server says
// less has lost something.
type mark struct {
	Store  string // the store's identity
	Server string // this server's id
	Epoch  int64
	Number int64 // number of the commit
	Nonce  string
}

// markSlot is the size of one of the two slots in the file. Commits alternate between them, so that the earlier mark
// stays readable if a write is torn.
const markSlot = 256

const markForm = store.SharedMark + " %s %s %d %d %s"

func (m mark) slot() []byte {
	text := fmt.Sprintf(markForm, m.Store, m.Server, m.Epoch, m.Number, m.Nonce)
	text += fmt.Sprintf(" %08x", crc32.ChecksumIEEE([]byte(text)))
	return append(bytes.Repeat([]byte(" "), markSlot-1-len(text)), text+"\n"...)
}

func parseSlot(slot []byte) (m mark, ok bool) {
	text := strings.TrimSpace(string(slot))
	cut := strings.LastIndexByte(text, ' ')
	if cut < 0 || text[cut+1:] != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text[:cut]))) {
		return m, false
	}
	_, err := fmt.Sscanf(text[:cut], markForm, &m.Store, &m.Server, &m.Epoch, &m.Number, &m.Nonce)
	return m, err == nil
}

// markFile is the file in the data folder that records how far this server had come. It is written after each commit,
// and is on disk within a second. It is safe for concurrent use.
type markFile struct {
	path string

	mu    sync.Mutex
	file  *os.File // nil before the first write
	dirty bool
}

var errNoMark = errors.New("it is not the mark of a server")

// read reads the later of the two marks, and when it was written by this machine's clock. Errors: fs.ErrNotExist,
// errNoMark, those of the disk.
func (f *markFile) read() (latest mark, written time.Time, err error) {
	raw, err := os.ReadFile(f.path)
	if err != nil {
		return mark{}, written, err
	}
	if info, err := os.Stat(f.path); err == nil {
		written = info.ModTime()
	}
	for slot := range bytes.Lines(raw) {
		if m, ok := parseSlot(slot); ok && m.Number >= latest.Number {
			latest = m
		}
	}
	if latest.Server == "" {
		return latest, written, errNoMark
	}
	return latest, written, nil
}

// unusable returns why a file that is not a server's mark keeps this server from the store, and what to do.
func (f *markFile) unusable() error {
	if raw, err := os.ReadFile(f.path); err == nil && bytes.Contains(raw, []byte(store.OwnMark)) {
		return fmt.Errorf("%s is not that of a server: the folder has a store of its own; "+
			"billfold store init --from brings that into the database, or use another folder", f.path)
	}
	return fmt.Errorf("%s is damaged, so this server cannot tell whether the store has everything that was confirmed to it. "+
		"Move that file away, and it enters the store as a new server; if the database was restored from a copy meanwhile, "+
		"run billfold store accept --from-block N before any server is started", f.path)
}

// create replaces the file with a new one that holds m; it is on disk on return.
func (f *markFile) create(m mark) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		_ = f.file.Close() // a new file takes its place
		f.file = nil
	}
	blank := append(bytes.Repeat([]byte(" "), markSlot-1), '\n')
	text := bytes.Repeat(blank, 2)
	copy(text[m.Number%2*markSlot:], m.slot())
	if err := osfile.Replace(f.path, text); err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	f.file = file
	return nil
}

// advance writes the mark of a commit over that of the commit before the last.
func (f *markFile) advance(m mark) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return fs.ErrClosed
	}
	_, err := f.file.WriteAt(m.slot(), m.Number%2*markSlot)
	f.dirty = true
	return err
}

// sync flushes what was written to the disk.
func (f *markFile) sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.dirty || f.file == nil {
		return nil
	}
	f.dirty = false
	return f.file.Sync()
}

func (f *markFile) close() error {
	err := f.sync()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return err
	}
	return errors.Join(err, f.file.Close())
}

// MarkFolder marks a folder as that of a server of the store with the identity id, so that no separate store is created in it.
func MarkFolder(folder, id string) error {
	f := markFile{path: filepath.Join(folder, MarkName)}
	return errors.Join(f.create(mark{Store: id, Server: randomText(16), Nonce: randomText(8)}), f.close())
}

// lockName is the file that the one process of a folder locks.
const lockName = "store.lock"

// bootID is the file with an id that is new at each boot of a Linux machine.
const bootID = "/proc/sys/kernel/random/boot_id"

// lockFolder locks the folder for this process. The place that it returns identifies the folder on this machine: an earlier
// process that entered the store from the same place has ended, because it held the lock. The place is "" if that cannot be told.
func lockFolder(folder string) (held *os.File, place string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, "", &FolderError{err}
	}
	path, err := filepath.Abs(filepath.Join(folder, lockName))
	if err != nil {
		return nil, "", err
	}
	held, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, "", &FolderError{err}
	}
	boot, err := os.ReadFile(bootID)
	if err != nil || osfile.TryLock(held) != nil {
		return held, "", nil
	}
	which, err := osfile.Identity(held)
	if err != nil {
		return held, "", nil
	}
	sum := sha256.Sum256(append(boot, which...)) // not the path: it may name another folder in each container
	return held, hex.EncodeToString(sum[:16]), nil
}
