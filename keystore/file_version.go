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
)

const (
	formatName    = "billfold-keystore"
	formatVersion = 2 // 2 knows the payment journal; a file without one is still written as 1
	kdfName       = "argon2id"
	maxFileSize   = 64 << 20
	magic         = `{"format":"` + formatName + `","version":`
)

// fileVersion is one version of the key file: its bytes and what they say. It is never
// changed after it was made.
type fileVersion struct {
	raw     []byte // the whole file
	head    []byte // the header line, with its end; associated data of the payload
	kdf     derivation
	wrapped []byte // nonce and sealed data key
	public  Public
	payload []byte // nonce and sealed secrets

	naming sync.Once
	named  map[string]int // places of accounts by name; made when one is looked for
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
	v.naming.Do(func() {
		v.named = make(map[string]int, len(accounts))
		for i, a := range slices.Backward(accounts) { // of several the first counts
			v.named[a.Name] = i
		}
	})
	at, found := v.named[nameOrID]
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

func encodeHeader(d derivation, wrapped []byte, public *Public) ([]byte, error) {
	line, err := json.Marshal(headerJSON{
		Format: formatName, Version: versionOf(public),
		KDF: kdfJSON{kdfName, d.MemoryKiB, d.Time, d.Threads, d.salt},
		Key: wrapped, Public: public,
	})
	return append(line, '\n'), err
}

// versionOf returns the oldest format version that can hold public. Older programs
// read what they know and refuse the rest.
func versionOf(public *Public) int {
	if public == nil || public.Journal == "" {
		return 1
	}
	return formatVersion
}

// finish puts the file together once the payload is sealed.
func (v *fileVersion) finish() {
	v.raw = append(v.raw[:0:0], v.head...)
	v.raw = base64.StdEncoding.AppendEncode(v.raw, v.payload)
	v.raw = append(v.raw, '\n')
	sum := sha256.Sum256(v.raw)
	v.raw = append(hex.AppendEncode(v.raw, sum[:]), '\n')
}

// parseFile reads a file without its password. Exactly one sequence of bytes
// is accepted for what a file says.
func parseFile(raw []byte) (*fileVersion, error) {
	if err := checkFormat(raw); err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	if len(lines) != 4 || len(lines[3]) != 0 {
		return nil, damagedError("it was cut short, or something was added")
	}
	v := &fileVersion{head: lines[0], payload: make([]byte, base64.StdEncoding.DecodedLen(len(lines[1])))}
	n, err := base64.StdEncoding.Strict().Decode(v.payload, bytes.TrimSuffix(lines[1], []byte("\n")))
	v.payload = v.payload[:n]
	if err != nil {
		return nil, damagedError("its payload has characters that do not belong there")
	}
	if v.finish(); !bytes.Equal(v.raw, raw) {
		return nil, damagedError("its checksum does not match")
	}
	v.head = v.raw[:len(v.head)] // raw itself is not kept
	return v, v.parseHeader()
}

// checkFormat separates foreign and newer files from damaged ones.
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
			Hint:    "take it over with: billfold import FILE",
		}
	}
	return &Error{Kind: ErrForeign, Message: "This is not a Billfold key file", Hint: "check the path; nothing was changed"}
}

func versionError(what string) error {
	return &Error{
		Kind:    ErrVersion,
		Message: "The key file is of a kind this program does not know: " + what,
		Hint:    "open it with the newer Billfold that wrote it",
	}
}

func (v *fileVersion) parseHeader() error {
	var h headerJSON
	if err := json.Unmarshal(v.head, &h); err != nil || h.Public == nil {
		return damagedError("its header cannot be read")
	}
	if h.KDF.Name != kdfName {
		return versionError("its key derivation is not " + kdfName)
	}
	v.kdf = derivation{Params{h.KDF.MemoryKiB, h.KDF.Time, h.KDF.Threads}, h.KDF.Salt}
	v.wrapped, v.public = h.Key, *h.Public
	if again, err := encodeHeader(v.kdf, v.wrapped, &v.public); err != nil || !bytes.Equal(again, v.head) {
		return damagedError("its header is not in the form this program writes")
	}
	if !v.kdf.affordable() || len(v.kdf.salt) != saltSize {
		return damagedError("it asks for an impossible key derivation")
	}
	if v.public.check() != nil {
		return damagedError("its list of accounts and keys is invalid")
	}
	return nil
}
