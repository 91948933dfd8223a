package tui_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/tui/widget/canvas"
)

// Every key that the edge of a frame names does something on the page now: with an account and rows, with an account alone, and in a
// wallet that has nothing yet.
func TestFramesNameNoDeadKeys(t *testing.T) {
	empty := uitest.Scene{Unmade: true, Wallet: func(w *uitest.World) { uitest.Must(t, w.Wallet.Vault.Create(w.Ctx, uitest.Password)) }}
	for name, scene := range map[string]uitest.Scene{"rows": uitest.Shown(), "an account": {}, "nothing": empty} {
		uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, _ *uitest.World) {
			named := 0
			for _, p := range tui.Pages() {
				if d.Model.Screen(p.ID) == nil || p.ID == screen.Send { // its field has the keyboard
					continue
				}
				d.Press("1 " + p.Key)
				d.Wait(time.Second)
				for range 4 { // each panel has the focus once
					for _, key := range keysOfFrames(d.Screen()) {
						named++
						if why := whyDead(d.Model.Screen(p.ID), key, d.Model.Env()); why != "" {
							t.Errorf("%s: a frame of %s names %q: %s\n%s", name, p.Name, key, why, d.Screen())
						}
					}
					d.Press("tab")
				}
			}
			if named < 10 {
				t.Errorf("%s: frames name %d keys in all", name, named)
			}
		})
	}
}

// keysOfFrames returns the keys that the lower edges of frames name: "╰─ n new · x remove ──╯".
func keysOfFrames(text string) (keys []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.ContainsAny(line, "╰┗") {
			continue
		}
		for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("╰╯┗┛─━·", r) }) {
			if key, _, some := strings.Cut(strings.TrimSpace(part), " "); some && !slices.Contains([]string{"│", "┃", "row"}, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// whyDead returns why a key of a page does nothing; empty if it does something.
func whyDead(page screen.Screen, key string, env screen.Env) string {
	place, _ := page.Place()
	for _, at := range []string{place, action.Everywhere} {
		for _, a := range tui.KeyTable().At(at).Actions {
			if !slices.ContainsFunc(a.Keys, func(k string) bool { return action.Action{Keys: []string{k}}.Key() == key }) {
				continue
			}
			if limits, is := page.(screen.Limiter); is && at == place {
				return limits.Off(env, a.ID)
			}
			return ""
		}
	}
	return "no action has it"
}

// Keys that do nothing are not hinted at: b on a message that pays nobody, and keys that choose where there is nothing to choose.
func TestHintsThatDoNothingAreLeftOut(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5 n")
		d.Type("carol")
		d.Press("enter")
		d.Wait(time.Second)
		d.Type("see you at eight")
		d.Press("enter")
		d.Wait(2 * time.Second)
		d.Press("S")
		d.Until("Sending")
		d.Hides("new payment like this")
		d.Press("b")
		d.Shows("this pays nobody")
		d.Press("esc esc 6 a")
		d.Until("Account card")
		d.Hides("take it")
		d.Press("esc 7 n")
		d.Type("bob-trade")
		d.Press("enter enter")
		d.Wait(time.Second)
		d.Press("t")
		d.Shows("[5 Messages", "TYPE", "bob-trade 1.2.110")
	})
}

// However small the window is, the last row names keys of the page and the key for help; in a review and in forms, too.
func TestEverySizeHasAKeyHint(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		last := func() string {
			rows := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
			return rows[len(rows)-1]
		}
		hinted := regexp.MustCompile(`^ (KEYS|TYPE|MODAL)  ([^ ?]\S*) \S.* (\?|F1) help `)
		see := func(what string) {
			t.Helper()
			for _, size := range [][2]int{{40, 12}, {50, 15}, {60, 15}, {80, 15}} {
				d.Resize(size[0], size[1])
				if !hinted.MatchString(last()) {
					t.Errorf("%s at %v: %q", what, size, last())
				}
			}
		}
		for _, key := range strings.Fields("1 2 4 5 6 7 8 9 =") {
			d.Press("esc esc 1 " + key)
			see("page " + key)
		}
		d.Press("esc esc esc 1")
		d.ToReview()
		d.Wait(time.Second)
		see("review")
	})
}

// The hint line of a form names enter, whatever the page under it cannot do now, and tab only if there is another field.
func TestFormHintsNameItsKeys(t *testing.T) {
	stories.Long(t)
	t.Chdir(t.TempDir()) // one of the keys writes a picture
	opened := map[string]bool{}
	for _, scene := range []uitest.Scene{uitest.Shown(), {}} {
		uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, _ *uitest.World) {
			for _, p := range tui.Pages() {
				if d.Model.Screen(p.ID) == nil || p.ID == screen.Send {
					continue
				}
				here, _ := d.Model.Screen(p.ID).Place()
				for _, a := range tui.KeyTable().At(here).Actions {
					if len(a.Keys) == 0 || len(a.Keys[0]) != 1 || a.Money {
						continue
					}
					d.Press("1 " + p.Key + " " + a.Keys[0])
					d.Wait(time.Second)
					form, is := d.Model.Screen(p.ID).(ask.Asker)
					if !is || form.Asking() == nil || form.Asking().Delete || d.Model.Page() != p.ID {
						d.Press("esc esc")
						continue
					}
					lines := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
					hints, want := lines[len(lines)-2], " ↵ "+form.Asking().Word+"  esc close "
					if len(form.Asking().Fields) > 1 {
						want = " ↵ next, done  tab field  esc close "
					}
					opened[form.Asking().Title] = true
					if !strings.HasPrefix(hints, want) {
						t.Errorf("%s, %s: the hint line is %q, and not %q", p.Name, a.Keys[0], hints, want)
					}
					d.Press("esc esc")
				}
			}
		})
	}
	if len(opened) < 4 || !opened["New message"] {
		t.Errorf("the forms opened are %v", opened)
	}
}

// A toast names the key of the notices only where it opens them: in a field it is text, and over a review it does nothing.
func TestToastNamesNoKeyThatWouldBeText(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "5")
		d.Press("ctrl+x")
		d.Shows("TYPE", "Cleared; ctrl+x brings it back")
		d.Hides("~ all")
		d.Press("ctrl+x esc 1 !")
		d.Shows("KEYS", "No program", "~ all")
	})
}

// A toast covers neither the keys nor, unless it has two rows, the mode: of a page, above which it stands, of a field, and of a pop-up, whose edge it
// leaves alone.
func TestToastsLeaveTheKeysOnScreen(t *testing.T) {
	short, long := canvas.Text("A short toast"), canvas.Text("A toast "+strings.Repeat("of many words ", 8)+"to its end")
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for keys, hints := range map[string]string{"esc esc 2": "↵ open  / filter", "esc esc 3": "tab next", "esc esc 1 ?": "esc close", "esc esc 1 y": "↵ copy  esc close"} {
			d.Press(keys)
			before := strings.Split(d.Screen(), "\n")
			for _, line := range []canvas.Line{short, long} {
				d.Send(screen.Toast{Urgent: true, Line: line})
				d.Shows(hints, line.String()[:12])
				after := strings.Split(d.Screen(), "\n")
				if popup := len(keys) > len("esc esc 1"); popup && after[21] != before[21] {
					t.Errorf("%s: the toast covers the edge of what is open:\n%s", keys, d.Screen())
				}
			}
		}
	})
}

// The help lists no key that opens the help, and not / during a search, because they do nothing there.
func TestHelpListsNoKeyThatOpensIt(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("?")
		d.Shows("MODAL", "/ find  esc close")
		d.Hides("F1 help", "? help")
		d.Press("/")
		d.Shows("TYPE")
		d.Hides("F1 help", "/ find")
		d.Press("f1")
		d.Hides("Help, finding")
		d.Type("no such word")
		d.Shows("No key here does that", "esc close")
		d.Hides("↵ run")
	})
}
