package main

import (
	"regexp"
	"strings"
	"testing"

	"billfold/cmd/billfold/setting"
)

// settingLine matches what a person takes for a setting.
var settingLine = regexp.MustCompile(`^[ \t\x{feff}]*["']?([a-z][a-z-]*)["']?[ \t]*:(?:[ \t]+|$)`)

// FuzzConfigFile checks that for any file a start either stops with a one-line error or
// honours each setting that a person would see in the file, without a panic.
func FuzzConfigFile(f *testing.F) {
	for _, text := range []string{
		"rpc-auth: true\ntheme: dark\n", "rpc-auth: yes", "rpc: {auth: true}", "rpc-auht: true", "rpc-auth:\n  - true",
		"daemon-url:\n  - ws://a:1\n  - wss://b:2\n", "? rpc-auth\n: true", "{rpc-auth: true, theme: dark}", "rpc-tls-cert: \"a\nrpc-auth: true\"",
		"rpc-tls-cert: |\n  a\nrpc-auth: true", "rpc-auth: true\n---\nrpc-auth: false", "&a rpc-auth: &b true", "!!map {rpc-auth: !!bool true}", "<<: {rpc-auth: true}",
		"\xef\xbb\xbfrpc-auth: on\r\n", "rpc-allow-host: [a,\nrpc-auth: true]", "%YAML 1.1\n---\nrpc-auth: true\n...\n", "rpc-tls-cert: 'it''s'\nrpc-auth: off",
		"rpc-auth: true # \u0085rpc-tls: true", "rpc-tls-cert: a\n  rpc-auth: true", "# rpc-auth: true", "\"rpc-\\x61uth\": true", "- - - -", "{{{{", "rpc-auth: \"\\U0010ffff\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newSettings()
		err := s.values.Read(func() ([]byte, string, error) { return text, configName, nil })
		if err != nil {
			if !strings.HasPrefix(err.Error(), configName) || strings.ContainsAny(err.Error(), "\n\r\x1b\u202e") {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		honoured(t, s, string(text))
	})
}

func honoured(t *testing.T, s *settings, text string) {
	declared := map[string]bool{}
	for _, d := range s.values.Settings() {
		declared[d.Name] = true
	}
	for _, line := range strings.Split(text, "\n") {
		m := settingLine.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
		if m == nil {
			continue
		}
		if !declared[m[1]] {
			t.Fatalf("%q: it started without a word about %q", text, m[1])
		}
		if s.values.Source(m[1]) != setting.FromFile {
			t.Fatalf("%q: it started, but %s was left out", text, m[1])
		}
	}
	if m := regexp.MustCompile(`(?m)^rpc-auth: *(\w+)\r?$`).FindStringSubmatch(text); m != nil {
		if want := strings.Contains("true yes on 1", strings.ToLower(m[1])); s.rpcAuth != want {
			t.Fatalf("%q: rpc-auth is %v", text, s.rpcAuth)
		}
	}
}
