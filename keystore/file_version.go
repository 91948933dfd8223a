package keystore

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"billfold/ledger"
	"billfold/ledger/usertext"
)

const (
	formatName = "billfold-keystore"
	// formatVersion is the newest version: 2 added the payment journal, 3 the registrations that wait. A file that uses
	// neither keeps an older version number.
	formatVersion = 3
	kdfName       = "argon2id"
	maxFileSize   = 64 << 20
	magic         = `{"format":"` + formatName + `","version":`
)

// fileVersion is one version of the key file: its bytes and what was parsed from them. It is never changed after it was made.
type fileVersion struct {
	raw     []byte // the whole file
	head    []byte // the header line, with its end; associated data of the payload
	kdf     derivation
	wrapped []byte // nonce and sealed data key
	public  Public
	payload []byte // nonce and sealed secrets

	nameOnce sync.Once
	byName   map[string]int // positions of accounts by name; made on first use
}

// account finds an account by its name or id.
func (v *fileVersion) account(nameOrID string) (Account, bool) {
	accounts := v.public.Accounts
	if id, err := ledger.ParseAccountID(nameOrID); err == nil {
		at, found := slices.BinarySearchFunc(accounts, id, func(a Account, id ledger.AccountID) int { return cmp.Compare(a.ID, id) })
		if found {
			return accounts[at], true
		}
	}
	v.nameOnce.Do(func() {
		v.byName = make(map[string]int, len(accounts))
		for i, a := range slices.Backward(accounts) { // of several the first counts
			v.byName[a.Name] = i
		}
	})
	at, found := v.byName[nameOrID]
	if !found {
		return Account{}, false
	}
	return accounts[at], true
}

type headerJSON struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	KDF     kdfJSON `json:"kdf"`
	Key     []byte  `json:"key,omitempty"`
	Public  *Public `json:"public,omitempty"`
}

type kdfJSON struct {
	Name      string `json:"name"`
	MemoryKiB uint32 `json:"memory_kib"`
	Time      uint32 `json:"time"`
	Threads   uint8  `json:"threads"`
	Salt      []byte `json:"salt"`
}

// encodeHeader returns the header line, including its newline, with spare capacity for room bytes after it.
func encodeHeader(d derivation, wrapped []byte, public *Public, room int) ([]byte, error) {
	h := headerJSON{
		Format: formatName, Version: versionOf(public),
		KDF: kdfJSON{kdfName, d.MemoryKiB, d.Time, d.Threads, d.salt},
		Key: wrapped,
	}
	if public == nil {
		line, err := json.Marshal(h)
		return append(line, '\n'), err
	}
	h.Public = public.withoutLists()
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	before, after, _ := bytes.Cut(line, []byte(emptyLists))
	head := make([]byte, 0, len(line)+listsBound(public)+room)
	head = append(appendLists(append(head, before...), public), after...)
	return append(head, '\n'), nil
}

// versionOf returns the oldest format version that can hold public. Older programs read the versions they know and
// refuse newer ones.
func versionOf(public *Public) int {
	switch {
	case public != nil && len(public.Waiting) > 0:
		return 3
	case public != nil && public.Journal != "":
		return 2
	}
	return 1
}

// appendPayload completes a file: it appends the sealed payload and the checksum to the header.
func appendPayload(head, payload []byte) []byte {
	raw := append(base64.StdEncoding.AppendEncode(head, payload), '\n')
	sum := sha256.Sum256(raw)
	return append(hex.AppendEncode(raw, sum[:]), '\n')
}

// roomFor returns how many bytes appendPayload appends for a payload of so many bytes.
func roomFor(payload int) int { return base64.StdEncoding.EncodedLen(payload) + 2 + sumSize }

// sumSize is the length of the checksum in hexadecimal.
const sumSize = 2 * sha256.Size

// parseFile parses a file without its password, and keeps raw. For given contents exactly one sequence of bytes is accepted, apart from what mail,
// version control and editors change of a text: see plainLines.
func parseFile(raw []byte) (*fileVersion, error) {
	plain := plainLines(raw)
	if err := checkFormat(plain); err != nil {
		return nil, err
	}
	lines := bytes.SplitAfterN(plain, []byte("\n"), 4)
	if len(lines) != 4 || len(lines[3]) != 0 {
		return nil, damagedError("it was cut short, or something was added")
	}
	v := &fileVersion{raw: raw, head: lines[0]}
	var err error
	if v.payload, err = base64.StdEncoding.Strict().AppendDecode(nil, lines[1][:len(lines[1])-1]); err != nil ||
		base64.StdEncoding.EncodedLen(len(v.payload)) != len(lines[1])-1 { // the decoder skips line ends, so they are counted here
		return nil, damagedError("its payload has characters that do not belong there")
	}
	sum := sha256.Sum256(plain[:len(plain)-len(lines[2])])
	if string(lines[2]) != hex.EncodeToString(sum[:])+"\n" {
		return nil, damagedError("its checksum does not match")
	}
	return v, v.parseHeader()
}

// plainLines returns a file with a line feed at the end of each line, and without a byte order mark or blank lines around it. What it holds is
// authenticated, so none of these can mean anything.
func plainLines(raw []byte) []byte {
	plain := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte(usertext.Mark)), "\r\n")
	if bytes.Contains(plain, []byte("\r\n")) {
		plain = bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
	}
	if body := bytes.TrimRight(plain, "\n"); len(body) < len(plain) {
		plain = plain[:len(body)+1]
	}
	return plain
}

// checkFormat returns the error for a file without a readable header: foreign, of a newer format, or damaged.
func checkFormat(raw []byte) error {
	if len(raw) == 0 {
		return damagedError("it is empty")
	}
	if len(raw) < len(magic) && bytes.HasPrefix([]byte(magic), raw) {
		return damagedError("it was cut short")
	}
	digits, ours := bytes.CutPrefix(raw, []byte(magic))
	if !ours {
		return foreignError(raw)
	}
	number, _, _ := bytes.Cut(digits, []byte(","))
	version, err := strconv.Atoi(string(number))
	if err != nil || version < 1 {
		return damagedError("its version number cannot be read")
	}
	if version > formatVersion {
		return versionError("version " + strconv.Itoa(version))
	}
	return nil
}

func foreignError(raw []byte) error {
	if bytes.Contains(raw[:min(len(raw), maxFileSize)], []byte(`"cipher_keys"`)) {
		return &Error{
			Kind:    ErrForeign,
			Message: "This is the wallet.json of cli_wallet, not a Billfold key file",
			Hint:    "import it with: billfold import FILE",
		}
	}
	return &Error{Kind: ErrForeign, Message: "This is not a Billfold key file", Hint: "check the path; nothing was changed"}
}

func versionError(what string) error {
	return &Error{
		Kind:    ErrVersion,
		Message: "The key file is of a kind that this program does not know: " + what,
		Hint:    "open it with the newer Billfold that wrote it",
	}
}

func (v *fileVersion) parseHeader() error {
	start := bytes.Index(v.head, []byte(startOfLists))
	if start < 0 {
		return damagedError("its header cannot be read")
	}
	var lists Public
	after, ok := readLists(v.head[start:], &lists)
	if !ok {
		return damagedError("its lists are not in the form this program writes")
	}
	small := slices.Concat(v.head[:start], []byte(emptyLists), after)
	var h headerJSON
	if err := json.Unmarshal(small, &h); err != nil || h.Public == nil {
		return damagedError("its header cannot be read")
	}
	if h.KDF.Name != kdfName {
		return versionError("its key derivation is not " + kdfName)
	}
	v.kdf = derivation{Params{h.KDF.MemoryKiB, h.KDF.Time, h.KDF.Threads}, h.KDF.Salt}
	v.wrapped, v.public = h.Key, *h.Public
	if again, err := encodeHeader(v.kdf, v.wrapped, &v.public, 0); err != nil || !bytes.Equal(again, small) {
		return damagedError("its header is not in the form this program writes")
	}
	v.public.Accounts, v.public.AccountKeys, v.public.Keys = lists.Accounts, lists.AccountKeys, lists.Keys
	if !v.kdf.affordable() || len(v.kdf.salt) != saltSize {
		return damagedError("it asks for an impossible key derivation")
	}
	if v.public.check() != nil {
		return damagedError("its list of accounts and keys is invalid")
	}
	return nil
}
