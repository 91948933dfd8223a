package review

import (
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/vault"
)

func memoLines(v build.Review, w int) []canvas.Line {
	switch v.MemoState {
	case vault.MemoNone:
		return []canvas.Line{canvas.In(theme.Muted, "none")}
	case vault.MemoOpen:
		whom := "those who get it"
		if v.To.Name != "" {
			whom = format.Name(v.To).String()
		}
		head := canvas.Text(fmt.Sprintf("encrypted for %s · %d bytes, decrypted here from the operation:", whom, v.MemoBytes))
		if head.Width() > w {
			head = canvas.Text(fmt.Sprintf("encrypted for %s · %d bytes:", whom, v.MemoBytes))
		}
		return append([]canvas.Line{head}, format.Gutter(v.Memo, w)...)
	case vault.MemoPlain:
		head := canvas.In(theme.Warn, theme.SignCareful+" plain, anyone can read it, for ever:")
		return append([]canvas.Line{head}, format.Gutter(v.Memo, w)...)
	case vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
	}
	return []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" encrypted, no key in this wallet can read it")}
}

func shortChain(v build.Review) string {
	id := v.Chain.String()
	if len(id) < 12 {
		return id
	}
	return id[:8] + "…" + id[len(id)-4:]
}

// rawLines are the transaction as JSON and as bytes.
func rawLines(v build.Review, w int) []canvas.Line {
	var out []canvas.Line
	for _, l := range strings.Split(v.JSON, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " "))
		for _, row := range canvas.Text(format.Clean(l[indent:])).Wrap(max(w-indent, 2)) {
			out = append(out, canvas.Join(canvas.Text(strings.Repeat(" ", min(indent, w/2))), row))
		}
	}
	out = append(out, nil, canvas.In(theme.Muted, "Bytes"))
	return append(out, canvas.Text(format.Clean(v.Bytes)).Wrap(w)...)
}
