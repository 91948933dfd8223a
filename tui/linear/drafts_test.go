package linear_test

import (
	"context"
	"strings"
	"testing"

	"billfold/tui/linear"
	"billfold/tui/uitest"
)

// A payment form that was left is kept as a draft until it is sent, unless it equals the draft or payment that it
// came from.
func TestAbandonedPaymentIsKeptAsDraft(t *testing.T) {
	const kept = "Your answers are kept as a draft. send drafts lists it."
	drafts := func(t *testing.T, w *uitest.World, want ...string) {
		t.Helper()
		list, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		uitest.Must(t, err)
		var got []string
		for _, k := range list {
			got = append(got, strings.TrimSpace(k.Request.To+" "+k.Request.Amount+" "+k.Request.Memo))
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("the drafts are %q, not %q", got, want)
		}
	}
	for name, c := range map[string]struct {
		typed string
		kept  int // how often the draft is announced
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
				output, _ := runSession(w, nil, lines(c.typed)...)
				if n := strings.Count(output, kept); n != c.kept {
					t.Errorf("the draft was announced %d times:\n%s", n, output)
				}
				if drafts(t, w, c.want...); t.Failed() {
					t.Log(output)
				}
			})
		})
	}
}

// Home mentions drafts if there are any and the wallet is open.
func TestHomeShowsDraftCount(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, lines("send carol 5 DCT|stop|home|send drafts|lock|home|quit")...)
		const line = "Drafts: 1. Type send drafts to hear them."
		if strings.Count(output, line) != 1 || strings.Count(output, "1. 5 DCT to carol") != 1 {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A sandbox keeps drafts until it ends; when the program quits, no draft is promised.
func TestSandboxKeepsDraftsUntilItEnds(t *testing.T) {
	inSandbox := func(o *linear.Options) { o.Sandbox = true }
	for name, ends := range map[string]bool{"a signal": true, "quit": true, "stop": false} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
				whole := w.Ctx
				ctx, signal := context.WithCancel(whole)
				w.Ctx = ctx
				script := map[string][]any{"a signal": {"send carol 5 DCT", act(signal)}, "quit": lines("send carol 5 DCT|quit"),
					"stop": lines("send carol 5 DCT|stop|send drafts|quit")}[name]
				output, _ := runSession(w, inSandbox, script...)
				w.Ctx = whole
				const kept = "Your answers are kept as a draft until the sandbox ends."
				if strings.Contains(output, "kept") == ends || strings.Contains(output, kept) == ends {
					t.Errorf("unexpected output:\n%s", output)
				}
			})
		})
	}
}
