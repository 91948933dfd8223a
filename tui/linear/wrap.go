package linear

import (
	"strings"
	"unicode"

	"billfold/tui/widget/canvas"
)

// lineWidth is the most characters in a line.
const lineWidth = 72

// wrap breaks a text between words into lines of at most 72 characters. What must stay whole (an amount with its
// symbol, an id, a key) moves to a new line; only what is longer than a line is broken inside.
func wrap(head, text string) []string {
	var out []string
	line, filled := head, false
	for _, word := range atoms(text) {
		for {
			gap := ""
			if filled {
				gap = " "
			}
			if canvas.Width(line+gap+word) <= lineWidth {
				line += gap + word
				filled = true
				break
			}
			if filled || strings.TrimSpace(line) != "" && canvas.Width(indent+word) <= lineWidth {
				out = append(out, strings.TrimRight(line, " "))
				line, filled = indent, false
				continue
			}
			if strings.TrimSpace(line) != "" && canvas.Width(word) <= lineWidth { // it fits without the indent: what is copied stays whole
				out = append(out, strings.TrimRight(line, " "))
				line, filled = word, true
				break
			}
			n := bytesThatFit(word, lineWidth-canvas.Width(line))
			out = append(out, line+word[:n])
			line, word = indent, word[n:]
		}
	}
	return append(out, strings.TrimRight(line, " "))
}

// indent begins continuation lines.
const indent = "   "

// bytesThatFit returns how many bytes of a word fit into w cells; at least one letter.
func bytesThatFit(word string, w int) int {
	used := 0
	for i, r := range word {
		if n := canvas.Width(string(r)); used+n <= w || i == 0 {
			used += n
			continue
		}
		return i
	}
	return len(word)
}

// atoms splits a text into words; an amount and its symbol are one.
func atoms(text string) []string {
	var out []string
	for _, w := range strings.Split(text, " ") {
		if n := len(out); n > 0 && isNumber(out[n-1]) && isSymbol(w) {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

func isNumber(word string) bool {
	digits := strings.TrimLeft(word, "+-")
	return digits != "" && strings.Trim(digits, "0123456789.") == "" && unicode.IsDigit(rune(digits[0]))
}

func isSymbol(word string) bool {
	word = strings.TrimRight(word, ",.:;")
	return len(word) >= 3 && strings.ToUpper(word) == word && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.0123456789") == "" &&
		unicode.IsUpper(rune(word[0]))
}
