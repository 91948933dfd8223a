package ledger

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// Bytes is a byte string whose JSON is lower-case hex.
type Bytes []byte

// String returns the hex.
func (v Bytes) String() string { return hex.EncodeToString(v) }

// MarshalJSON writes lower-case hex.
func (v Bytes) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads hex of either case.
func (v *Bytes) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

// AppendJSON appends the JSON form.
func (v Bytes) AppendJSON(b []byte) []byte { return codec.AppendHex(b, v) }

// ReadJSON reads the JSON form.
func (v *Bytes) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*v, err = hex.DecodeString(text)
	if err != nil {
		return fmt.Errorf("%q is not a hex string", printable.Clip(text))
	}
	return nil
}

// AppendBinary appends the bytes.
func (v Bytes) AppendBinary(b []byte) ([]byte, error) {
	return append(codec.AppendVarint(b, uint64(len(v))), v...), nil
}

// ReadBinary reads the bytes.
func (v *Bytes) ReadBinary(r *codec.Reader) error {
	data, err := r.Bytes()
	*v = append(Bytes{}, data...)
	return err
}

// Hash160 is a 20-byte digest, shown as hex.
type Hash160 [20]byte

// String returns the hex.
func (h Hash160) String() string { return hex.EncodeToString(h[:]) }

// MarshalJSON writes the hex.
func (h Hash160) MarshalJSON() ([]byte, error) { return codec.AppendHex(nil, h[:]), nil }

// UnmarshalJSON reads 40 hex digits.
func (h *Hash160) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, h) }

// TransactionID is the first 20 bytes of SHA-256 of the packed transaction.
type TransactionID = Hash160

// ParseTransactionID reads 40 hex digits.
func ParseTransactionID(text string) (id TransactionID, err error) {
	return id, codec.ParseHex(id[:], text, "transaction id")
}

// BlockID names a block; its first four bytes are the block number, big endian.
type BlockID [20]byte

// ParseBlockID reads 40 hex digits.
func ParseBlockID(text string) (id BlockID, err error) {
	return id, codec.ParseHex(id[:], text, "block id")
}

// String returns the hex.
func (id BlockID) String() string { return hex.EncodeToString(id[:]) }

// Num returns the number of the block.
func (id BlockID) Num() uint32 { return binary.BigEndian.Uint32(id[:4]) }

// MarshalJSON writes the hex.
func (id BlockID) MarshalJSON() ([]byte, error) { return codec.AppendHex(nil, id[:]), nil }

// UnmarshalJSON reads 40 hex digits.
func (id *BlockID) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, id) }

// BlockRef returns what a transaction names a block by: the low 16 bits of its
// number and bytes 4 to 7 of its id (docs/protocol/serialization.md 4).
func BlockRef(id BlockID) (num uint16, prefix uint32) {
	return uint16(id.Num()), binary.LittleEndian.Uint32(id[4:8])
}

// ChainID names a chain: SHA-256 of its genesis text.
type ChainID [32]byte

// MainnetChainID is the chain id of DCore's main network.
const MainnetChainID = "4777b283f8006237590c67a5001fb62e14fdfd2c0f5f5afb55e687ae8082d483"

// ParseChainID reads 64 hex digits.
func ParseChainID(text string) (id ChainID, err error) {
	return id, codec.ParseHex(id[:], text, "chain id")
}

// String returns the hex.
func (id ChainID) String() string { return hex.EncodeToString(id[:]) }

// MarshalJSON writes the hex.
func (id ChainID) MarshalJSON() ([]byte, error) { return codec.AppendHex(nil, id[:]), nil }

// UnmarshalJSON reads 64 hex digits.
func (id *ChainID) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, id) }
