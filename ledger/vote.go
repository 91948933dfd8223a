package ledger

import (
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// VoteID names something to vote for: instance<<8 | type. Its text is
// "type:instance"; only type 0, a miner, exists.
type VoteID uint32

// String returns "type:instance".
func (v VoteID) String() string { return fmt.Sprintf("%d:%d", uint8(v), v>>8) }

// ParseVoteID reads "type:instance".
func ParseVoteID(text string) (VoteID, error) {
	typ, instance, _ := strings.Cut(text, ":")
	t, err1 := strconv.ParseUint(typ, 10, 8)
	i, err2 := strconv.ParseUint(instance, 10, 24)
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is not a vote id: write it as type:instance, such as 0:5", printable.Clip(text))
	}
	return VoteID(i<<8 | t), nil
}

// MarshalJSON writes "type:instance".
func (v VoteID) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads "type:instance".
func (v *VoteID) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

// AppendJSON appends the JSON form.
func (v VoteID) AppendJSON(b []byte) []byte { return codec.AppendString(b, v.String()) }

// ReadJSON reads the JSON form.
func (v *VoteID) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*v, err = ParseVoteID(text)
	return err
}

// AppendBinary appends the bytes.
func (v VoteID) AppendBinary(b []byte) ([]byte, error) { return codec.AppendUint32(b, uint32(v)), nil }

// ReadBinary reads the bytes.
func (v *VoteID) ReadBinary(r *codec.Reader) error {
	x, err := r.Uint32()
	*v = VoteID(x)
	return err
}
