package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"billfold/osfile"
	"billfold/walletcore/store"
)

// MarkName is the name of the file beside the journal that records how far it had come.
const MarkName = "store.mark"

// markSlot is the size of one of the two slots in the file. Commits alternate between them, so that the earlier mark
// stays readable if a write is torn.
const markSlot = 128

const markForm = store.OwnMark + " %s %d %s"

func slotOf(m store.Mark) []byte {
	text := fmt.Sprintf(markForm, m.ID, m.Commit, m.Nonce)
	text += fmt.Sprintf(" %08x", crc32.ChecksumIEEE([]byte(text)))
	return append(bytes.Repeat([]byte(" "), markSlot-1-len(text)), text+"\n"...)
}

func parseSlot(slot []byte) (m store.Mark, ok bool) {
	text := strings.TrimSpace(string(slot))
	cut := strings.LastIndexByte(text, ' ')
	if cut < 0 || text[cut+1:] != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text[:cut]))) {
		return m, false
	}
	_, err := fmt.Sscanf(text[:cut], markForm, &m.ID, &m.Commit, &m.Nonce)
	return m, err == nil
}

// errNoMark means that the file holds no readable mark.
var errNoMark = errors.New("it does not hold a mark")

// readMark reads the later of the two marks. Errors: fs.ErrNotExist, errNoMark, those of the disk.
func readMark(path string) (store.Mark, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return store.Mark{}, err
	}
	var latest store.Mark
	for slot := range bytes.Lines(raw) {
		if m, ok := parseSlot(slot); ok && m.Commit >= latest.Commit {
			latest = m
		}
	}
	if latest.ID == "" {
		return latest, errNoMark
	}
	return latest, nil
}

// errShared means that the wallet of this folder keeps its store in a database for several servers.
var errShared = errors.New("the server of this folder shares its store with others: give --store with the address of the database; " +
	"a store of its own would not know what was paid")

// markFile writes marks. The file is opened each time, because another program may have replaced it.
type markFile struct{ path string }

// checkUsable returns why an existing mark keeps the wallet from having its own store: it is that of a server which shares
// its store, or it cannot be written. A mark that stays behind the journal would let an older copy pass as complete.
func (f markFile) checkUsable() error {
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if isMissing(err) {
		return nil
	}
	var raw []byte
	if err == nil {
		raw, err = io.ReadAll(file)
		err = errors.Join(err, file.Close())
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s, which says how far the payment journal had come, cannot be used: %w; "+
			"without it no payment can be made safely, so do not move it away: make it readable and writable", f.path, err)
	case bytes.Contains(raw, []byte(store.SharedMark)):
		return errShared
	}
	return nil
}

// advance writes the mark of a commit over that of the commit before the last.
func (f markFile) advance(m store.Mark) error {
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(slotOf(m), m.Commit%2*markSlot)
	return errors.Join(err, file.Close())
}

// create replaces the file, if there is one, with a new one; it is on disk on return.
func (f markFile) create(m store.Mark) error { return osfile.Replace(f.path, wholeMark(m)) }

// wholeMark returns the contents of a file with one mark in its slot and blanks in the other.
func wholeMark(m store.Mark) []byte {
	blank := append(bytes.Repeat([]byte(" "), markSlot-1), '\n')
	if m.Commit%2 == 0 {
		return append(slotOf(m), blank...)
	}
	return append(blank, slotOf(m)...)
}

// restoredMark begins a mark that says only from which backup the journal came: nobody knows how far it had come since.
const restoredMark = "restored from a backup of "

// restoredOn returns the time of the backup that the journal beside a mark came from, "" if it came from none.
func restoredOn(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	on, is := strings.CutPrefix(string(raw), restoredMark)
	made, err := time.Parse(time.RFC3339, strings.TrimSpace(on))
	if !is || err != nil {
		return ""
	}
	return made.UTC().Format("2006-01-02 15:04 (UTC)")
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
