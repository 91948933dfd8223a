package ledger

import (
	"fmt"
	"strconv"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// NFT is the object 1.10.N: a kind of non-fungible token.
type NFT struct {
	ID            NFTID               `json:"id"`
	Symbol        string              `json:"symbol"`
	Options       NFTOptions          `json:"options"`
	Definitions   []NFTDataDefinition `json:"definitions"`
	Transferable  bool                `json:"transferable"`
	CurrentSupply uint32              `json:"current_supply"`
}

// NFTData is the object 1.11.N: one token. A burnt one belongs to 1.2.1.
type NFTData struct {
	ID    NFTDataID `json:"id"`
	NFTID NFTID     `json:"nft_id"`
	Owner AccountID `json:"owner"`
	Data  []Variant `json:"data"` // one for each definition of the kind
}

// NFTCount is the number of tokens of a kind that an account has.
type NFTCount struct {
	_     struct{} `fc:"pair"`
	NFTID NFTID    `json:"nft_id"`
	Count uint32   `json:"count"`
}

// NFTOptions are the settings of a kind of non-fungible token.
type NFTOptions struct {
	Issuer         AccountID `json:"issuer"`
	MaxSupply      uint32    `json:"max_supply"`
	FixedMaxSupply bool      `json:"fixed_max_supply"`
	Description    string    `json:"description"`
}

// NFTDataDefinition describes one field of a token's data.
type NFTDataDefinition struct {
	Unique     bool          `json:"unique"`
	Modifiable NFTModifiable `json:"modifiable"`
	Type       NFTType       `json:"type"`
	Name       *string       `json:"name,omitempty"`
}

// NFTModifiable is the right to change a field.
type NFTModifiable uint8

// NFTType is the type of a field.
type NFTType uint8

func (NFTModifiable) names() []string { return []string{"nobody", "issuer", "owner", "both"} }
func (NFTType) names() []string       { return []string{"string", "integer", "boolean"} }

// String returns the reference's word.
func (v NFTModifiable) String() string { return enumName(uint8(v), v.names()) }

// String returns the reference's word.
func (v NFTType) String() string { return enumName(uint8(v), v.names()) }

// AppendJSON appends the JSON form.
func (v NFTModifiable) AppendJSON(b []byte) []byte { return codec.AppendString(b, v.String()) }

// AppendJSON appends the JSON form.
func (v NFTType) AppendJSON(b []byte) []byte { return codec.AppendString(b, v.String()) }

// ReadJSON reads the JSON form.
func (v *NFTModifiable) ReadJSON(p *codec.Parser) error { return parseEnum(p, (*uint8)(v), v.names()) }

// ReadJSON reads the JSON form.
func (v *NFTType) ReadJSON(p *codec.Parser) error { return parseEnum(p, (*uint8)(v), v.names()) }

// AppendBinary appends the bytes.
func (v NFTModifiable) AppendBinary(b []byte) ([]byte, error) {
	return codec.AppendLE(b, uint64(v), 8), nil
}

// AppendBinary appends the bytes.
func (v NFTType) AppendBinary(b []byte) ([]byte, error) { return codec.AppendLE(b, uint64(v), 8), nil }

// ReadBinary reads the bytes.
func (v *NFTModifiable) ReadBinary(r *codec.Reader) error {
	return unpackEnum(r, (*uint8)(v), v.names())
}

// ReadBinary reads the bytes.
func (v *NFTType) ReadBinary(r *codec.Reader) error { return unpackEnum(r, (*uint8)(v), v.names()) }

func enumName(v uint8, names []string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

// parseEnum reads a name or its number.
func parseEnum(p *codec.Parser, v *uint8, names []string) error {
	text, err := p.Whole()
	if err != nil {
		return err
	}
	for i, name := range names {
		if text == name || text == strconv.Itoa(i) {
			*v = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %v", printable.Clip(text), names)
}

// unpackEnum reads the 8 bytes that an enum takes on this ledger.
func unpackEnum(r *codec.Reader, v *uint8, names []string) error {
	n, err := r.Uint64()
	if err == nil && n >= uint64(len(names)) {
		err = fmt.Errorf("%d is not one of %v", n, names)
	}
	*v = uint8(n)
	return err
}

// NamedVariant is a field of a token's data with its name.
type NamedVariant struct {
	_     struct{} `fc:"pair"`
	Name  string   `json:"name"`
	Value Variant  `json:"value"`
}
