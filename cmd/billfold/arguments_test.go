package main

import (
	"strings"
	"testing"
)

// A stray word is taken for the value of the flag before it, whatever other flags are given.
func TestAStrayWordBelongsToTheFlagBeforeIt(t *testing.T) {
	w := walker{t.TempDir()}
	for line, want := range map[string]string{
		"--rpc-http 127.0.0.1:9000":                    "write --rpc-http=127.0.0.1:9000",
		"--tui --rpc-http 127.0.0.1:9000":              "write --rpc-http=127.0.0.1:9000",
		"--rpc-http 127.0.0.1:9000 --tui":              "write --rpc-http=127.0.0.1:9000",
		"--rpc-http --rpc-ws 127.0.0.1:9000 --tui":     "write --rpc-ws=127.0.0.1:9000",
		"--rpc-ws --rpc-http 127.0.0.1:9000 --sandbox": "write --rpc-http=127.0.0.1:9000",
		"--theme dark --rpc-http dark":                 "write --rpc-http=dark",
		"--rpc-http 8099":                              "write --rpc-http=127.0.0.1:8099",
		"--linear x":                                   "billfold --help lists them",
		"tui":                                          "did you mean billfold --tui?",
		"--tui true":                                   "write --tui=true",
		"--rpc-http --tui 127.0.0.1:9000":              "billfold --help lists them",
		"--rpc-http=127.0.0.1:9000 frobnicate":         "billfold --help lists them",
		"--tui consol":                                 "did you mean billfold console?",
		"--rpc-http --theme dark frobnicate":           "billfold --help lists them",
		"frobnicate --rpc-http":                        "billfold --help lists them",
		"--rpc-http -- 127.0.0.1:9000":                 "billfold --help lists them",
	} {
		words := strings.Fields(line)
		stray := words[len(words)-1]
		for _, word := range words {
			if !strings.HasPrefix(word, "-") && word != "dark" {
				stray = word
			}
		}
		err := w.attempt(t, nil, words...)
		if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), `there is no command "`+stray+`"; `) {
			t.Errorf("billfold %s: %v, want %q", line, err, want)
		}
	}
}

// A command that only has subcommands refuses other words: a script would take its help, with exit code 0, for success.
func TestAMisspeltCommandIsRefusedEverywhere(t *testing.T) {
	groups := 0
	for _, cmd := range rootCommand(nil).Commands() {
		if cmd.HasSubCommands() && !cmd.Hidden && cmd.Args != nil {
			groups++
		}
		if !cmd.HasSubCommands() || cmd.Name() == "call" || cmd.Name() == "sandbox" {
			continue
		}
		if err := (walker{t.TempDir()}).attempt(t, nil, cmd.Name(), "frobnicate"); err == nil ||
			!strings.Contains(err.Error(), `there is no command "frobnicate"`) {
			t.Errorf("billfold %s frobnicate: %v", cmd.Name(), err)
		}
	}
	if groups < 6 {
		t.Errorf("only %d commands hold others", groups)
	}
}
