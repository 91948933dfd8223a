package shell

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// Describe returns the review of a server's wallet as lines: what it does, what changes, its fee, and the keys.
func Describe(r txbuild.Review) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("what", "%s", r.Sentence)
	for _, e := range r.Effects {
		if e.Careful != "" {
			line("CAREFUL", "%s", e.Careful)
		}
	}
	for _, e := range r.Effects {
		writeChange(line, e)
	}
	line("fee", "%s", pretty(r.Fee, r.FeeAsset))
	keys := make([]string, len(r.SignsWith))
	for i, key := range r.SignsWith {
		keys[i] = key.String()
	}
	line("signs with", "%s", strings.Join(keys, ", "))
	return b.String()
}

// writeChange writes an effect: what changes, the old and the new value, and a note.
func writeChange(line func(name, format string, args ...any), e ledger.Effect) {
	if e.Was == "" && e.Now == "" && e.Note == "" {
		return
	}
	line("changes", "%s", e.What)
	if e.Was != "" {
		line("  was", "%s", e.Was)
	}
	if e.Now != "" {
		line("  then", "%s", e.Now)
	}
	if e.Note != "" {
		line("", "%s", e.Note)
	}
}

func pretty(amount int64, of ledgerview.AssetRef) string {
	return ledger.FormatAmount(amount, of.Precision) + " " + of.Symbol
}
