package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

const maxInstance = 1<<48 - 1

// ObjectID names any object: space<<56 | type<<48 | instance. Its text is
// "space.type.instance", its bytes are the number, little endian
// (docs/protocol/ledger.md 1).
type ObjectID uint64

// NewObjectID puts an id together. The instance is cut to 48 bits.
func NewObjectID(space, typ uint8, instance uint64) ObjectID {
	return ObjectID(uint64(space)<<56 | uint64(typ)<<48 | instance&maxInstance)
}

// Space returns the first number of the id: 1 protocol, 2 implementation.
func (id ObjectID) Space() uint8 { return uint8(id >> 56) }

// Type returns the second number of the id.
func (id ObjectID) Type() uint8 { return uint8(id >> 48) }

// Instance returns the third number of the id.
func (id ObjectID) Instance() uint64 { return uint64(id) & maxInstance }

// String returns "space.type.instance".
func (id ObjectID) String() string { return string(id.append(nil)) }

func (id ObjectID) append(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(id.Space()), 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, uint64(id.Type()), 10)
	b = append(b, '.')
	return strconv.AppendUint(b, id.Instance(), 10)
}

// ParseObjectID reads "space.type.instance".
func ParseObjectID(text string) (ObjectID, error) {
	id, ok := ObjectIDText(text)
	if !ok {
		if why := IDProblem(text); why != "" {
			return 0, errors.New(why)
		}
		return 0, fmt.Errorf("%q is not an object id: write it as space.type.instance, such as 1.2.34", printable.Clip(text))
	}
	return id, nil
}

// ObjectIDText is ParseObjectID for texts that are mostly something else: it does not build an error.
func ObjectIDText(text string) (id ObjectID, ok bool) {
	space, rest, ok := strings.Cut(text, ".")
	typ, instance, ok2 := strings.Cut(rest, ".")
	s, err1 := parseIDNumber(space, 8)
	t, err2 := parseIDNumber(typ, 8)
	i, err3 := parseIDNumber(instance, 48)
	if !ok || !ok2 || err1 != nil || err2 != nil || err3 != nil {
		return 0, false
	}
	return NewObjectID(uint8(s), uint8(t), i), true
}

// IDProblem returns why a text that looks like an id is none, as a sentence; "" if it is one, or is something else. A number of an id does not begin
// with a zero: spreadsheets make the date 01.02.2017 of 1.2.17, which would be another account.
func IDProblem(text string) string {
	parts := strings.Split(text, ".")
	zero := false
	for _, part := range parts {
		if part == "" || !allDigits(part) {
			return ""
		}
		zero = zero || part[0] == '0' && part != "0"
	}
	if len(parts) != 3 || !zero {
		return ""
	}
	return printable.Clip(text) + " is no id, as its numbers begin with a zero: it may be a date that a spreadsheet made of one; write the id, such as 1.2.17, and format the column as text"
}

// parseIDNumber reads plain decimal digits without a sign or a zero in front.
func parseIDNumber(text string, bits int) (uint64, error) {
	if text == "" || !allDigits(text) || text[0] == '0' && text != "0" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseUint(text, 10, bits)
}

// MarshalJSON writes the id as a string.
func (id ObjectID) MarshalJSON() ([]byte, error) { return id.AppendJSON(nil), nil }

// UnmarshalJSON reads the id from a string.
func (id *ObjectID) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, id) }

// AppendJSON appends the JSON form.
func (id ObjectID) AppendJSON(b []byte) []byte { return append(id.append(append(b, '"')), '"') }

// ReadJSON reads the JSON form.
func (id *ObjectID) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*id, err = ParseObjectID(text)
	return err
}

// AppendBinary appends the bytes.
func (id ObjectID) AppendBinary(b []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(b, uint64(id)), nil
}

// ReadBinary reads the bytes.
func (id *ObjectID) ReadBinary(r *codec.Reader) error {
	v, err := r.Uint64()
	*id = ObjectID(v)
	return err
}

// Kind is the space and type in the ids of one kind of object.
type Kind interface{ numbers() (space, typ uint8) }

// ID is the instance of an object of kind K. Its text is the full id, its
// bytes are the instance alone, as a varint.
type ID[K Kind] uint64

// The kinds of objects (docs/protocol/ledger.md 1).
type (
	accountKind            struct{}
	assetKind              struct{}
	minerKind              struct{}
	proposalKind           struct{}
	historyKind            struct{}
	withdrawPermissionKind struct{}
	vestingBalanceKind     struct{}
	nftKind                struct{}
	nftDataKind            struct{}
	assetDynamicDataKind   struct{}
	accountBalanceKind     struct{}
	accountStatisticsKind  struct{}
	buyingKind             struct{}
	contentKind            struct{}
	subscriptionKind       struct{}
)

func (accountKind) numbers() (uint8, uint8)            { return 1, 2 }
func (assetKind) numbers() (uint8, uint8)              { return 1, 3 }
func (minerKind) numbers() (uint8, uint8)              { return 1, 4 }
func (proposalKind) numbers() (uint8, uint8)           { return 1, 6 }
func (historyKind) numbers() (uint8, uint8)            { return 1, 7 }
func (withdrawPermissionKind) numbers() (uint8, uint8) { return 1, 8 }
func (vestingBalanceKind) numbers() (uint8, uint8)     { return 1, 9 }
func (nftKind) numbers() (uint8, uint8)                { return 1, 10 }
func (nftDataKind) numbers() (uint8, uint8)            { return 1, 11 }
func (assetDynamicDataKind) numbers() (uint8, uint8)   { return 2, 3 }
func (accountBalanceKind) numbers() (uint8, uint8)     { return 2, 4 }
func (accountStatisticsKind) numbers() (uint8, uint8)  { return 2, 5 }
func (buyingKind) numbers() (uint8, uint8)             { return 2, 12 }
func (contentKind) numbers() (uint8, uint8)            { return 2, 13 }
func (subscriptionKind) numbers() (uint8, uint8)       { return 2, 15 }

// The typed ids, with the prefix of their text.
type (
	AccountID            = ID[accountKind]            // 1.2
	AssetID              = ID[assetKind]              // 1.3
	MinerID              = ID[minerKind]              // 1.4
	ProposalID           = ID[proposalKind]           // 1.6
	HistoryID            = ID[historyKind]            // 1.7
	WithdrawPermissionID = ID[withdrawPermissionKind] // 1.8
	VestingBalanceID     = ID[vestingBalanceKind]     // 1.9
	NFTID                = ID[nftKind]                // 1.10
	NFTDataID            = ID[nftDataKind]            // 1.11
	AssetDynamicDataID   = ID[assetDynamicDataKind]   // 2.3
	AccountBalanceID     = ID[accountBalanceKind]     // 2.4
	AccountStatisticsID  = ID[accountStatisticsKind]  // 2.5
	BuyingID             = ID[buyingKind]             // 2.12
	ContentID            = ID[contentKind]            // 2.13
	SubscriptionID       = ID[subscriptionKind]       // 2.15
)

// Special accounts (docs/protocol/ledger.md 1).
const (
	MinerAccount     AccountID = 0  // 1.2.0 changes chain parameters, controlled by the miners
	NullAccount      AccountID = 1  // 1.2.1 nobody; burnt tokens go here
	TempAccount      AccountID = 2  // 1.2.2 always counts as having signed
	ProxyToSelf      AccountID = 3  // 1.2.3 the default voting account
	PublishingMaster AccountID = 15 // 1.2.15 may name publishing managers
)

// CoreAsset is DCT, 1.3.0, in which fees are paid.
const CoreAsset AssetID = 0

// The symbol and the decimals of DCT never change.
const (
	CoreSymbol    = "DCT"
	CorePrecision = 8
)

// Object returns the untyped id.
func (id ID[K]) Object() ObjectID {
	var k K
	s, t := k.numbers()
	return NewObjectID(s, t, uint64(id))
}

// String returns the full id, such as "1.2.34".
func (id ID[K]) String() string { return id.Object().String() }

// MarshalJSON writes the full id as a string.
func (id ID[K]) MarshalJSON() ([]byte, error) { return id.AppendJSON(nil), nil }

// UnmarshalJSON reads a full id of this kind.
func (id *ID[K]) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, id) }

// ParseID reads a full id of kind K; an id of another kind is an error.
func ParseID[K Kind](text string) (ID[K], error) {
	o, err := ParseObjectID(text)
	if err != nil {
		return 0, err
	}
	id := ID[K](o.Instance())
	if id.Object() != o {
		return 0, fmt.Errorf("%s is an id of another kind: expected %s", o, kindText[K]())
	}
	return id, nil
}

func kindText[K Kind]() string {
	var k K
	s, t := k.numbers()
	return fmt.Sprintf("%d.%d.N", s, t)
}

// ParseAccountID reads "1.2.N".
func ParseAccountID(text string) (AccountID, error) { return ParseID[accountKind](text) }

// ParseAssetID reads "1.3.N".
func ParseAssetID(text string) (AssetID, error) { return ParseID[assetKind](text) }

// ParseHistoryID reads "1.7.N".
func ParseHistoryID(text string) (HistoryID, error) { return ParseID[historyKind](text) }

// AppendJSON appends the JSON form.
func (id ID[K]) AppendJSON(b []byte) []byte { return id.Object().AppendJSON(b) }

// ReadJSON reads the JSON form.
func (id *ID[K]) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*id, err = ParseID[K](text)
	return err
}

// AppendBinary appends the bytes.
func (id ID[K]) AppendBinary(b []byte) ([]byte, error) { return codec.AppendVarint(b, uint64(id)), nil }

// ReadBinary reads the bytes.
func (id *ID[K]) ReadBinary(r *codec.Reader) error {
	v, err := r.Varint(maxInstance)
	*id = ID[K](v)
	return err
}
