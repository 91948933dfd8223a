package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

// ExactPart is embedded, so it has to be exported.
type ExactPart struct {
	Left  uint32 `json:"left"`
	Right uint32 `json:"right"`
}

type exactWhole struct {
	ExactPart
	Name string    `json:"name"`
	Memo string    `json:"memo,omitempty"`
	List []uint32  `json:"list" fc:"set"`
	Part ExactPart `json:"part"`
	More *uint32   `json:"more,omitempty"`
}

// What was written by hand is read whole or not at all; what the node writes is read as the reference does.
func TestExact(t *testing.T) {
	const whole = `"left":1,"right":2,"name":"x","part":{"left":3,"right":4}`
	for text, fault := range map[string]string{
		`{` + whole + `}`: "",
		`{` + whole + `,"memo":"m","list":[2,1],"more":7,"id":{"any":[1]}}`: "",
		`{` + whole + `,"meno":"m"}`:                                        `"meno" is not a member of this object`,
		`{` + whole + `,"left":1}`:                                          `"left" is given twice`,
		`{` + whole + `,"list":[1,2,1]}`:                                    `list: an entry is given twice`,
		`{"left":1,"right":2,"part":{"left":3,"right":4}}`:                  `"name" is missing`,
		`{"left":1,"name":"x","part":{"left":3,"right":4}}`:                 `"right" is missing`,
		`{"left":1,"right":2,"name":"x","part":{"left":3}}`:                 `part: "right" is missing`,
		`{"left":1,"right":2,"name":"x","part":{"left":3,"id":1}}`:          `part: "right" is missing`,
		`{"left":1,"right":2,"name":"x","part":{"left":3,"Right":4}}`:       `part: "Right" is not a member of this object`,
	} {
		var v exactWhole
		err := codec.UnmarshalExact([]byte(text), &v, "id")
		if (err == nil) != (fault == "") || err != nil && err.Error() != fault {
			t.Errorf("%s: %v, want %q", text, err, fault)
		}
		if m, ok := errors.AsType[*codec.MemberError](err); ok && (m.Known != nil) != strings.Contains(fault, "not a member") {
			t.Errorf("%s: known are %v", text, m.Known)
		}
		if err := codec.Unmarshal([]byte(text), new(exactWhole)); err != nil {
			t.Errorf("the node's %s: %v", text, err)
		}
	}
}
