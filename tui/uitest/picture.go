package uitest

import (
	"encoding/xml"
	"fmt"
	"strings"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// The cell of a picture, in the units of the SVG, and the background that the colours are made for.
const (
	cellWidth  = 9
	cellHeight = 17
	fontSize   = 15
	margin     = 12
	ground     = "#11141B"
)

// Picture compares the screen, drawn in colour as an SVG, with a file. With
// GOLDEN=update in the environment it writes the file.
func (d *Driver) Picture(path string) {
	d.T.Helper()
	compareFile(d.T, path, d.svg(), "make pictures redraws it")
}

// svg draws the frame: a rectangle for each background, and a text for each run of one style.
func (d *Driver) svg() string {
	var out strings.Builder
	w, h := d.w*cellWidth+2*margin, d.h*cellHeight+2*margin
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" xml:space="preserve" `, w, h, w, h)
	fmt.Fprintf(&out, `font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d">`+"\n", fontSize)
	fmt.Fprintf(&out, `<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", w, h, ground)
	look := theme.New(theme.Settings{Depth: theme.TrueColor})
	frame := d.Model.Frame()
	for y := range d.h {
		for x := 0; x < d.w; {
			end := frame.RunEnd(x, y)
			drawRun(&out, look, frame, run{x, y, end})
			x = end
		}
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// run is the cells x to end of a row, all in one style.
type run struct{ x, y, end int }

func drawRun(out *strings.Builder, look theme.Theme, frame *canvas.Canvas, r run) {
	style := frame.StyleAt(r.x, r.y)
	left, top, width := margin+r.x*cellWidth, margin+r.y*cellHeight, (r.end-r.x)*cellWidth
	if style.Bg != theme.NoBg {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, width, cellHeight, look.Hex(style.Bg))
	}
	text := frame.TextOf(r.x, r.end, r.y)
	if strings.TrimSpace(text) == "" {
		return
	}
	weight := ""
	if style.Attr&theme.Bold != 0 {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" fill="%s"%s>`,
		left, top+fontSize-1, width, look.Hex(style.Fg), weight)
	_ = xml.EscapeText(out, []byte(text)) // writing to a Builder never fails
	out.WriteString("</text>\n")
}
