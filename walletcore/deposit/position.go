package deposit

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"billfold/walletcore/history"
)

// Position is the place of an operation on the chain. The zero value precedes every place.
type Position struct{ Block, Trx, Op, Virtual uint32 }

// PositionOf returns the position of e.
func PositionOf(e history.Entry) Position {
	return Position{e.Block, e.TrxInBlock, e.OpInTrx, e.VirtualOp}
}

// Compare orders positions as the ledger executes them.
func (p Position) Compare(o Position) int {
	return cmp.Or(cmp.Compare(p.Block, o.Block), cmp.Compare(p.Trx, o.Trx), cmp.Compare(p.Op, o.Op), cmp.Compare(p.Virtual, o.Virtual))
}

// before returns the position directly before p; the zero value is before itself.
func (p Position) before() Position {
	const last = math.MaxUint32
	switch {
	case p.Virtual > 0:
		p.Virtual--
	case p.Op > 0:
		p.Op, p.Virtual = p.Op-1, last
	case p.Trx > 0:
		p.Trx, p.Op, p.Virtual = p.Trx-1, last, last
	case p.Block > 0:
		p = Position{p.Block - 1, last, last, last}
	}
	return p
}

// String returns p as "1234.0.1.0".
func (p Position) String() string { return fmt.Sprintf("%d.%d.%d.%d", p.Block, p.Trx, p.Op, p.Virtual) }

// MarshalText returns String.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// MarshalJSON returns String, quoted.
func (p Position) MarshalJSON() ([]byte, error) { return []byte(`"` + p.String() + `"`), nil }

// ParsePosition parses what String returns, and nothing else.
func ParsePosition(text string) (Position, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 4 {
		return Position{}, fmt.Errorf("%.40q is not a position such as 1234.0.0.0", text)
	}
	var n [4]uint32
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 32)
		if err != nil || part != strconv.FormatUint(v, 10) {
			return Position{}, fmt.Errorf("%.40q is not a position such as 1234.0.0.0", text)
		}
		n[i] = uint32(v)
	}
	return Position{n[0], n[1], n[2], n[3]}, nil
}
