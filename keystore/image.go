package keystore

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

const (
	formatName    = "billfold-keystore"
	formatVersion = 2 // 2 knows the payment journal; a file without one is still written as 1
	kdfName       = "argon2id"
	maxFileSize   = 64 << 20
	magic         = `{"format":"` + formatName + `","version":`
)

// image is one version of the file: its bytes and what they say. It is never
// changed after it was made.
type image struct {
	raw     []byte // the whole file
	head    []byte // the header line, with its end; associated data of the payload
	kdf     derivation
	wrapped []byte // nonce and sealed data key
	public  Public
	payload []byte // nonce and sealed secrets
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

// versionOf is the oldest version that can say what is to be said: an older program
// refuses what it does not know, and reads the rest.
func versionOf(public *Public) int {
	if public == nil || public.Journal == "" {
		return 1
	}
	return formatVersion
}

// finish puts the file together once the payload is sealed.
func (m *image) finish() {
	m.raw = append(m.raw[:0:0], m.head...)
	m.raw = base64.StdEncoding.AppendEncode(m.raw, m.payload)
	m.raw = append(m.raw, '\n')
	sum := sha256.Sum256(m.raw)
	m.raw = append(hex.AppendEncode(m.raw, sum[:]), '\n')
}

// parseImage reads a file without its password. Exactly one sequence of bytes
// is accepted for what a file says.
func parseImage(raw []byte) (*image, error) {
	if err := checkFormat(raw); err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(raw, []byte("\n"))
	if len(lines) != 4 || len(lines[3]) != 0 {
		return nil, damagedError("it was cut short, or something was added")
	}
	m := &image{head: lines[0], payload: make([]byte, base64.StdEncoding.DecodedLen(len(lines[1])))}
	n, err := base64.StdEncoding.Strict().Decode(m.payload, bytes.TrimSuffix(lines[1], []byte("\n")))
	m.payload = m.payload[:n]
	if err != nil {
		return nil, damagedError("its payload has characters that do not belong there")
	}
	if m.finish(); !bytes.Equal(m.raw, raw) {
		return nil, damagedError("its checksum does not match")
	}
	return m, m.parseHeader()
}

// checkFormat tells foreign and newer files from damaged ones.
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
		return &Error{Kind: ErrForeign, Message: "This is the wallet.json of cli_wallet, not a Billfold key file", Hint: "take it over with: billfold import FILE"}
	}
	return &Error{Kind: ErrForeign, Message: "This is not a Billfold key file", Hint: "check the path; nothing was changed"}
}

func versionError(what string) error {
	return &Error{Kind: ErrVersion, Message: "The key file is of a kind this program does not know: " + what, Hint: "open it with the newer Billfold that wrote it"}
}

func (m *image) parseHeader() error {
	var h headerJSON
	if err := json.Unmarshal(m.head, &h); err != nil || h.Public == nil {
		return damagedError("its header cannot be read")
	}
	if h.KDF.Name != kdfName {
		return versionError("its key derivation is not " + kdfName)
	}
	m.kdf = derivation{Params{h.KDF.MemoryKiB, h.KDF.Time, h.KDF.Threads}, h.KDF.Salt}
	m.wrapped, m.public = h.Key, *h.Public
	if again, err := encodeHeader(m.kdf, m.wrapped, &m.public); err != nil || !bytes.Equal(again, m.head) {
		return damagedError("its header is not in the form this program writes")
	}
	if !m.kdf.affordable() || len(m.kdf.salt) != saltSize {
		return damagedError("it asks for an impossible key derivation")
	}
	if m.public.check() != nil {
		return damagedError("its list of accounts and keys makes no sense")
	}
	return nil
}
