package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"billfold/tui/action"
)

func TestKeyBindingsAreReadAsWritten(t *testing.T) {
	keys, err := parseKeys([]byte("everywhere:\n  quit: y\n  go.home: [1, \"-\", f5]\n"))
	want := action.Bindings{"everywhere": {"quit": {"y"}, "go.home": {"1", "-", "f5"}}}
	if err != nil || !reflect.DeepEqual(keys, want) {
		t.Errorf("%v, %v", keys, err)
	}
	for _, bad := range []string{"home", "home: x", "home:\n  send: {a: b}", "home:\n  send: x\n  send: y", "home:\n\tsend: x", "- home"} {
		path := filepath.Join(t.TempDir(), keysName)
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if keys, fault := readKeys(path); keys != nil || !strings.HasPrefix(fault, "the file cannot be read: ") {
			t.Errorf("%q is read as %v, %q", bad, keys, fault)
		}
	}
	if keys, fault := readKeys(filepath.Join(t.TempDir(), "none")); keys != nil || fault != "" {
		t.Errorf("no file: %v, %q", keys, fault)
	}
}

// What is wrong with a file of ours is told where it stands, with a column, and in no words of a library. A quote without an end is told where it
// begins, whatever the file has behind it.
func TestFaultsOfYAMLAreToldWhereTheyStand(t *testing.T) {
	const blank = "here is a blank that is no space, U+00A0; put a space in its place"
	const quote, tab, more = "the quote that begins here has no end on its line", "here is a tab in front", "here is more text behind a quote"
	for text, want := range map[string]string{
		"theme: \"dark":                                       "1:8: " + quote,
		"theme: 'dark\nrpc-http: a:1\n":                       "1:8: " + quote,
		"lock-after: 5m\ntheme: \"dark\nrpc-auth: \"true\"\n": "2:8: " + quote,
		"lock-after: 5m # \"\ntheme: \"dark\n# it's\n":        "2:8: " + quote,
		"\"theme: dark\nrpc-auth: true\n":                     "1:1: " + quote,
		"rpc-allow-host:\n- a\n- 'b\ntheme: dark\n":           "3:3: " + quote,
		"größe: \"x\n":                                        "1:8: " + quote,
		"theme: dark\r\nrpc-auth: 'yes\r\n":                   "2:11: " + quote,
		"theme:\u00a0dark\n":                                  "1:7: " + blank,
		"theme: dark\n\u00a0rpc-auth: true":                   "2:1: " + blank,
		"theme\u00a0: dark":                                   "1:6: " + blank,
		"theme: dark\u00a0# dark":                             "1:12: " + blank,
		"theme: dark\n\u3000\n":                               "2:1: here is a blank that is no space, U+3000",
		"theme: 'dark'\u00a0\n":                               "1:14: " + blank,
		"rpc-allow-host:\n \u2009- a\n":                       "2:2: here is a blank that is no space, U+2009",
		"rpc-allow-host: [a,\u00a0b]\n":                       "1:20: " + blank,
		"# it's a\u00a0note\nthem: dark\n":                    "2:1: there is no setting",
		"\ttheme: dark\n":                                     "1:1: " + tab,
		"theme: dark\n\trpc-auth: true\n":                     "2:1: " + tab,
		"rpc-allow-host:\n  \t- a\n":                          "2:3: " + tab,
		"theme: *dark\n":                                      "1:8: " + "anchors and aliases",
		"theme: dark\nrpc-auth: &\n":                          "2:11: " + "anchors and aliases",
		"theme: &a& dark\n":                                   "1:8: " + "anchors and aliases",
		"*theme: dark\nx: y\n":                                "1:1: " + "anchors and aliases",
		"<<: *theme\n":                                        "1:5: " + "anchors and aliases",
		"theme: !x! dark\n":                                   "1:8: " + "tags (!) are not supported",
		"theme: @dark\n":                                      "1:8: " + "a value does not begin with @",
		"theme:   `dark`\n":                                   "1:10: " + "a value does not begin with `",
		"theme: ]\n":                                          "1:8: " + "a value does not begin with ]",
		"theme: - dark\n":                                     "1:8: " + "a value does not begin with -",
		"theme: a: dark\n":                                    "1:9: " + "here is a colon",
		"theme: 'it's'\n":                                     "1:12: " + more,
		"theme: \"dark\" mode\n":                              "1:15: " + more,
		"rpc-tls-cert: \"C:\\dir\"\n":                         "1:18: " + `here is a \ that means nothing`,
		"rpc-allow-host: [a, b\ntheme: dark\n":                "1:17: " + "the list that begins here has no end",
		"theme: dark\nrpc-auth\nlock-after: 5m\n":             "2:1: " + "this is not a setting",
		"theme:dark\nrpc-auth: true\n":                        "1:1: " + "this is not a setting",
		"theme: dark\n  rpc-auth: true\n":                     "2:3: " + "this line has more or fewer spaces",
		"  theme: dark\nrpc-auth: true\n":                     "2:1: " + "this line has more or fewer spaces",
	} {
		err := newSettings().values.Read(func() ([]byte, string, error) { return []byte(text), configName, nil })
		if err == nil || !strings.HasPrefix(err.Error(), configName+":"+want) {
			t.Errorf("%q is refused with\n%v, want\n%s", text, err, want)
		}
		if _, err := parseKeys([]byte(text)); err != nil && (strings.Contains(err.Error(), "yaml") || strings.Contains(err.Error(), "unmarshal")) {
			t.Errorf("keys: %q is refused with %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"home:\n\u00a0send: x": "line 2:1: " + blank, "home:\n\tsend: x": "line 2:1: " + tab, "home:\n  send: \"\n  quit: q\n": "line 2:9: " + quote, "home:\n  send: ]\n": "line 2:9: a value does not begin with ]",
		"home: x": "line 1: write a place such as",
	} {
		if _, err := parseKeys([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "the file cannot be read: "+want) {
			t.Errorf("keys: %q is refused with\n%v, want\n%s", text, err, want)
		}
	}
}
