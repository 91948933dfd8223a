package tui_test

import (
	"testing"

	"billfold/tui/layout"
)

// within fails the test if a rectangle is not inside w by h cells or two share a cell; it returns the area that they cover.
func within(t *testing.T, what string, w, h int, rects ...layout.Rect) (area int) {
	t.Helper()
	for i, r := range rects {
		if r.Empty() {
			continue
		}
		if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
			t.Fatalf("%s: %+v leaves %dx%d", what, r, w, h)
		}
		for _, o := range rects[:i] {
			if !o.Empty() && r.X < o.X+o.W && o.X < r.X+r.W && r.Y < o.Y+o.H && o.Y < r.Y+r.H {
				t.Fatalf("%s at %dx%d: %+v and %+v overlap", what, w, h, o, r)
			}
		}
		area += r.W * r.H
	}
	return area
}

// once fails the test unless each cell belongs to exactly one of the rectangles.
func once(t *testing.T, what string, w, h int, rects ...layout.Rect) {
	t.Helper()
	if area := within(t, what, w, h, rects...); area != w*h {
		t.Fatalf("%s at %dx%d: %d of %d cells are taken", what, w, h, area, w*h)
	}
}

func TestPanelsFillEveryTerminalExactly(t *testing.T) {
	for w := layout.MinColumns; w <= 240; w++ {
		for h := layout.MinRows; h <= 70; h++ {
			b := layout.Page(w, h, h%2 == 0)
			once(t, "bands", w, h, b.Header, b.Nav, b.Banner, b.Body, b.Hints, b.StatusB)
			if p := layout.HomeScreen(b.Body.W, b.Body.H, b.Class, w%7, h%5); !p.Single {
				once(t, "home", b.Body.W, b.Body.H, p.Accounts, p.Balances, p.Chart, p.Pending, p.Recent, p.Side)
			}
			if p := layout.ReceiveScreen(b.Body.W, b.Body.H, b.Class, 25+w%9, 13+h%5); !p.Single {
				once(t, "receive", b.Body.W, b.Body.H, p.Scan, p.Request, p.Incoming)
			}
			l := layout.HistoryScreen(b.Body.W, b.Body.H, b.Class, w%2 == 0, h%3 != 0)
			once(t, "history", b.Body.W, b.Body.H, l.Filter, l.List, l.Detail)
			c := layout.ContactScreen(b.Body.W, b.Body.H, b.Class, h%9)
			once(t, "contacts", b.Body.W, b.Body.H, c.List, c.Detail)
			if k := layout.KeyScreen(b.Body.W, b.Body.H, b.Class, w%3 > 0); !k.Single {
				once(t, "keys", b.Body.W, b.Body.H, k.Accounts, k.Roles, k.Tree)
			}
			if !l.Detail.Empty() && l.Detail.W < 31 {
				t.Fatalf("the detail is %d wide at %dx%d", l.Detail.W, w, h)
			}
			within(t, "pop-up", w, h, layout.Popup(b.Body, 96, 20, b.Class))
		}
	}
}

func TestBandsFoldInOrder(t *testing.T) {
	for _, c := range []struct {
		w, h       int
		nav, hints bool
		class      layout.Class
	}{{140, 40, true, true, layout.Wide}, {100, 24, true, true, layout.Full}, {80, 24, true, true, layout.Home}, {80, 23, false, true, layout.Home},
		{60, 16, false, true, layout.Narrow}, {60, 15, false, false, layout.Narrow}, {59, 40, false, true, layout.Tiny}} {
		b := layout.Page(c.w, c.h, false)
		if b.Nav.Empty() == c.nav || b.Hints.Empty() == c.hints || b.Class != c.class || b.TooSmall {
			t.Errorf("%dx%d: %+v", c.w, c.h, b)
		}
	}
	for _, s := range [][2]int{{39, 24}, {80, 11}, {0, 0}} {
		if !layout.Page(s[0], s[1], false).TooSmall {
			t.Errorf("%v is large enough", s)
		}
	}
}
