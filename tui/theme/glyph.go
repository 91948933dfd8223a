package theme

// The signs that carry meaning. All are one cell wide.
const (
	SignOn      = "●"
	SignOff     = "○"
	SignWork    = "◐"
	SignUnknown = "?"
	SignDone    = "✓"
	SignFailed  = "✗"
	SignCareful = "▲"
	SignNew     = "•"
	SignRow     = "▌"
	SignOut     = "→"
	SignIn      = "←"
	SignBrand   = "◆"
	SignChoice  = "▾"
	SignCrumb   = "›"
	SignCut     = "…"
	SignDot     = "·"
	SignDots    = "•" // one hidden character
	SignGutter  = "▏"
	SignChip    = "▒"
	SignBar     = "█"
	SignTrack   = "░"
)

// SpinnerFrame returns the sign of a running job at the given tick.
func SpinnerFrame(tick int) string {
	return [...]string{"◐", "◓", "◑", "◒"}[tick&3]
}

// ASCIIOf returns what replaces a grapheme if only ASCII may be written, in the same number of cells; a grapheme without a
// replacement becomes question marks.
func ASCIIOf(g string, width int) string {
	if len(g) == 1 && g[0] < 0x80 {
		return g
	}
	if s, ok := asciiSign(g); ok {
		return s
	}
	return "??"[:min(max(width, 1), 2)]
}

func asciiSign(g string) (string, bool) {
	const from, to = "●○◐◓◑◒✓✗▲•▌→←◆▾›…·▏█░▒▁▂▃▄▅▆▇“”–−↑↓↵⏎⇥━╭╮╰╯─│┏┓┗┛┃┌┐└┘├┤┬", `*o%%%%+x!*>><#v>~.|#.._.-=+*#""--^v<<>=++++-|####|+++++++`
	i := 0
	for _, r := range from {
		if string(r) == g {
			return to[i : i+1], true
		}
		i++
	}
	return "", false
}
