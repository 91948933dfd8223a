package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The cells of a picture, and the colours of a dark terminal.
const (
	cellW, cellH = 9, 19
	ink, paper   = "#E6E9EF", "#11141B"
)

// pen is how text is written.
type pen struct {
	fg, bg  string
	bold    bool
	reverse bool
}

// sgr finds what sets colours.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// picture draws a captured screen as SVG.
func picture(screen string, w, h int) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="15">`+"\n", w*cellW, h*cellH)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", paper)
	p := pen{fg: ink}
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

// set reads one sequence: attributes, and colours of 24 bits.
func (p pen) set(codes string) pen {
	n := strings.Split(codes, ";")
	for i := 0; i < len(n); i++ {
		switch n[i] {
		case "", "0":
			p = pen{fg: ink}
		case "1":
			p.bold = true
		case "7":
			p.reverse = true
		case "38", "48":
			if i+4 < len(n) && n[i+1] == "2" {
				c := "#"
				for _, part := range n[i+2 : i+5] {
					v, _ := strconv.Atoi(part)
					c += fmt.Sprintf("%02X", v)
				}
				if n[i] == "38" {
					p.fg = c
				} else {
					p.bg = c
				}
				i += 4
			}
		case "39":
			p.fg = ink
		case "49":
			p.bg = ""
		}
	}
	return p
}

func (p pen) write(out *strings.Builder, text string, x, y int) {
	fg, bg := p.fg, p.bg
	if p.reverse {
		fg, bg = paper, p.fg
	}
	width := len([]rune(text)) * cellW
	if bg != "" {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x*cellW, y*cellH, width, cellH, bg)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	weight := ""
	if p.bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" textLength="%d" xml:space="preserve" fill="%s"%s>`, x*cellW, y*cellH+14, width, fg, weight)
	_ = xml.EscapeText(out, []byte(text)) // a Builder takes everything
	out.WriteString("</text>\n")
}
