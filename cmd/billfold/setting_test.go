package main_test

import (
	"strings"
	"testing"

	"billfold/cmd/billfold/setting"

	"github.com/spf13/cobra"
)

// A secret setting has no flag, which other programs could see, and its value is in no
// error and no documentation.
func TestSecretsAreNotShown(t *testing.T) {
	var level string
	table := func() *setting.Table {
		return setting.New("TESTED_",
			[]setting.Setting{{Name: "store-login", Value: setting.Choice(&level, "hunter1"), Help: "what opens the store", Secret: true}})
	}
	cmd := &cobra.Command{}
	table().Define(cmd)
	if cmd.Flags().Lookup("store-login") != nil || cmd.PersistentFlags().Lookup("store-login") != nil {
		t.Error("there is a flag")
	}
	if text := table().Markdown(); !strings.Contains(text, "(no flag)") {
		t.Error(text)
	}
	none := func() ([]byte, string, error) { return nil, "", nil }
	file := func() ([]byte, string, error) { return []byte("store-login: hunter2"), "f.yaml", nil }
	if err := table().Read(file); err == nil || strings.Contains(err.Error(), "hunter2") ||
		!strings.Contains(err.Error(), "f.yaml:1:14: store-login") {
		t.Errorf("file: %v", err)
	}
	t.Setenv("TESTED_STORE_LOGIN", "hunter2")
	if err := table().Read(none); err == nil || strings.Contains(err.Error(), "hunter2") ||
		!strings.Contains(err.Error(), "TESTED_STORE_LOGIN") {
		t.Errorf("environment: %v", err)
	}
	t.Setenv("TESTED_STORE_LOGIN", "hunter1")
	if err := table().Read(none); err != nil || level != "hunter1" {
		t.Errorf("%q, %v", level, err)
	}
}

// Variables that an orchestrator sets beside a service of our name are nobody's settings. What only resembles them is refused.
func TestServiceLinksAreNoSettings(t *testing.T) {
	none := func() ([]byte, string, error) { return nil, "", nil }
	for _, c := range []struct {
		entry   string
		refused bool
	}{
		{"SERVICE_HOST=10.0.48.109", false}, {"SERVICE_HOST=fd00::1", false}, {"SERVICE_PORT=8093", false}, {"SERVICE_PORT_RPC_HTTP=8093", false},
		{"PORT=tcp://10.0.48.109:8093", false}, {"PORT=udp://[fd00::1]:8093", false}, {"PORT_8093_TCP=tcp://10.0.48.109:8093", false},
		{"PORT_8093_TCP_PROTO=tcp", false}, {"PORT_8093_TCP_PORT=8093", false}, {"PORT_8093_TCP_ADDR=10.0.48.109", false},
		{"X_SERVICE_HOST=10.0.48.109", false}, {"HOT_WALLET_PORT=tcp://10.0.48.109:8093", false}, {"X_PORT_8093_TCP_ADDR=10.0.48.109", false},
		{"RPC_AHTU=true", true}, {"PORT=8093", true}, {"PORT=", true}, {"SERVICE_HOST=", true}, {"SERVICE_PORT=true", true}, {"STORE_LOGIN_PORT=8093", true},
		{"PORTS=tcp://10.0.48.109:8093", true}, {"PORT_8093_TCP_ADDR=true", true}, {"IMPORT=tcp://10.0.48.109:8093", true},
	} {
		t.Run(c.entry, func(t *testing.T) {
			name, value, _ := strings.Cut(c.entry, "=")
			t.Setenv("TESTED_"+name, value)
			if err := linkTable().Read(none); (err != nil) != c.refused {
				t.Errorf("%v, refused should be %v", err, c.refused)
			}
		})
	}
}

func linkTable() *setting.Table {
	auth := false
	return setting.New("TESTED_", []setting.Setting{{Name: "rpc-auth", Value: setting.Bool(&auth), Help: "tested"}})
}

// Files of other programs are told as what they are, at the line.
func TestSettingsOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"# mine\n[wallet]\nlog-level: info\n": `f.yaml:2: a line in brackets is a section of an INI file`,
		"log-level: info\r\ntheme = dark\r\n": `f.yaml:2: this is written with =`,
		"log-level=info\n":                    `f.yaml:1: this is written with =`,
		"log-level: info\ntheme: caf\xe9\n":   `f.yaml:2: byte 11 of this line (0xE9) is not UTF-8 text`,
		"PK\x03\x04xl/":                       `f.yaml: it is a spreadsheet (.xlsx), and no text`,
		"log-level: \"a = b\"\n":              "f.yaml:1:12: ",
	} {
		var level string
		table := setting.New("TESTED_", []setting.Setting{{Name: "log-level", Value: setting.Choice(&level, "info")}})
		err := table.ReadFile(func() ([]byte, string, error) { return []byte(text), "f.yaml", nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
