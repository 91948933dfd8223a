package main

import (
	"encoding/json"
	"testing"

	"billfold/cmd/billfold/shell"
)

// The shell has removed the quotes, so for a text parameter the word is the text.
func TestWordsOfTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		method string
		words  []string
		want   string
	}{
		{"transfer", []string{"alice", "bobby", "1", "DCT", "[7]", "true"}, `["alice","bobby","1","DCT","[7]","true"]`},
		{"pay_many", []string{"alice", `[{"to":"bobby"}]`}, `["alice",[{"to":"bobby"}]]`},
		{"no_such_operation", []string{"{}", "x"}, `[{},"x"]`},
	} {
		params, err := wordsOf(shell.Find(c.method), c.words)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(params); err != nil || string(got) != c.want {
			t.Errorf("%s %q: %s, %v, not %s", c.method, c.words, got, err, c.want)
		}
	}
	if got, err := wordsOf(shell.Find("transfer"), []string{"alice", "bobby", "1", "DCT", "\xed\xa0\xbd"}); err == nil {
		t.Errorf("half a character became %s", got[4])
	}
}
