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
