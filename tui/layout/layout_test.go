package layout

import "testing"

// cover counts how often each cell is taken.
func cover(t *testing.T, w, h int, rects ...Rect) []int {
	t.Helper()
	cells := make([]int, w*h)
	for _, r := range rects {
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if x < 0 || y < 0 || x >= w || y >= h {
					t.Fatalf("%+v leaves %dx%d", r, w, h)
				}
				cells[y*w+x]++
			}
		}
	}
	return cells
}

func once(t *testing.T, what string, w, h int, rects ...Rect) {
	t.Helper()
	for i, n := range cover(t, w, h, rects...) {
		if n != 1 {
			t.Fatalf("%s at %dx%d: cell %d,%d is taken %d times", what, w, h, i%w, i/w, n)
		}
	}
}

func TestPartsFillTheTerminalExactly(t *testing.T) {
	for w := MinColumns; w < 170; w += 3 {
		for h := MinRows; h < 70; h++ {
			b := Page(w, h, h%2 == 0)
			once(t, "bands", w, h, b.Header, b.Nav, b.Banner, b.Body, b.Hints, b.StatusB)
			if p := HomeScreen(b.Body.W, b.Body.H, b.Class, w%7, h%5); !p.Single {
				once(t, "home", b.Body.W, b.Body.H, p.Accounts, p.Balances, p.Pending, p.Recent)
			}
			if p := ReceiveScreen(b.Body.W, b.Body.H, b.Class, 25+w%9, 13+h%5); !p.Single {
				once(t, "receive", b.Body.W, b.Body.H, p.Scan, p.Request, p.Incoming)
			}
			l := HistoryScreen(b.Body.W, b.Body.H, b.Class, w%2 == 0, h%3 != 0)
			once(t, "history", b.Body.W, b.Body.H, l.Filter, l.List, l.Detail)
			cover(t, w, h, Popup(b.Body, 96, 20, b.Class))
		}
	}
}

func TestBandsFoldInOrder(t *testing.T) {
	for _, c := range []struct {
		w, h       int
		nav, hints bool
		class      Class
	}{{140, 40, true, true, Wide}, {100, 24, true, true, Full}, {80, 24, true, true, Home}, {80, 23, false, true, Home},
		{60, 16, false, true, Narrow}, {60, 15, false, false, Narrow}, {59, 40, false, true, Tiny}} {
		b := Page(c.w, c.h, false)
		if b.Nav.Empty() == c.nav || b.Hints.Empty() == c.hints || b.Class != c.class || b.TooSmall {
			t.Errorf("%dx%d: %+v", c.w, c.h, b)
		}
	}
	for _, s := range [][2]int{{39, 24}, {80, 11}, {0, 0}} {
		if !Page(s[0], s[1], false).TooSmall {
			t.Errorf("%v is large enough", s)
		}
	}
}
