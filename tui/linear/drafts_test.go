package linear_test

import (
	"context"
	"strings"
	"testing"

	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// What was answered of a payment is a draft once it is left, until it is sent; what is as it was taken or repeated is none.
func TestWhatWasAnsweredIsKept(t *testing.T) {
	const said = "Your answers are kept as a draft. send drafts lists it."
	drafts := func(t *testing.T, w *uitest.World, want ...string) {
		t.Helper()
		kept, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		uitest.Must(t, err)
		var got []string
		for _, k := range kept {
			got = append(got, strings.TrimSpace(k.Request.To+" "+k.Request.Amount+" "+k.Request.Memo))
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("kept are %q, not %q", got, want)
		}
	}
	for name, c := range map[string]struct {
		typed string
		said  int
		want  []string
	}{
		"stop":            {"send carol 5 DCT|stop|quit", 1, []string{"carol 5"}},
		"back":            {"send|carol|5|tea|back|back|back|back|quit", 1, []string{"carol 5 tea"}},
		"quit":            {"send carol 5 DCT tea|quit", 1, []string{"carol 5 tea"}},
		"the end":         {"send carol 5 DCT tea", 1, []string{"carol 5 tea"}},
		"a recipient":     {"send carol|stop|quit", 0, nil},
		"twice":           {"send carol 5 DCT|stop|send carol 5 DCT|stop|quit", 2, []string{"carol 5"}},
		"a draft":         {"send carol 5 DCT|stop|draft 1|stop|quit", 1, []string{"carol 5"}},
		"a changed draft": {"send carol 5 DCT|stop|draft 1|back|tea|1|stop|quit", 2, []string{"carol 5 tea"}},
		"a repeated one":  {"history type:transfer dir:out|again 1|stop|quit", 0, nil},
		"a paid draft":    {"send carol 5 DCT|stop|draft 1|sign|drafts|quit", 1, nil},
		"to another":      {"send carol 5 DCT|stop|draft 1|back|back|back|bob-trade|||sign|quit", 1, []string{"carol 5"}},
		"kept by word":    {"send carol 5 DCT tea|1|keep|send|stop|quit", 0, []string{"carol 5 tea"}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
				heard, _ := hold(w, nil, lines(c.typed)...)
				if n := strings.Count(heard, said); n != c.said {
					t.Errorf("it was said %d times that it is kept:\n%s", n, heard)
				}
				if drafts(t, w, c.want...); t.Failed() {
					t.Log(heard)
				}
			})
		})
	}
}

// Home mentions drafts, once there are some and while the wallet is open.
func TestHomeTellsOfDrafts(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, nil, lines("send carol 5 DCT|stop|home|send drafts|lock|home|quit")...)
		const told = "Drafts: 1. Type send drafts to hear them."
		if strings.Count(said, told) != 1 || strings.Count(said, "1. 5 DCT to carol") != 1 {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// The wallet of a sandbox is thrown away with the program, whose end promises no draft; before, a draft is one until then.
func TestASandboxKeepsDraftsUntilItEnds(t *testing.T) {
	inSandbox := func(o *linear.Options) { o.Sandbox = true }
	for name, ends := range map[string]bool{"a signal": true, "quit": true, "stop": false} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
				whole := w.Ctx
				ctx, signal := context.WithCancel(whole)
				w.Ctx = ctx
				script := map[string][]any{"a signal": {"send carol 5 DCT", act(signal)}, "quit": lines("send carol 5 DCT|quit"),
					"stop": lines("send carol 5 DCT|stop|send drafts|quit")}[name]
				said, _ := hold(w, inSandbox, script...)
				w.Ctx = whole
				const kept = "Your answers are kept as a draft until the sandbox ends."
				if strings.Contains(said, "kept") == ends || strings.Contains(said, kept) == ends {
					t.Errorf("it is said\n%s", said)
				}
			})
		})
	}
}
