package sandbox

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
	"billfold/osfile"
	"billfold/sandbox/chain"
)

// A state file starts with stateMagic, followed by records of
//
//	length of the rest  uint32, little endian
//	checksum of the rest  uint32, CRC-32C
//	kind  byte, contents
//
// Nothing is ever overwritten: a record is appended and synced before anybody sees
// the change. A record that a crash left half written is cut off at the next start;
// a file with other damage, or without a whole genesis, is refused and left as it is.
const (
	stateMagic     = "billfold sandbox state 1\n"
	recordHead     = 8
	sectorSize     = 512 // what a disk writes at once, or not at all
	recordGenesis  = 'G' // stateGenesis as JSON, once, first
	recordBlock    = 'B' // a block, packed
	recordRewind   = 'R' // uint32: this block is the head again
	maxStateRecord = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stateGenesis is the genesis of a chain.
type stateGenesis struct {
	Text []byte `json:"text"` // unchanged; the chain id is its SHA-256
	Demo bool   `json:"demo"`
}

// stateFile keeps the blocks of a chain on disk. It is a chain.Log.
type stateFile struct {
	file   *os.File
	end    int64 // of the last complete record
	broken error // set if nothing can be written any more
}

// openState opens the file, which may be new, and locks it: two sandboxes would
// corrupt it.
func openState(path string) (*stateFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the state file cannot be opened: %w", err)
	}
	if err := osfile.TryLock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is in use by another sandbox; end that one, or choose another file", path), f.Close())
	}
	return &stateFile{file: f}, nil
}

func (s *stateFile) close() error { return s.file.Close() }

// Append writes a block to disk.
func (s *stateFile) Append(b *ledger.Block) error {
	packed, err := codec.Pack(b)
	if err != nil {
		return err
	}
	return s.add(recordBlock, packed)
}

// Rewind writes to disk that block num is the head again.
func (s *stateFile) Rewind(num uint32) error {
	return s.add(recordRewind, binary.LittleEndian.AppendUint32(nil, num))
}

// create writes the genesis and the blocks that exist already.
func (s *stateFile) create(g stateGenesis, blocks []*ledger.Block) error {
	body, err := json.Marshal(g)
	if err != nil {
		return err
	}
	text := appendRecord([]byte(stateMagic), recordGenesis, body)
	for _, b := range blocks {
		packed, err := codec.Pack(b)
		if err != nil {
			return err
		}
		text = appendRecord(text, recordBlock, packed)
	}
	s.end = 0
	if err := s.file.Truncate(0); err != nil {
		return fmt.Errorf("the state file cannot be written: %w", err)
	}
	return s.write(text)
}

func (s *stateFile) add(kind byte, contents []byte) error {
	return s.write(appendRecord(nil, kind, contents))
}

// write appends text to the file and syncs it. After an error the file is
// unchanged, or nothing more can be written.
func (s *stateFile) write(text []byte) error {
	if s.broken != nil {
		return s.broken
	}
	_, err := s.file.WriteAt(text, s.end)
	if err == nil {
		err = s.file.Sync()
	}
	if err == nil {
		s.end += int64(len(text))
		return nil
	}
	err = fmt.Errorf("the state file cannot be written: %w", err)
	if s.file.Truncate(s.end) != nil {
		s.broken = err
	}
	return err
}

func appendRecord(to []byte, kind byte, contents []byte) []byte {
	body := append([]byte{kind}, contents...)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(body)))
	to = binary.LittleEndian.AppendUint32(to, crc32.Checksum(body, castagnoli))
	return append(to, body...)
}

// storedChain is the content of a state file.
type storedChain struct {
	genesis stateGenesis
	blocks  [][]byte // packed, oldest first
	cut     int64    // bytes of an incomplete last record
}

// read returns the content of the file, or nil if it is empty. It cuts off an
// incomplete last record.
func (s *stateFile) read() (*storedChain, error) {
	data, err := io.ReadAll(s.file)
	if err != nil {
		return nil, fmt.Errorf("the state file cannot be read: %w", err)
	}
	if len(data) == 0 {
		return nil, nil
	}
	out, end, err := readRecords(data)
	if err != nil {
		return nil, err
	}
	s.end, out.cut = int64(end), int64(len(data)-end)
	if out.cut > 0 {
		if err := s.file.Truncate(s.end); err != nil {
			return nil, fmt.Errorf("the torn end of the state file cannot be cut off: %w", err)
		}
	}
	return out, nil
}

// readRecords returns the content of the records, and where the last complete one ends.
func readRecords(data []byte) (*storedChain, int, error) {
	rest, ok := bytes.CutPrefix(data, []byte(stateMagic))
	switch {
	case !ok && bytes.HasPrefix([]byte(stateMagic), data):
		rest = nil // cut off within it
	case !ok:
		return nil, 0, errors.New("the file is not a sandbox state of this version; choose another file")
	}
	var out *storedChain
	for len(rest) > 0 {
		body, left, err := nextRecord(rest, len(data)-len(rest))
		if err != nil {
			return nil, 0, fmt.Errorf("the state file is damaged at byte %d: %w; use a copy of it, or begin with a new file",
				len(data)-len(rest),
				err)
		}
		if body == nil {
			break
		}
		if out, err = out.add(body[0], body[1:]); err != nil {
			return nil, 0, fmt.Errorf("the state file is damaged at byte %d: %w; use a copy of it, or begin with a new file",
				len(data)-len(rest), err)
		}
		rest = left
	}
	if out == nil {
		return nil, 0, fmt.Errorf("the state file was cut short: it ends after %s, before its ledger begins; use a copy of it, or remove it to begin with a new ledger",
			printable.Many(int64(len(data)), "byte"))
	}
	return out, len(data) - len(rest), nil
}

// nextRecord returns the body of the first record, which is at this place of the file, and what follows it. body is nil
// if the record is the last and incomplete: the file ends inside it, or its last
// sectors never reached the disk.
func nextRecord(data []byte, at int) (body, rest []byte, err error) {
	if len(data) < recordHead {
		return nil, nil, nil
	}
	size, sum := uint64(binary.LittleEndian.Uint32(data)), binary.LittleEndian.Uint32(data[4:])
	rest = data[recordHead:]
	switch {
	case size > maxStateRecord:
		return nil, nil, errors.New("a record is longer than any block")
	case size > uint64(len(rest)) && (crc32.Checksum(rest, castagnoli) == sum || holdsRecord(rest)):
		return nil, nil, errors.New("the length of a record is wrong")
	case size > uint64(len(rest)):
		return nil, nil, nil
	}
	body, rest = rest[:size], rest[size:]
	switch {
	case size > 0 && crc32.Checksum(body, castagnoli) == sum:
		return body, rest, nil
	case len(bytes.Trim(rest, "\x00")) == 0 && endsUnwritten(data, at):
		return nil, nil, nil
	}
	return nil, nil, errors.New("a checksum is wrong")
}

// endsUnwritten reports whether the end of the file, from this place on, has zeros in its last sector or in all of it.
func endsUnwritten(data []byte, at int) bool {
	lastSector := max((at+len(data)-1)/sectorSize*sectorSize-at, 0)
	return len(bytes.Trim(data[lastSector:], "\x00")) == 0
}

// holdsRecord reports whether a whole record of a block or rewind begins anywhere in data.
func holdsRecord(data []byte) bool {
	for ; len(data) > recordHead; data = data[1:] {
		size, kind := uint64(binary.LittleEndian.Uint32(data)), data[recordHead]
		if size > 0 && size <= uint64(len(data)-recordHead) && (kind == recordBlock || kind == recordRewind) &&
			crc32.Checksum(data[recordHead:recordHead+size], castagnoli) == binary.LittleEndian.Uint32(data[4:]) {
			return true
		}
	}
	return false
}

// add applies one record and returns s. s is nil before the first, which must be
// the genesis.
func (s *storedChain) add(kind byte, contents []byte) (*storedChain, error) {
	switch {
	case s == nil && kind == recordGenesis:
		s = &storedChain{}
		return s, json.Unmarshal(contents, &s.genesis)
	case s == nil:
		return nil, errors.New("the genesis is missing")
	case kind == recordBlock:
		s.blocks = append(s.blocks, contents)
		return s, nil
	case kind == recordRewind && len(contents) == 4 && uint64(binary.LittleEndian.Uint32(contents)) <= uint64(len(s.blocks)):
		s.blocks = s.blocks[:binary.LittleEndian.Uint32(contents)]
		return s, nil
	}
	return nil, errors.New("a record of an unknown kind")
}

// replay applies the blocks to a chain that has none.
func (s *storedChain) replay(c *chain.Chain) error {
	for _, packed := range s.blocks {
		b := &ledger.Block{}
		err := codec.Unpack(packed, b)
		if err == nil {
			err = c.Replay(b)
		}
		if err != nil {
			return fmt.Errorf(
				"the state file cannot be replayed: %w; it was made by another version of the sandbox, so begin with a new file",
				err)
		}
	}
	return nil
}
