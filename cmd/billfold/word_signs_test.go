package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/cmd/billfold/payrun"
	"billfold/cmd/billfold/shell"
	"billfold/walletcore/payment"

	"github.com/spf13/cobra"
)

// An option whose dash a word processor has replaced, and a text between its quotes, are refused before anything reads them: as a word each they
// would be the last parameter of a payment, which is then no dry run.
func TestSignsOfWordProcessorsAreNoParameters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines.txt")
	transfer := []string{"transfer", "alice", "bobby", "0.31", "DCT", "x", "true"}
	call := func(words ...string) []string {
		return append(append([]string{"--sandbox", "call"}, transfer...), words...)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"a dash of a word processor in front (U+2014)", call("—dry-run")},
		{"a dash of a word processor in front (U+2013)", call("–dry-run")},
		{"a dash of a word processor in front (U+2E3A)", call("⸺dry-run")},
		{"a dash of a word processor in front (U+30FC)", call("ーーdry-run")},
		{"a dash of a word processor in front (U+2500)", call("──dry-run")},
		{"a dash of a word processor in front (U+2043)", call("⁃dry-run")},
		{"a dash of a word processor in front (U+2212)", call("−dry-run")},
		{"a dash of a word processor in front (U+2013)", call("––dry-run")},
		{"a dash of a word processor in front (U+2014)", call("—export x.json")},
		{"a dash of a word processor in front (U+2014)", append([]string{"--sandbox", "tx", "export", "--out", file + ".json"}, append(transfer, "—expires=1m")...)},
		{"a dash of a word processor in front (U+2014)", []string{"--sandbox", "console", "—yes"}},
		{"a dash of a word processor in front (U+2014)", []string{"--sandbox", "pay", "—dry-run", "x.csv"}},
		{"a quote of a word processor in it (U+201C)", []string{"--sandbox", "call", "transfer", "alice", "bobby", "0.52", "DCT", "“for", "true", "friends”"}},
		{"a quote of a word processor in it (U+201D)", []string{"--sandbox", "call", "transfer", "alice", "bobby", "0.52", "DCT", "for", "true", "friends”"}},
		{"line 1: column 40: this word has a dash of a word processor in front (U+2014)", []string{"--sandbox", "console", "--yes", "--exec", `transfer alice bobby 0.31 DCT "x" true —dry-run`}},
		{"line 1: column 40: a line takes no options", []string{"--sandbox", "console", "--yes", "--exec", `transfer alice bobby 0.31 DCT "x" true --dry-run`}},
		{"lines.txt line 1: column 31: this word has a quote of a word processor in it (U+201C); write \" as on a keyboard", []string{"--sandbox", "console", "--yes", file}},
		{"the label is between quotes (U+201C)", []string{"--sandbox", "pay", file, "--from", "alice", "--yes", "--label", "“2026-05”"}},
		{"the label is between quotes (U+0022)", []string{"--sandbox", "pay", file, "--from", "alice", "--yes", "--label", `"2026-05"`}},
	} {
		must(t, os.WriteFile(file, []byte("transfer alice bobby 0.52 DCT “for true friends”\n"), 0o600))
		w := walker{t.TempDir()}
		must(t, os.Chmod(w.dir, 0o700))
		err := w.attempt(t, nil, c.args...)
		if code := shell.ExitCode(err); err == nil || code != shell.Misused || !strings.Contains(err.Error(), c.want) {
			t.Errorf("billfold %q ends with %d: %v, want %q", c.args, code, err, c.want)
		}
	}
	dashed := new(cobra.Command)
	must(t, dashed.ParseFlags([]string{"transfer", "--", "—x", "“hi”", "Joneses’"}))
	if err := plainSigns(dashed, dashed.Flags().Args()); err != nil {
		t.Errorf("behind -- words are not taken as they are: %v", err)
	}
	for _, key := range []string{"—dry-run", "–x", "−x", "friends”", "“x", "order—31"} {
		if why := payment.KeyProblem(key); !strings.Contains(why, "of a word processor") {
			t.Errorf("the request key %q: %q", key, why)
		}
	}
	if why := payment.KeyProblem("order-31"); why != "" {
		t.Error(why)
	}
	for _, words := range [][]string{{"— thanks"}, {"“for true friends”"}, {"it’s"}, {"-time"}, {"2026–05"}, {""}} {
		if err := plainSigns(new(cobra.Command), words); err != nil {
			t.Errorf("%q: %v", words, err)
		}
	}
	for label, refused := range map[string]bool{"2026-05": false, "Jones'": false, "Jones’": false, "“2026-05”": true, "2026-05”": true, "'2026-05'": true, "‘2026-05’": true, "«2026-05»": true} {
		if got := payrun.LabelQuote(label) != ""; got != refused {
			t.Errorf("label %q is refused: %t", label, got)
		}
	}
}
