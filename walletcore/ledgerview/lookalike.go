package ledgerview

import (
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/spelling"
)

// LookAlikes returns the known accounts whose name can be taken for name:
// confusable characters, one letter more, less or other (two from nine letters
// on), the same beginning with a longer tail.
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

// SymbolsAlike reports whether one asset's symbol is easily taken for another's: confusable letters, or the
// same name behind another issuer's prefix.
func SymbolsAlike(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	return skeleton(strings.ToLower(lastPart(a))) == skeleton(strings.ToLower(lastPart(b)))
}

// lastPart is a symbol without its prefix: GOLD of ALX.GOLD.
func lastPart(symbol string) string { return symbol[strings.LastIndexByte(symbol, '.')+1:] }

// longName is from how many letters on two differing letters still resemble.
const longName = 9

// minStem is how long a shared beginning must be to count.
const minStem = 5

// Resemble reports whether one name can be taken for the other, as LookAlikes has it.
func Resemble(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	if skeleton(a) == skeleton(b) {
		return true
	}
	most := 1
	if len(a) >= longName && len(b) >= longName {
		most = 2
	}
	if d := len(a) - len(b); max(d, -d) <= most && spelling.Distance(a, b) <= most {
		return true
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) >= minStem && strings.HasPrefix(long, short)
}

// sameLooks writes what looks the same one way. It is made once: making it costs far more than a name, and a list of rows compares
// a hundred names for each frame.
var sameLooks = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "-", "", "5", "s")

// skeleton folds what looks the same into one form.
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
