package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/tui/advice"
	page "billfold/tui/page/settings"
)

// Changes on the page are written to the file, which keeps what a person wrote there. Invalid changes, and those that would
// weaken the wallet, are refused.
func TestSettingsAreChangedInTheFile(t *testing.T) {
	const begun = "# mine\ntheme: dark # at night\nlock-after: 10m\n"
	s, err := readSettings(t, begun, "--color=16")
	must(t, err)
	p, err := newProgram(s)
	must(t, err)
	defer p.close()
	store := settingsPage{p}
	file := func() string {
		text, err := os.ReadFile(store.Path())
		must(t, err)
		return string(text)
	}
	for _, c := range []struct{ name, value, wrong string }{
		{"theme", "dusk", `"dusk" is not auto, dark, light, contrast or mono`},
		{"daemon-url", "node.example", "node.example"},
		{"daemon-quorum", "1", "it guards the wallet"},
		{"rpc-spends", "allow", "it guards the wallet"},
		{"lock-after", "1h", "locking later than after 10m protects less"},
		{"lock-after", "0", "locking later than after 10m protects less"},
		{"lock-after", "", "locking later than after 10m protects less"},
		{"lock-after", "soon", "is not a time"},
	} {
		if err := store.Change(c.name, c.value); err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s = %q: %v", c.name, c.value, err)
		}
	}
	for _, url := range []string{"ws://[::1", defaultDaemon, "ws://127.0.0.1:99999", "ws://user:pw@127.0.0.1", "ws://exa mple"} {
		said := advice.Sentence(daemonAddresses{store}.Add(url))
		if said == "" || strings.Contains(said, "bug") || strings.Contains(said, "config.yaml") || strings.Contains(said, "pw") {
			t.Errorf("%s is refused with %q", url, said)
		}
	}
	if file() != begun {
		t.Fatalf("the file is %q", file())
	}
	must(t, store.Change("theme", "light"))
	must(t, store.Change("lock-after", "5m"))
	must(t, store.Change("ascii", "true"))
	if want := "# mine\ntheme: light # at night\nlock-after: 5m\nascii: true\n"; file() != want {
		t.Errorf("the file is %q", file())
	}
	must(t, store.Change("theme", ""))
	if want := "# mine\nlock-after: 5m\nascii: true\n"; file() != want {
		t.Errorf("the file is %q", file())
	}
	all, err := store.All()
	must(t, err)
	said := map[string]string{}
	for _, row := range all {
		said[row.Name] = row.Value + " " + row.Source
		if guards := strings.HasPrefix(row.Name, "rpc-") || row.Name == "max-fee"; guards && row.Fixed == "" {
			t.Errorf("%s is changed on the page", row.Name)
		}
	}
	for name, want := range map[string]string{"theme": "auto default", "ascii": "true file", "color": "16 flag", "lock-after": "5m file",
		"daemon-url": defaultDaemon + " default"} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
}

// A zone that is chosen on the page is written to the file and shown at once, unless a flag names one.
func TestTheZoneIsShownAtOnce(t *testing.T) {
	for flag, want := range map[string]string{"--color=16": "UTC", "--time=local": time.Local.String()} {
		s, err := readSettings(t, "", flag)
		must(t, err)
		p, err := newProgram(s)
		must(t, err)
		defer p.close()
		opt := p.uiOptions(nil, errors.New("off"))
		if got := opt.Clock.Now().Location(); got != time.Local {
			t.Errorf("%s: before, the zone is %s", flag, got)
		}
		must(t, settingsPage{p}.Change("time", "utc"))
		if got := opt.Clock.Now().Location().String(); got != want {
			t.Errorf("%s: the zone is %s", flag, got)
		}
		again := newSettings()
		must(t, again.values.ReadFile(s.readConfig))
		if again.time != timeUTC {
			t.Errorf("%s: the next start has %s", flag, again.time)
		}
	}
}

func TestDaemonIsReplacedInPlace(t *testing.T) {
	s, err := readSettings(t, "daemon-url: ws://127.0.0.1:1,wss://b.example,wss://c.example\n")
	must(t, err)
	p, err := newProgram(s)
	must(t, err)
	defer p.close()
	d := daemonAddresses{settingsPage{p}}
	must(t, d.Replace("wss://b.example", "wss://d.example"))
	list, err := d.list()
	must(t, err)
	if got := strings.Join(list, " "); got != "ws://127.0.0.1:1 wss://d.example wss://c.example" {
		t.Errorf("the daemons are %s", got)
	}
	for _, pair := range [][2]string{{"wss://b.example", "wss://e.example"}, {"wss://c.example", "wss://d.example"}, {"wss://c.example", "nonsense"},
		{"wss://c.example", "wss://d.example:443"}} {
		if said := advice.Sentence(d.Replace(pair[0], pair[1])); said == "" || strings.Contains(said, "bug in Billfold") {
			t.Errorf("%s was replaced by %s, or it says %q", pair[0], pair[1], said)
		}
	}
}

func TestPasswordOfAnAddressIsNotShown(t *testing.T) {
	for value, want := range map[string]string{
		"postgres://billfold:hunter2@db.example/wallet": "postgres://billfold:xxxxx@db.example/wallet",
		"wss://a.example,wss://b.example":               "wss://a.example,wss://b.example", "10m": "10m", "/srv/a,b": "/srv/a,b",
	} {
		if got := redacted(value); got != want {
			t.Errorf("%s is shown as %s", value, got)
		}
	}
}

// What a person writes into the file while the program runs takes effect at the next start; until then the page also shows
// the value in force.
func TestValueInForceIsShown(t *testing.T) {
	s, err := readSettings(t, "lock-after: 10m\n", "--color=16")
	must(t, err)
	p, err := newProgram(s)
	must(t, err)
	defer p.close()
	store := settingsPage{p}
	differ := func() (names []string) {
		all, err := store.All()
		must(t, err)
		for _, row := range all {
			if row.Running != row.Value {
				names = append(names, row.Name+" "+row.Running)
			}
		}
		return names
	}
	if names := differ(); names != nil {
		t.Errorf("at the start %q differ", names)
	}
	must(t, os.WriteFile(store.Path(), []byte("lock-after: 2m\ntheme: light\nhide-amounts: true\n"), 0o600))
	if names := differ(); !slices.Equal(names, []string{"lock-after 10m", "theme auto", "hide-amounts false"}) {
		t.Errorf("after a change by hand %q differ", names)
	}
	must(t, store.Change("motion", "none")) // the appearance changes at once
	if names := differ(); !slices.Equal(names, []string{"lock-after 10m", "hide-amounts false"}) {
		t.Errorf("after a change on the page %q differ", names)
	}
	must(t, store.Change("lock-after", "1m"))
	if names := differ(); !slices.Equal(names, []string{"hide-amounts false"}) {
		t.Errorf("after a change of the lock %q differ", names)
	}
}

func TestSandboxUsesTheSettingsOfTheFolder(t *testing.T) {
	for flag, thrown := range map[string]bool{"--sandbox": true, "--color=16": false} {
		s, err := readSettings(t, "theme: dark\n", flag)
		must(t, err)
		p, err := newProgram(s)
		must(t, err)
		defer p.close()
		store := settingsPage{p}
		if store.Shared() != thrown {
			t.Errorf("%s: the file is shared: %v", flag, store.Shared())
		}
		all, err := store.All()
		must(t, err)
		for _, row := range all {
			if row.Name == "data-dir" && strings.Contains(row.Fixed, "thrown away") != thrown {
				t.Errorf("%s: the folder is not changed because %q", flag, row.Fixed)
			}
			if row.Name == "theme" && row.Value != "dark" {
				t.Errorf("%s: the file does not count: %q", flag, row.Value)
			}
		}
	}
}

// Each setting has a name that a person would use, in a group of the page.
func TestEverySettingHasAName(t *testing.T) {
	for _, s := range newSettings().values.Settings() {
		title, group := page.NameOf(s.Name)
		if title == s.Name || strings.Contains(title, "-") || !slices.Contains(page.Groups(), group) {
			t.Errorf("%s is called %q, in %q", s.Name, title, group)
		}
	}
}
