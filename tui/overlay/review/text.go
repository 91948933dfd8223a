package review

import (
	"fmt"
	"slices"
	"strings"

	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

func memoLines(v txbuild.Review, w int) []canvas.Line {
	return textLines(v.MemoState, memoReader(v), v.Memo, w)
}

// memoReader returns who can read the memo besides the payer.
func memoReader(v txbuild.Review) string {
	if v.To.Name == "" {
		return "its readers"
	}
	return format.Name(v.To).String()
}

// memo returns the memo of a payment, and who can read it: where there is little room, in one line if that fits.
func (s *sheet) memo(v txbuild.Review) []canvas.Line {
	lines := memoLines(v, s.w-12)
	if !s.tight || len(lines) != 2 {
		return lines
	}
	head := lines[0]
	if v.MemoState == vault.MemoOpen {
		head = canvas.Text("encrypted for " + memoReader(v) + ":")
	}
	if one := canvas.Join(head, canvas.Text(" "), lines[1]); one.Width() <= s.w-12 {
		return []canvas.Line{one}
	}
	return lines
}

// textLines returns a memo, and who can read it, in lines of at most w cells. whom names the recipients.
func textLines(state vault.MemoState, whom, text string, w int) []canvas.Line {
	switch state {
	case vault.MemoNone:
		return []canvas.Line{canvas.In(theme.Muted, "none")}
	case vault.MemoOpen:
		head := canvas.Text(fmt.Sprintf("encrypted for %s · %s, decrypted here from the operation:", whom, format.Bytes(len(text))))
		if head.Width() > w {
			head = canvas.Text(fmt.Sprintf("encrypted for %s · %s:", whom, format.Bytes(len(text))))
		}
		return append([]canvas.Line{head}, format.Gutter(text, w)...)
	case vault.MemoPlain:
		head := canvas.In(theme.Warn, theme.SignCareful+" plain, anyone can read it, for ever:")
		return append([]canvas.Line{head}, format.Gutter(text, w)...)
	case vault.MemoLocked, vault.MemoForeign, vault.MemoDamaged:
	}
	return []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" encrypted, no key in this wallet can read it")}
}

func shortChain(v txbuild.Review) string {
	id := v.Chain.String()
	if len(id) < 12 {
		return id
	}
	return id[:8] + "…" + id[len(id)-4:]
}

// unset returns the lines of the members that a transaction gets only when it is signed, as they are before.
func unset() []string {
	return []string{`"ref_block_num": 0,`, `"ref_block_prefix": 0,`, `"expiration": "1970-01-01T00:00:00",`}
}

// rawLines returns the transaction as JSON and as bytes, in lines of at most w cells.
func rawLines(v txbuild.Review, w int) []canvas.Line {
	var out []canvas.Line
	bytes := "Bytes"
	if strings.Contains(v.JSON, unset()[2]) {
		out = canvas.In(theme.Muted, "Not in a block yet. Its reference block and expiration are set when it is signed.").Wrap(w)
		bytes = "Bytes, with zeros for both"
	}
	for _, l := range strings.Split(v.JSON, "\n") {
		if slices.Contains(unset(), strings.TrimSpace(l)) {
			continue
		}
		indent := len(l) - len(strings.TrimLeft(l, " "))
		for _, row := range canvas.Text(format.Clean(l[indent:])).Wrap(max(w-indent, 2)) {
			out = append(out, canvas.Join(canvas.Text(strings.Repeat(" ", min(indent, w/2))), row))
		}
	}
	out = append(out, nil, canvas.In(theme.Muted, bytes))
	return append(out, canvas.Text(format.Clean(v.Bytes)).Wrap(w)...)
}
