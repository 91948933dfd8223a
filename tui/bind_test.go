package tui_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/uitest"
)

func TestReboundKeysAreShownAndWork(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Keys = action.Bindings{
		"everywhere": {"go.history": {"f5"}, "quit": {"ctrl+q"}, "help": {"%"}, "notices": {"&", "f9"}},
		"home":       {"send": {"f", "2"}, "home.receive": {"space"}},
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("f5 History", "f send", "space receive", "% help")
		d.Hides("2 History", "? help", "keys.yaml")
		d.Press("2")
		d.Shows("[3 Send]")
		d.Press("esc esc 1 space")
		d.Shows("[4 Receive]")
		d.Press("1 s")
		d.Shows("[1 Home]")
		if d.Press("q"); d.Quit {
			t.Error("the usual key still quits")
		}
		d.Press("%")
		d.Shows("f ", "send the asset in focus", "space", "f5 ", "go to History")
		d.Press("/")
		d.Type("quit")
		d.Shows("ctrl+q")
		d.Press("esc esc :")
		d.Type("History")
		d.Shows("f5")
	})
}

// The frames of panels name the keys that the person chose, for each page its own.
func TestFramesNameReboundKeys(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Keys = action.Bindings{
		"keys": {"change": {"f6"}}, "node": {"check": {"space"}}, "history": {"detail": {"ctrl+o"}}, "everywhere": {"zoom": {"f9"}},
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Until("f6 change · b backup")
		d.Press("esc =")
		d.Until("space check all")
		d.Press("esc 2 v")
		d.Shows("ctrl+o hide", "╭─ Detail")
		d.Press("ctrl+o")
		d.Hides("╭─ Detail")
		d.Press("esc 7")
		d.Shows("n new")
	})
}

// z shows only the panel in focus, tab goes on to the next one; esc shows all panels again, and so does leaving the page.
func TestFocusedPanelCanBeZoomed(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for _, page := range []struct{ key, panel, next, gone string }{
			{"1", "Balances of alice", "Pending payments", "Recent activity"},
			{"2", "History of alice", "History of alice", "─ Detail"},
			{"4", "━ Receive", "━ Incoming", "─ Scan"},
			{"5", "Conversations", "", "────────╮┏"},
			{"6", "Accounts", "Keys of alice", "X-ray"},
			{"7", "Contacts", "Contacts", "─ Detail"},
			{"8", "Proposals", "Detail", "─ Detail ──────"},
			{"9", "Assets", "Tokens", "─ DCT"},
			{"=", "Nodes", "Log", "─ Chain"},
		} {
			d.Press("esc " + page.key)
			d.Wait(time.Second)
			d.Press("z")
			d.Shows(page.panel)
			d.Hides(page.gone)
			if page.next != "" {
				d.Press("tab")
				d.Shows(page.next)
			}
			d.Press("esc")
			if d.Model.Page() == screen.Home && page.key != "1" {
				t.Errorf("esc left page %s before all of it was shown again", page.key)
			}
			d.Press("z 1")
			d.Shows("Balances of alice", "Recent activity")
		}
		d.Press("3 esc z")
		d.Shows("this page is one panel")
	})
}

func TestClashingKeysAreNotUsed(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Keys = action.Bindings{"home": {"send": {"p"}}}
	uitest.Play(t, 140, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("keys.yaml is not used; the default keys apply", "home: p means both home.send and home.pending", "s send")
	})
}

// The banner of a small window has no room for the reason why keys.yaml is not used; ~ opens all of it.
func TestKeysFaultCanBeReadInFull(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Keys = action.Bindings{"home": {"send": {"ctrl+m"}}}
	uitest.Play(t, 60, 18, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("▲ keys.yaml is not used; the default keys apply.", "… ~ whole")
		d.Press("~")
		text := strings.Join(strings.Fields(strings.ReplaceAll(d.Screen(), "┃", "")), " ")
		for _, part := range []string{`home: send cannot be "ctrl+m"`, "there is no such key; write one such as x, space, f5, pgup or ctrl+o"} {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not shown:\n%s", part, d.Screen())
			}
		}
		d.Press("esc 3") // where ~ is text
		d.Hides("~ whole")
		d.Resize(200, 24)
		d.Press("esc esc")
		d.Shows("f5, pgup or ctrl+o")
		d.Hides("~ whole")
	})
}

func TestRefusedBindingIsExplainedInOneSentence(t *testing.T) {
	for want, b := range map[string]action.Bindings{
		`there is no place "hoem"; the nearest is home`:                                                       {"hoem": {"send": {"x"}}},
		`home has no action "sned"; the nearest is send`:                                                      {"home": {"sned": {"x"}}},
		"home: p means both home.send and home.pending":                                                       {"home": {"send": {"p"}}},
		"home: q means home.send here and quit everywhere":                                                    {"home": {"send": {"q"}}},
		"everywhere: z means both zoom and quit":                                                              {"everywhere": {"quit": {"z"}}},
		"home: send has no key":                                                                               {"home": {"send": nil}},
		"home: capital Q is not one of G S A X":                                                               {"home": {"send": {"Q"}}},
		"home: send cannot be S: that key means the same everywhere":                                          {"home": {"send": {"S"}}},
		"review: the key of sign cannot be changed":                                                           {"review": {"sign": {"f"}}},
		"everywhere: the key of esc cannot be changed":                                                        {"everywhere": {"esc": {"x"}}},
		"everywhere: lock cannot be l: the action also works where letters are text":                          {"everywhere": {"lock": {"l"}}},
		`home: send cannot be "ctrl+m": there is no such key; write one such as x, space, f5, pgup or ctrl+o`: {"home": {"send": {"ctrl+m"}}},
		`home: send cannot be "": there is no such key; write one such as x, space, f5, pgup or ctrl+o`:       {"home": {"send": {""}}},
	} {
		_, err := tui.KeyTable().Bind(b)
		if err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", b, err, want)
		}
	}
}

// docs/keys.md lists every action. GOLDEN=update writes it.
func TestDocsListTheKeys(t *testing.T) {
	const path = "../docs/keys.md"
	var out strings.Builder
	for _, p := range tui.KeyTable() {
		fmt.Fprintf(&out, "\n### `%s`: %s\n\n| action | keys | what it does |\n|---|---|---|\n", p.ID, p.Title)
		for _, a := range p.Actions {
			if a.Alias {
				continue
			}
			keys := strings.NewReplacer("|", `\|`, " ", "space", "\x00", "` `").Replace(strings.Join(a.Keys, "\x00"))
			fmt.Fprintf(&out, "| %s | `%s` | %s |\n", strings.TrimPrefix(string(a.ID), p.ID+"."), keys, a.Help)
		}
	}
	text, err := os.ReadFile(path)
	uitest.Must(t, err)
	const mark = "<!-- the table of keys; make golden writes what follows -->\n"
	before, now, found := strings.Cut(string(text), mark)
	switch {
	case !found:
		t.Fatalf("%s has lost its mark", path)
	case now == out.String():
	case os.Getenv("GOLDEN") == "update":
		uitest.Must(t, os.WriteFile(path, []byte(before+mark+out.String()), 0o644))
	default:
		t.Errorf("%s does not list the keys that there are; run with GOLDEN=update", path)
	}
}

// The example in docs/keys.md works.
func TestKeysExampleWorks(t *testing.T) {
	page, err := os.ReadFile("../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	example, _, ends := strings.Cut(rest, "```")
	if !found || !ends {
		t.Fatal("docs/keys.md has no example")
	}
	keys, place := action.Bindings{}, ""
	for line := range strings.Lines(example) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		if !strings.HasPrefix(line, " ") {
			place, keys[name] = name, map[string][]string{}
			continue
		}
		for key := range strings.SplitSeq(strings.Trim(list, " []"), ",") {
			keys[place][name] = append(keys[place][name], strings.TrimSpace(key))
		}
	}
	scene := uitest.Rows()
	scene.Options.Keys = keys
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Hides("keys.yaml is not used")
		d.Shows("f5 History")
		d.Press("w")
		d.Shows("[3 Send]")
	})
}
