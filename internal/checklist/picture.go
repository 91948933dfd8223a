package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The size of a character cell in pixels.
const cellW, cellH = 9, 19

// paper holds the colours of the drawn terminal: its own two, and the sixteen that programs name by number.
type paper struct {
	ink, ground string
	named       [16]string
}

// solarized returns the palette of sixteen colours that is the hardest to read: some of the bright ones are nearly the background.
func solarized() [16]string {
	return [16]string{"#073642", "#DC322F", "#859900", "#B58900", "#268BD2", "#D33682", "#2AA198", "#EEE8D5",
		"#002B36", "#CB4B16", "#586E75", "#657B83", "#839496", "#6C71C4", "#93A1A1", "#FDF6E3"}
}

// paperOf returns the colours for a theme or a number of colours.
func paperOf(look string) paper {
	switch look {
	case "light":
		return paper{"#1B1F27", "#FCFBF8", solarized()}
	case "16":
		return paper{"#839496", "#002B36", solarized()}
	}
	return paper{"#E6E9EF", "#11141B", solarized()}
}

// pen holds the current attributes of text.
type pen struct {
	paper   paper
	fg, bg  string
	bold    bool
	faint   bool
	italic  bool
	reverse bool
}

// sgr matches escape sequences that set colours and attributes.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// picture draws a captured screen as SVG.
func picture(screen string, w, h int, on paper) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="15">`+"\n", w*cellW, h*cellH)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", on.ground)
	p := pen{paper: on, fg: on.ink}
	for y, line := range strings.Split(screen, "\n") {
		x := 0
		for line != "" {
			at := sgr.FindStringIndex(line)
			if at != nil && at[0] == 0 {
				p = p.set(line[2 : at[1]-1])
				line = line[at[1]:]
				continue
			}
			end := len(line)
			if at != nil {
				end = at[0]
			}
			p.write(&out, line[:end], x, y)
			x += len([]rune(line[:end]))
			line = line[end:]
		}
	}
	return out.String() + "</svg>\n"
}

// set applies one escape sequence: attributes, 24-bit colours and the sixteen.
func (p pen) set(codes string) pen {
	n := strings.Split(codes, ";")
	for i := 0; i < len(n); i++ {
		code, _ := strconv.Atoi(n[i]) // an empty code is 0, as in a terminal
		switch {
		case (code == 38 || code == 48) && i+4 < len(n) && n[i+1] == "2":
			p.colour(code, hex(n[i+2:i+5]))
			i += 4
		case code >= 30 && code <= 37 || code >= 40 && code <= 47:
			p.colour(code, p.paper.named[code%10])
		case code >= 90 && code <= 97 || code >= 100 && code <= 107:
			p.colour(code-60, p.paper.named[8+code%10])
		default:
			p = p.attribute(code)
		}
	}
	return p
}

// colour sets the colour of the text or of its background.
func (p *pen) colour(code int, to string) {
	if code < 40 {
		p.fg = to
	} else {
		p.bg = to
	}
}

// hex returns three numbers as a colour.
func hex(parts []string) string {
	c := "#"
	for _, part := range parts {
		v, _ := strconv.Atoi(part)
		c += fmt.Sprintf("%02X", v)
	}
	return c
}

func (p pen) attribute(code int) pen {
	switch code {
	case 0:
		p = pen{paper: p.paper, fg: p.paper.ink}
	case 1:
		p.bold = true
	case 2:
		p.faint = true
	case 3:
		p.italic = true
	case 7:
		p.reverse = true
	case 39:
		p.fg = p.paper.ink
	case 49:
		p.bg = ""
	}
	return p
}

func (p pen) write(out *strings.Builder, text string, x, y int) {
	fg, bg := p.fg, p.bg
	if p.reverse {
		fg, bg = p.paper.ground, p.fg
	}
	width := len([]rune(text)) * cellW
	if bg != "" {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x*cellW, y*cellH, width, cellH, bg)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	style := ""
	if p.bold {
		style += ` font-weight="bold"`
	}
	if p.faint {
		style += ` opacity="0.6"`
	}
	if p.italic {
		style += ` font-style="italic"`
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" textLength="%d" xml:space="preserve" fill="%s"%s>`, x*cellW, y*cellH+14, width, fg, style)
	_ = xml.EscapeText(out, []byte(text)) // a strings.Builder never fails
	out.WriteString("</text>\n")
}
