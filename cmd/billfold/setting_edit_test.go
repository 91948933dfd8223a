package main_test

import (
	"testing"

	"billfold/cmd/billfold/setting"
)

func TestEditKeepsCommentsAndOtherLines(t *testing.T) {
	const file = "# my wallet\n\ntheme: dark # at night\nrpc-allow-host:\n  - one:1 # first\n  - two:2\ncolor: \"16\"\n"
	for _, c := range []struct{ name, value, want string }{
		{"theme", "light", "# my wallet\n\ntheme: light # at night\nrpc-allow-host:\n  - one:1 # first\n  - two:2\ncolor: \"16\"\n"},
		{"theme", "", "# my wallet\n\nrpc-allow-host:\n  - one:1 # first\n  - two:2\ncolor: \"16\"\n"},
		{"rpc-allow-host", "three:3", "# my wallet\n\ntheme: dark # at night\nrpc-allow-host: three:3\ncolor: \"16\"\n"},
		{"color", "256", "# my wallet\n\ntheme: dark # at night\nrpc-allow-host:\n  - one:1 # first\n  - two:2\ncolor: \"256\"\n"},
		{"ascii", "true", file + "ascii: true\n"},
		{"ascii", "", file},
	} {
		got, err := setting.Edit([]byte(file), c.name, c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s = %q: %v\n%s", c.name, c.value, err, got)
		}
	}
	got, err := setting.Edit([]byte("theme: dark\r\nascii: true"), "theme", "mono")
	if err != nil || string(got) != "theme: mono\r\nascii: true" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := setting.Edit(nil, "theme", "mono"); err != nil || string(got) != "theme: mono\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, odd := range []string{"{theme: dark, ascii: true}", "theme: [\n", "- theme\n", "rpc-allow-host: [one:1,\n  two:2\n]\n"} {
		if got, err := setting.Edit([]byte(odd), "rpc-allow-host", "mono:1"); err == nil && odd[0] != '{' {
			t.Errorf("%q became %q", odd, got)
		}
		if got, err := setting.Edit([]byte(odd), "theme", "mono"); err == nil && odd[0] == '{' {
			t.Errorf("%q became %q", odd, got)
		}
	}
}
