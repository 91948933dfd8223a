package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/internal/stories"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// notAValue is invalid for every setting except free text.
const notAValue = "not a/thing?"

// walker starts the program again and again in one folder, which no start may change.
type walker struct{ dir string }

// attempt starts the program with a settings file, nil = none, and returns the error
// that stopped it. Without an error the program prints the wallet and ends.
func (w walker) attempt(t *testing.T, file []byte, args ...string) error {
	t.Helper()
	path := filepath.Join(w.dir, configName)
	must(t, os.RemoveAll(path))
	if file != nil {
		must(t, os.WriteFile(path, file, 0o600))
	}
	settingsRead := len(args) == 0 || args[0] != "sandbox"
	if settingsRead && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--data-dir") }) {
		args = append(args, "--data-dir="+w.dir)
	}
	root := rootCommand(throwAwayKeystore())
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return nameFlag(root.ExecuteContext(ctx), args)
}

// stopped checks that a start failed with one sentence that contains all of want.
func stopped(t *testing.T, what string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: it started", what)
		return
	}
	text := err.Error()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s: %q does not say %q", what, text, w)
		}
	}
	if strings.ContainsAny(text, "\n\x1b") {
		t.Errorf("%s: %q is no line of text", what, text)
	}
}

// For every setting, every source and every way to get it wrong, the program does not
// start, and the error names the place and the setting.
func TestSettings(t *testing.T) {
	stories.Long(t)
	table, w := newSettings().values, walker{t.TempDir()}
	for i := range table.Settings() {
		s := &table.Settings()[i]
		t.Run(s.Name, func(t *testing.T) {
			if s.Sample() == "" {
				t.Fatal("the declaration has no example")
			}
			if !s.Secret {
				w.walkFlag(t, s)
			}
			w.walkEnvironment(t, s)
			if s.Early {
				stopped(t, "in the file", w.attempt(t, []byte(s.Name+": "+s.Sample())),
					configName+":1:1: "+s.Name+" cannot be set in this file")
			} else {
				w.walkFile(t, s)
			}
		})
	}
}

// wrongs returns invalid values for the setting.
func wrongs(s *setting.Setting) []string {
	paths := []string{"a\x1b[2Jb", "a\u202eb", "a\u200bb", "~", "~/x", "~ann/x", " "}
	switch s.Value.Kind {
	case "path":
		return paths
	case "place": // a path, or one of these kinds
		return append(paths, "fd:", "fd:x", "credential:", "credential:../x", "command: ", "vault:x")
	}
	return []string{notAValue, "nonsense/", "enabled!/", s.Sample() + "\u200b", s.Sample() + "\x1b/"}
}

// misspelt returns name with two letters in the middle swapped.
func misspelt(name string) string {
	i := len(name) / 2
	for name[i] == name[i-1] || name[i] == '-' || name[i-1] == '-' {
		i--
	}
	return name[:i-1] + string(name[i]) + string(name[i-1]) + name[i+1:]
}

func (w walker) walkFlag(t *testing.T, s *setting.Setting) {
	for _, text := range append(wrongs(s), "") {
		stopped(t, "flag "+text, w.attempt(t, nil, "--"+s.Name+"="+text), "--"+s.Name+": ")
	}
	w.walkTwice(t, s)
	stopped(t, "misspelt flag", w.attempt(t, nil, "--"+misspelt(s.Name)+"="+s.Sample()), "unknown flag: --"+misspelt(s.Name),
		"did you mean --"+s.Name+"?")
}

// walkTwice sets a flag to two values: a list takes both, any other flag refuses them.
func (w walker) walkTwice(t *testing.T, s *setting.Setting) {
	other := s.Default
	switch {
	case s.Value.IsList():
		return
	case s.Value.Kind == "path":
		other = "/other"
	case s.Sample() == "true":
		other = "false"
	case s.Value.Choices != nil:
		other = s.Value.Choices[slices.IndexFunc(s.Value.Choices, func(c string) bool { return c != s.Sample() })]
	case s.Name == "daemon-fingerprint":
		other = strings.Repeat("0", 64)
	case s.Name == "chain-id":
		other = strings.Repeat("1", 64)
	case s.Name == "max-fee":
		other = "500 DCT"
	case s.Name == "ipfs-api":
		other = "127.0.0.1:5003"
	case s.Name == "lock-after":
		other = "0"
	case s.Name == "store":
		other = "postgres://billfold@other.example/wallet"
	case s.Name == "trust-group", s.Name == "rpc-socket-group":
		other = "2001"
	case s.Name == "unlock-from":
		other = "/run/password"
	case s.Name == "server-name":
		other = "pay-2"
	case s.Assumed != "":
		other = s.Assumed
	}
	if other == "" || other == s.Sample() {
		t.Fatalf("add another valid value of --%s to walkTwice", s.Name)
	}
	both := []string{"--" + s.Name + "=" + other, "--" + s.Name + "=" + s.Sample()}
	for range both {
		stopped(t, "twice", w.attempt(t, nil, both...), "--"+s.Name+": it is given as ", s.Sample(), other, "; give it once")
		slices.Reverse(both)
	}
	again := fmt.Sprint(w.attempt(t, nil, both[0], both[0], "--"+s.Name+"=")) // the last one keeps the program from starting
	if strings.Contains(again, "give it once") {
		t.Errorf("the same value twice: %v", again)
	}
}

func (w walker) walkEnvironment(t *testing.T, s *setting.Setting) {
	name := s.Variable(environmentPrefix)
	tryVariable := func(name, text string, want ...string) {
		t.Run("environment", func(t *testing.T) {
			t.Setenv(name, text)
			stopped(t, name+"="+text, w.attempt(t, nil), append(want, "in the environment")...)
		})
	}
	for _, text := range wrongs(s) {
		tryVariable(name, text, name)
	}
	tryVariable(name, "", name, "is empty in the environment")
	tryVariable(environmentPrefix+strings.ToUpper(misspelt(s.Name)), s.Sample(), "did you mean "+name+"?")
	tryVariable(strings.ToLower(name), s.Sample(), "did you mean "+name+"?")
	if strings.Contains(s.Name, "-") {
		tryVariable(environmentPrefix+strings.ToUpper(strings.ReplaceAll(s.Name, "-", "")), s.Sample(), "did you mean "+name+"?")
	}
}

func (w walker) walkFile(t *testing.T, s *setting.Setting) {
	name, sample := s.Name, s.Sample()
	line := func(text string, want ...string) {
		t.Helper()
		stopped(t, text, w.attempt(t, []byte("# a comment\n"+text+"\n")), append(want, configName+":2:")...)
	}
	for _, text := range wrongs(s) {
		line(fmt.Sprintf("%s: %q", name, text), name)
	}
	for _, wrong := range []string{"", "~", "null", `""`, "{a: 1}", "!!str " + sample, "!x " + sample, "&a " + sample, "[]", "[[a]]",
		"[{a: b}]", `["", a]`, "'" + sample} {
		stopped(t, wrong, w.attempt(t, []byte("# a comment\n"+name+": "+wrong+"\n")), configName+":")
	}
	if !s.Value.IsList() {
		line(name+": ["+sample+"]", "takes one value, not a list")
	}
	line(misspelt(name)+": "+sample, "did you mean "+name+"?")
	line(strings.ToUpper(name)+": "+sample, "did you mean "+name+"?")
	line("--"+name+": "+sample, "did you mean "+name+"?")
	if first, rest, ok := strings.Cut(name, "-"); ok {
		line(first+": {"+rest+": "+sample+"}", "not nested", name)
		line(first+":\n  "+rest+": "+sample, "not nested", name)
		line(first+"."+rest+": "+sample, "did you mean "+name+"?")
		line(strings.ReplaceAll(name, "-", "_")+": "+sample, "did you mean "+name+"?")
	}
	for _, text := range []string{
		name + ": " + sample + "\n" + name + ": " + sample,
		name + ": " + sample + "\n---\n" + name + ": " + sample,
		name + ": |\n  " + sample,
		name + ": >-\n  " + sample,
		name + ": " + sample + "\n  more",
		name + ": \"" + sample + "\n  more\"",
		"- " + name + ": " + sample,
		name + ":" + strings.TrimPrefix(sample, ":"),
		name + "=" + sample,
		name,
		name + ": " + sample + "\n\ttheme: dark",
		name + ": [" + sample,
		"<<: {" + name + ": \"" + sample + "\"}",
		"x: &a " + sample + "\n" + name + ": *a",
		name + ": \"" + sample + "\"\x00",
		"\xff\xfe" + name + ": " + sample,
		name + ": \"" + sample + "\"\u2028theme: dark",
		name + ": \"" + sample + "\"\rtheme: dark",
	} {
		stopped(t, text, w.attempt(t, []byte(text)), configName)
	}
}

// A settings file under a wrong name stops the start, since its settings are meant to apply.
func TestSettingsFilesOfOtherNames(t *testing.T) {
	w := walker{t.TempDir()}
	try := func(name string) error {
		path := filepath.Join(w.dir, name)
		must(t, os.WriteFile(path, []byte("rpc-auth: true\n"), 0o600))
		defer os.Remove(path)
		return w.attempt(t, []byte("theme: dark\n"))
	}
	for _, name := range []string{"config.yml", "Config.yml", "config.yaml.txt", "config.json", ".config.yaml", "config.toml",
		"config.conf", "config", "cofnig.yaml",
		"config.yaml ", "settings.yml", "config (1).yaml"} {
		stopped(t, name, try(name), filepath.Join(w.dir, name)+" is not the settings file; rename it to config.yaml, or move it away")
	}
	for _, name := range []string{"config.yaml.bak", "config.yaml~", ".config.yaml.swp", "notes.txt", "cert.pem", "wallet.json",
		"billfold.log", "genesis.json"} {
		if err := try(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each setting sets its field, in the same way from each source.
func TestSettingsFromEverySource(t *testing.T) {
	plain := fields(readOnly(t, "", "", ""))
	reached := map[int]string{}
	for _, s := range newSettings().values.Settings() {
		var seen []string
		for _, source := range []setting.Source{setting.FromFile, setting.FromEnvironment, setting.FromFlag} {
			if source == setting.FromFile && s.Early || source == setting.FromFlag && s.Secret {
				continue
			}
			t.Run(s.Name, func(t *testing.T) {
				var file, flag string
				switch source {
				case setting.FromFile:
					file = s.Name + ": " + s.Sample()
				case setting.FromEnvironment:
					t.Setenv(s.Variable(environmentPrefix), s.Sample())
				default:
					flag = "--" + s.Name + "=" + s.Sample()
				}
				read := readOnly(t, s.Name, file, flag)
				if got := read.values.Source(s.Name); got != source {
					t.Errorf("it came from %v, not %v", got, source)
				}
				seen = append(seen, "")
				for i, text := range fields(read) {
					if text != plain[i] {
						seen[len(seen)-1] += fmt.Sprint(i, "=", text, " ")
						reached[i] = s.Name
					}
				}
			})
		}
		if len(slices.Compact(seen)) != 1 || strings.Count(seen[0], "=") != 1 {
			t.Errorf("%s sets %q; it should be one field, the same from each source", s.Name, seen)
		}
	}
	for i := range plain {
		if name := reflect.TypeFor[settings]().Field(i).Name; reached[i] == "" && !slices.Contains([]string{"values", "newKeys", "flags", "passed"}, name) {
			t.Errorf("no setting in the table reaches the field %s; declare it there", name)
		}
	}
}

// readOnly reads settings without checking them against each other.
func readOnly(t *testing.T, name, file, flag string) *settings {
	t.Helper()
	s, cmd := newSettings(), &cobra.Command{}
	s.values.Define(cmd)
	if flag != "" {
		must(t, cmd.ParseFlags([]string{flag}))
	}
	err := s.values.Read(func() ([]byte, string, error) { return []byte(file), configName, nil })
	if err != nil && !strings.HasPrefix(err.Error(), "--"+name+" has no effect ") {
		t.Fatal(err)
	}
	return s
}

// fields returns the values of the fields of settings, except for the table.
func fields(s *settings) []string {
	v := reflect.ValueOf(*s)
	list := make([]string, v.NumField())
	for i := range list {
		if v.Type().Field(i).Name != "values" {
			list[i] = fmt.Sprintf("%v", v.Field(i))
		}
	}
	return list
}

// readsEnvironment are the files that may read the environment: the table, those for the
// terminal's variables (TERM, NO_COLOR, …), for re-executing the program, for drawing the golden screens of tests, for the number of
// processors of tests, for skipping long ones and for a daemon of IPFS for them, for PostgreSQL's variables (PGPASSFILE), which pgx reads, for
// what a supervisor passes (NOTIFY_SOCKET, CREDENTIALS_DIRECTORY, LISTEN_FDS), and for the command line of cli_wallet, which is translated
// before the table is read and gives way to the table's variable of the data folder.
var readsEnvironment = []string{"cmd/billfold/setting/sources.go", "cmd/billfold/setting/table.go", "tui/run.go", "tui/uitest/screen.go",
	"tui/uitest/processors.go", "internal/stories/stories.go", "tui/terminal/lines.go", "cmd/billfold/slack_linux.go",
	"cmd/billfold/supervisor.go", "cmd/billfold/sockets.go", "cmd/billfold/cli_wallet.go", "content/ipfs/ipfstest/daemon.go", "cmd/billfold/unlock_from.go", "walletcore/storetest/template.go", "walletcore/store/postgres/address.go"}

// An undeclared setting has no way in: there are no flags besides the table's, and nothing
// else reads the environment or viper.
func TestNoSettingOutsideTheTable(t *testing.T) {
	root, table := rootCommand(nil), newSettings().values
	for _, set := range []*pflag.FlagSet{root.Flags(), root.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			declared := slices.ContainsFunc(table.Settings(), func(s setting.Setting) bool { return s.Name == f.Name })
			if !declared && f.Name != "json" { // the format of one conversation is not a setting
				t.Errorf("the flag --%s is not declared in the table of settings", f.Name)
			}
		})
	}
	other := regexp.MustCompile(`os\.(Getenv|LookupEnv|Environ)\b|syscall\.Getenv|"github.com/spf13/viper"`)
	seldom := []string{"Getenv", "LookupEnv", "Environ", "spf13/viper"} // without these a text cannot match
	top := filepath.Join("..", "..")
	must(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path == filepath.Join(top, "internal", "tools") {
			return fs.SkipDir // a module of its own, which is in no program
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(top, path)
		has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
		if slices.ContainsFunc(seldom, has) && other.Match(text) && !slices.Contains(readsEnvironment, filepath.ToSlash(name)) {
			t.Errorf("%s looks at the environment by itself; declare a setting", name)
		}
		return err
	}))
}

// The usual words for true and false are accepted from each source.
func TestWordsForTrueAndFalse(t *testing.T) {
	for text, want := range map[string]bool{
		"true": true, "True": true, "TRUE": true, "yes": true, "on": true, "On": true, "1": true, `"yes"`: true,
		"false": false, "no": false, "off": false, "0": false, "'false'": false,
	} {
		if s := readOnly(t, "rpc-auth", "rpc-auth: "+text, ""); s.rpcAuth != want || s.values.Source("rpc-auth") != setting.FromFile {
			t.Errorf("%s in the file is %v", text, s.rpcAuth)
		}
		text = strings.Trim(text, `"'`)
		if s := readOnly(t, "rpc-auth", "", "--rpc-auth="+text); s.rpcAuth != want {
			t.Errorf("--rpc-auth=%s is %v", text, s.rpcAuth)
		}
		t.Run(text, func(t *testing.T) {
			t.Setenv("BILLFOLD_RPC_AUTH", text)
			if s := readOnly(t, "rpc-auth", "", ""); s.rpcAuth != want {
				t.Errorf("BILLFOLD_RPC_AUTH=%s is %v", text, s.rpcAuth)
			}
		})
	}
}

// A file that has only one meaning is read, however an editor wrote it.
func TestHarmlessFiles(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": "\n\n", "comments": "# rpc-auth: true\n", "a mark before it": "\xef\xbb\xbfrpc-auth: true\n",
		"other line ends": "theme: dark\r\nrpc-auth: true\r\n", "document marks": "---\nrpc-auth: true # yes\n...\n", "braces": "{rpc-auth: true}",
		"quotes": `"rpc-auth": 'true'`, "no last line end": "rpc-auth: true", "a long key": "? rpc-auth\n: true\n",
	} {
		s := readOnly(t, "", text, "")
		if s.rpcAuth != strings.Contains(strings.ReplaceAll(text, "# rpc", ""), "rpc-auth") {
			t.Errorf("%s: rpc-auth is %v", name, s.rpcAuth)
		}
	}
}
