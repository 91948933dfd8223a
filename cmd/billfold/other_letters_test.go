package main

import (
	"os"
	"strings"
	"testing"

	"billfold/tui/format"
	"billfold/tui/page/send"
)

// A letter of another alphabet in an account name is named wherever an account is, on the command line and in forms.
func TestLettersOfOtherAlphabetsAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	const name, want = "b\u043ebby", "character 2 of it is U+043E"
	must(t, os.WriteFile("payout.csv", []byte("account,amount,asset,memo\n"+name+",1,DCT,\n"), 0o600))
	for _, line := range []string{"explain NAME", "explain dcore:NAME?amount=1", "call get_account NAME", "call transfer alice NAME 1 DCT x true", "call remove_account NAME",
		"token new x --groups Accounts --accounts NAME", "token new x --groups Transfers:all --destinations NAME", "console --exec get_account\u00a0NAME", "pay --from alice payout.csv",
		"reconcile --account NAME", "call get_miner NAME"} {
		args := []string{"--sandbox"}
		for _, word := range strings.Split(line, " ") {
			args = append(args, strings.ReplaceAll(strings.ReplaceAll(word, "NAME", name), "\u00a0", " "))
		}
		if out := printedWithin(t, patience, args...); !strings.Contains(out, want) {
			t.Errorf("%s: %s", line, out)
		}
	}
	for where, got := range map[string]string{"a name that is asked for": format.NameHint(name), "Send": send.RecipientProblem(name), "a link in Send": send.RecipientProblem("dcore:" + name)} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q", where, got)
		}
	}
}
