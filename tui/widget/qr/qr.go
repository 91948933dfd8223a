// Package qr draws QR codes with half blocks: two modules in each cell, black on
// white whatever the theme, with a margin of two modules.
package qr

import (
	"encoding/xml"
	"fmt"
	"strings"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	"rsc.io/qr"
)

// margin is the number of light modules on each side of the code.
const margin = 2

// Code is a text as a QR code.
type Code struct {
	modules *qr.Code
	text    string
}

// New returns the code of a text. It fails if the text is too long for a QR code.
func New(text string) (*Code, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return nil, fmt.Errorf("%d characters are too many for a QR code", len(text))
	}
	return &Code{code, text}, nil
}

// Size returns how many cells the code takes.
func (c *Code) Size() (w, h int) {
	side := c.modules.Size + 2*margin
	return side, (side + 1) / 2
}

// Draw draws the code in the middle of an area that has room for it. inverted swaps dark and light, for terminals without colour on
// a light background.
func (c *Code) Draw(a canvas.Area, inverted bool) {
	w, h := c.Size()
	at := a.Sub((a.W-w)/2, (a.H-h)/2, w, h)
	for y := range h {
		for x := range w {
			at.Put(x, y, canvas.Line{cell(c.dark(x, 2*y) != inverted, c.dark(x, 2*y+1) != inverted)})
		}
	}
}

// dark reports whether the module is dark; those of the margin are not.
func (c *Code) dark(x, y int) bool { return c.modules.Black(x-margin, y-margin) }

// cell returns two modules, one above the other. If both are dark, the background is dark, too: in many fonts the full block leaves
// a light line above itself.
func cell(upper, lower bool) canvas.Span {
	ink := theme.Of(theme.QRInk)
	switch {
	case upper && lower:
		return canvas.Span{Text: "█", Style: ink.On(theme.QRInk)}
	case upper:
		return canvas.Span{Text: "▀", Style: ink.On(theme.QRPaper)}
	case lower:
		return canvas.Span{Text: "▄", Style: ink.On(theme.QRPaper)}
	}
	return canvas.Span{Text: " ", Style: ink.On(theme.QRPaper)}
}

// SVG returns the code as a picture for a browser or a printer.
func (c *Code) SVG() []byte {
	const quiet = 4 // the standard's quiet zone
	side := c.modules.Size + 2*quiet
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+"\n<title>", side, side)
	_ = xml.EscapeText(&out, []byte(c.text))
	out.WriteString("</title>\n" + `<rect width="100%" height="100%" fill="white"/>` + "\n" + `<path fill="black" d="`)
	for y := range c.modules.Size {
		for x := range c.modules.Size {
			if c.modules.Black(x, y) {
				fmt.Fprintf(&out, "M%d %dh1v1h-1z", x+quiet, y+quiet)
			}
		}
	}
	out.WriteString(`"/>` + "\n</svg>\n")
	return []byte(out.String())
}
