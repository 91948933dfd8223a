package keystore

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"billfold/ledger/usertext"
)

// A backup is a stream of any length, sealed under a password of its own with what seals the key file:
//
//	header  {"format":"billfold-backup","version":1,"kdf":{…},"key":"…"}, a line
//	sum     SHA-256 of the header in hexadecimal, a line: it tells damage from a wrong password
//	pieces  64 KiB of the stream each, the last one shorter or as long, sealed under the data key of the header
//
// Each piece is bound to the header, its number and whether it is the last, so nothing can be cut off, left out, moved or
// added without notice.
const (
	backupName    = "billfold-backup"
	backupMagic   = `{"format":"` + backupName + `","version":`
	backupPiece   = 64 << 10
	maxBackupHead = 1 << 10
)

// The versions of a backup: what is inside it, for programs that know only the first.
const (
	BackupOfWallet     = 1
	BackupWithArchives = 2 // files to which a part of the store was moved
)

func backupError(kind error, what, hint string) error {
	return &Error{Kind: kind, Message: what, Hint: hint}
}

func damagedBackup() error {
	return backupError(ErrDamaged, "The backup is damaged or was cut short", "use another one; nothing was restored from it")
}

type backupHeader struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	KDF     kdfJSON `json:"kdf"`
	Key     []byte  `json:"key,omitempty"`
}

// encodeBackupHeader returns the line of the header; without wrapped, the text that the data key is bound to.
func encodeBackupHeader(version int, d derivation, wrapped []byte) ([]byte, error) {
	line, err := json.Marshal(backupHeader{backupName, version, kdfJSON{kdfName, d.MemoryKiB, d.Time, d.Threads, d.salt}, wrapped})
	return append(line, '\n'), err
}

// pieces numbers the pieces of a backup.
type pieces struct {
	key   []byte
	bound []byte // sum of the header, number, whether it is the last
	next  uint64
}

func newPieces(key, head []byte) pieces {
	sum := sha256.Sum256(head)
	return pieces{key: key, bound: append(sum[:], make([]byte, 9)...)}
}

// associated returns what the next piece is bound to.
func (p *pieces) associated(last bool) []byte {
	binary.BigEndian.PutUint64(p.bound[sha256.Size:], p.next)
	p.bound[len(p.bound)-1] = 0
	if last {
		p.bound[len(p.bound)-1] = 1
	}
	p.next++
	return p.bound
}

// BackupSealer seals what is written to it. The backup is whole once Close has returned nil.
type BackupSealer struct {
	to     io.Writer
	pieces pieces
	plain  []byte
}

// SealBackup writes the header of a backup under a password to to and returns what seals the rest. It keeps no more than one piece
// in memory. Errors: ErrEmptyPassword, ErrWeak, those of to.
func SealBackup(to io.Writer, version int, password string, o *Options) (*BackupSealer, error) {
	if password = usertext.Normal(password); password == "" {
		return nil, emptyPasswordError()
	}
	params, err := o.withDefaults().params(0)
	if err != nil {
		return nil, err
	}
	d, dataKey := newDerivation(params), newDataKey()
	bound, err := encodeBackupHeader(version, d, nil)
	if err != nil {
		return nil, err
	}
	wrapped, err := wrapUnder(d, password, dataKey, bound)
	if err != nil {
		return nil, err
	}
	head, err := encodeBackupHeader(version, d, wrapped)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(head)
	if _, err := to.Write(append(hex.AppendEncode(bytes.Clone(head), sum[:]), '\n')); err != nil {
		return nil, err
	}
	return &BackupSealer{to: to, pieces: newPieces(dataKey, head), plain: make([]byte, 0, backupPiece)}, nil
}

// Write implements io.Writer.
func (s *BackupSealer) Write(data []byte) (n int, err error) {
	for len(data) > 0 {
		if len(s.plain) == backupPiece { // more comes, so it is not the last
			if err := s.flush(false); err != nil {
				return n, err
			}
		}
		fits := min(len(data), backupPiece-len(s.plain))
		s.plain = append(s.plain, data[:fits]...)
		data, n = data[fits:], n+fits
	}
	return n, nil
}

// Close writes the last piece. It does not close what the backup is written to.
func (s *BackupSealer) Close() error {
	err := s.flush(true)
	clear(s.pieces.key)
	return err
}

func (s *BackupSealer) flush(last bool) error {
	sealed, err := seal(s.pieces.key, s.plain, s.pieces.associated(last))
	if err == nil {
		_, err = s.to.Write(sealed)
	}
	clear(s.plain[:cap(s.plain)])
	s.plain = s.plain[:0]
	return err
}

// OpenedBackup reads what was sealed. It returns io.EOF only after the last piece, so whoever has read to the end has all of it.
type OpenedBackup struct {
	from   *bufio.Reader
	pieces pieces
	sealed []byte
	plain  []byte // what is left of the present piece
	ended  bool
}

// CheckBackup reports whether a backup is sealed to recipients, and what is wrong with its header as far as that shows without what opens it.
func CheckBackup(from io.Reader) (toRecipients bool, err error) {
	r := bufio.NewReaderSize(from, maxBackupHead)
	start, err := r.Peek(len(ageMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch {
	case string(start) == ageMagic:
		return true, nil
	case len(start) > 0 && strings.HasPrefix(ageMagic, string(start)):
		return false, damagedBackup()
	}
	_, _, err = readBackupHeader(r)
	return false, err
}

// OpenBackup opens a backup with its password. Errors: ErrWrongPassword, ErrEmptyPassword, ErrForeign, ErrVersion, ErrDamaged (also
// from Read), those of from.
func OpenBackup(from io.Reader, password string) (*OpenedBackup, error) {
	if password == "" {
		return nil, emptyPasswordError()
	}
	r := bufio.NewReaderSize(from, backupPiece+sealOverhead)
	head, h, err := readBackupHeader(r)
	if err != nil {
		return nil, err
	}
	d := h.derivation()
	bound, err := encodeBackupHeader(h.Version, d, nil)
	if err != nil {
		return nil, err
	}
	var dataKey []byte
	opened := false
	for _, form := range usertext.Forms(password) {
		key := d.key(form)
		dataKey, opened = unseal(key, h.Key, bound)
		if clear(key); opened {
			break
		}
	}
	if !opened {
		return nil, wrongEncoding(password, backupError(ErrWrongPassword, "This is not the password of the backup",
			"it is the one that was typed when the backup was made, which need not be the wallet's"))
	}
	return &OpenedBackup{from: r, pieces: newPieces(dataKey, head), sealed: make([]byte, backupPiece+sealOverhead)}, nil
}

func (h backupHeader) derivation() derivation {
	return derivation{Params{h.KDF.MemoryKiB, h.KDF.Time, h.KDF.Threads}, h.KDF.Salt}
}

func readBackupHeader(r *bufio.Reader) (head []byte, h backupHeader, err error) {
	start, err := r.Peek(len(backupMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, h, err
	}
	if !bytes.HasPrefix([]byte(backupMagic), start) {
		start, _ = r.Peek(usertext.StartOfWallet) // fewer bytes, if the file is shorter
		what := "This is not a backup of Billfold"
		hint := "name a file that billfold backup made"
		if other := usertext.Format(start); other != nil {
			what, hint = what+", but "+other.Name, cmp.Or(other.Next, hint)
		}
		return nil, h, backupError(ErrForeign, what, hint)
	}
	start, err = r.Peek(maxBackupHead) // fewer bytes, if the file is shorter
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, h, err
	}
	number, _, _ := bytes.Cut(start[min(len(start), len(backupMagic)):], []byte(","))
	switch version, err := strconv.Atoi(string(number)); {
	case err != nil || version < 1:
		return nil, h, damagedBackup()
	case version > BackupWithArchives:
		return nil, h, backupError(ErrVersion, "The backup has version "+strconv.Itoa(version)+", which this program does not know",
			"restore it with the newer Billfold that made it")
	}
	at := bytes.IndexByte(start, '\n') + 1
	if at == 0 || len(start) < at+sumSize+1 {
		return nil, h, damagedBackup()
	}
	head = bytes.Clone(start[:at])
	sum := sha256.Sum256(head)
	if string(start[at:at+sumSize+1]) != hex.EncodeToString(sum[:])+"\n" || json.Unmarshal(head, &h) != nil {
		return nil, h, damagedBackup()
	}
	d := h.derivation()
	again, err := encodeBackupHeader(h.Version, d, h.Key)
	if err != nil || !bytes.Equal(again, head) || !d.affordable() || len(d.salt) != saltSize {
		return nil, h, damagedBackup()
	}
	_, err = r.Discard(at + sumSize + 1)
	return head, h, err
}

// Read implements io.Reader.
func (b *OpenedBackup) Read(into []byte) (int, error) {
	for len(b.plain) == 0 {
		if b.ended {
			return 0, io.EOF
		}
		if err := b.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(into, b.plain)
	b.plain = b.plain[n:]
	return n, nil
}

// advance opens the next piece.
func (b *OpenedBackup) advance() error {
	n, err := io.ReadFull(b.from, b.sealed)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	last := err != nil
	if !last {
		_, err := b.from.Peek(1)
		if last = errors.Is(err, io.EOF); err != nil && !last {
			return err
		}
	}
	plain, ok := unseal(b.pieces.key, b.sealed[:n], b.pieces.associated(last))
	if !ok {
		return damagedBackup()
	}
	b.plain, b.ended = plain, last
	return nil
}

// Close wipes the key.
func (b *OpenedBackup) Close() { clear(b.pieces.key) }
