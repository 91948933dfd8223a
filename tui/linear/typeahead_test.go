package linear_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
)

// Input typed or pasted ahead answers questions but decides nothing: no signature, check, deletion or choice.
func TestNothingTypedAheadDecides(t *testing.T) {
	file := filepath.Join(t.TempDir(), "all.csv")
	known, first := uitest.Carol.Name, uitest.Merchant.ID.String()
	all := func(lines ...string) (out []any) {
		for _, l := range lines {
			out = append(out, ahead(l))
		}
		return append(out, "stop", "stop", "quit", "quit")
	}
	for name, test := range map[string]struct {
		script []any
		not    string // must not be printed
	}{
		"send":     {all("send", known, "3", "invoice 4711", "1", "sign"), "Prepared"},
		"first":    {all("send", first, "3", "", first, "sign"), "Prepared"},
		"large":    {all("send", known, "12000", "", "12000", "sign"), "Prepared"},
		"alike":    {all("send", "caro1", "2", "3"), "Amount"},
		"meant":    {all("send", "caro", "1", "3"), "Amount"},
		"contact":  {all("contacts", "remove 1", known, "delete"), "Removed"},
		"account":  {all("remove 2", "delete"), "Removed"},
		"export":   {all("history", "export csv "+file, "write"), "Done"},
		"message":  {all("messages", "write "+known, "see you", "2", "sign"), "Prepared"},
		"register": {all("keys", "register team-fund", "", "1", "ready", "next"), "Words 1"},
		"import":   {all("import", "4", known), "on the list"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, saved(), func(w *uitest.World) {
				output, _ := runSession(w, nil, test.script...)
				if strings.Contains(output, test.not) || w.Paid() != 0 {
					t.Errorf("input typed ahead decided:\n%s", output)
				}
				if !strings.Contains(output, "was dropped") {
					t.Errorf("no line says that input was dropped:\n%s", output)
				}
			})
		})
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the export was written")
	}
}

// A program's request is not approved by input typed before the request was printed.
func TestNothingTypedAheadApproves(t *testing.T) {
	uitest.Live(t, saved(), func(w *uitest.World) {
		queue := approval.New()
		defer queue.Close()
		heard := make(chan approval.Answer, 1)
		asks := act(func() {
			go func() {
				heard <- queue.Ask(context.Background(), approval.Request{Who: "backup", Via: "HTTP", Method: "dump_private_keys",
					Why: "programs have to ask", Sentence: "export all private keys", Typed: "export"})
			}()
		})
		output, _ := runSession(w, func(o *linear.Options) { o.Approvals = queue }, asks, ahead("approvals 1"), ahead("export"),
			ahead("approve"), "deny", "export", ahead("approve"), "deny", "quit", "quit")
		if got := <-heard; got != approval.No {
			t.Errorf("the program received %v:\n%s", got, output)
		}
	})
}
