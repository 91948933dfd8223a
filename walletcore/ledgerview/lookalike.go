package ledgerview

import (
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/spelling"
)

// LookAlikes returns the known accounts whose name can be mistaken for name, sorted by
// id: confusable characters, one letter added, missing or different (two in names of
// nine letters or more), or one name that begins with the other.
func LookAlikes(name string, known map[ledger.AccountID]AccountRef) []AccountRef {
	var out []AccountRef
	for _, ref := range known {
		if Resemble(name, ref.Name) {
			out = append(out, ref)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// SymbolsAlike reports whether two asset symbols are easily confused: confusable letters, or the same name after
// another issuer's prefix.
func SymbolsAlike(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	return skeleton(strings.ToLower(lastPart(a))) == skeleton(strings.ToLower(lastPart(b)))
}

// lastPart returns a symbol without its prefix: GOLD for ALX.GOLD.
func lastPart(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }

// longName is the length from which names that differ in two letters still count as alike.
const longName = 9

// minStem is the length from which a shared beginning counts.
const minStem = 5

// Resemble reports whether one name can be mistaken for the other, by the rules of LookAlikes.
func Resemble(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	if skeleton(a) == skeleton(b) {
		return true
	}
	allowed := 1
	if len(a) >= longName && len(b) >= longName {
		allowed = 2
	}
	if d := len(a) - len(b); max(d, -d) <= allowed && spelling.Distance(a, b) <= allowed {
		return true
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) >= minStem && strings.HasPrefix(long, short)
}

// sameLooks replaces characters that look the same by one of them. It is made only once: making it costs far more than applying it to
// a name, and a list of rows compares a hundred names for each frame.
var sameLooks = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "-", "", "5", "s")

// skeleton returns the same form for all names that look the same.
func skeleton(name string) string {
	name = sameLooks.Replace(name)
	var out []byte
	for i := range len(name) { // doubled letters count once
		if i == 0 || name[i] != name[i-1] {
			out = append(out, name[i])
		}
	}
	return string(out)
}
