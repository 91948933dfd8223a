package ledger

import (
	"fmt"
	"strconv"
	"strings"
)

// VoteID names what can be voted for: instance<<8 | type. Its text is
// "type:instance"; only type 0, a miner, exists.
type VoteID uint32

// String gives "type:instance".
func (v VoteID) String() string { return fmt.Sprintf("%d:%d", uint8(v), v>>8) }

// ParseVoteID reads "type:instance".
func ParseVoteID(text string) (VoteID, error) {
	typ, instance, _ := strings.Cut(text, ":")
	t, err1 := strconv.ParseUint(typ, 10, 8)
	i, err2 := strconv.ParseUint(instance, 10, 24)
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is not a vote id: write it as type:instance, such as 0:5", clip(text))
	}
	return VoteID(i<<8 | t), nil
}

// MarshalJSON writes "type:instance".
func (v VoteID) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

// UnmarshalJSON reads "type:instance".
func (v *VoteID) UnmarshalJSON(data []byte) error { return Unmarshal(data, v) }

func (v VoteID) appendJSON(b []byte) []byte { return appendString(b, v.String()) }

func (v *VoteID) parseJSON(p *parser) error {
	text, err := p.text()
	if err != nil {
		return err
	}
	*v, err = ParseVoteID(text)
	return err
}

func (v VoteID) pack(b []byte) ([]byte, error) { return appendUint32(b, uint32(v)), nil }

func (v *VoteID) unpack(r *reader) error {
	x, err := r.uint32()
	*v = VoteID(x)
	return err
}
