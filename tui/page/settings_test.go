package page_test

import (
	"errors"
	"testing"

	"billfold/tui"
	"billfold/tui/page/settings"
	"billfold/tui/theme"
	"billfold/tui/uitest"
)

// settingsInMemory is settings as plain values; the file is the command's, and tested there.
type settingsInMemory struct {
	all    []settings.Setting
	shared bool
}

func (m *settingsInMemory) Path() string { return "/home/alice/.billfold/default/config.yaml" }

func (m *settingsInMemory) Shared() bool { return m.shared }

func (m *settingsInMemory) All() ([]settings.Setting, error) {
	return append([]settings.Setting(nil), m.all...), nil
}

func (m *settingsInMemory) Change(name, value string) error {
	if value == "soon" {
		return errors.New(`lock-after: "soon" is not a time`)
	}
	for i := range m.all {
		if s := &m.all[i]; s.Name == name {
			s.Value, s.Source = value, "file"
			if value == "" {
				s.Value, s.Source = s.Default, "default"
			}
			if s.Live {
				s.Running = s.Value
			}
		}
	}
	return nil
}

func someSettings() *settingsInMemory {
	m := &settingsInMemory{all: []settings.Setting{
		{Name: "sandbox", Group: "Payments", Kind: "true or false", Choices: []string{"false", "true"}, Value: "false",
			Source: "default", Default: "false", Variable: "BILLFOLD_SANDBOX",
			Help: "use an embedded ledger with play money", Fixed: "give --sandbox to play"},
		{Name: "daemon-url", Group: "Node", Kind: "address", Value: "wss://node.example,wss://other.example", Source: "file",
			Default: "ws://127.0.0.1:8090", Variable: "BILLFOLD_DAEMON_URL", Help: "a daemon's websocket address"},
		{Name: "lock-after", Group: "Lock", Kind: "time", Value: "10m", Source: "environment", Overridden: true, Live: true,
			Default: "15m with the UI, 0 without", Variable: "BILLFOLD_LOCK_AFTER", Help: "lock the wallet after this long without use"},
		{Name: "rpc-keys", Group: "Programs (RPC)", Kind: "allow, deny or ask", Choices: []string{"allow", "deny", "ask"}, Value: "deny",
			Source: "flag", Overridden: true, Default: "allow", Variable: "BILLFOLD_RPC_KEYS", Help: "key export over RPC",
			Fixed: "it guards the wallet: change it in the file"},
		{Name: "theme", Group: "Look", Kind: "auto, dark or light", Choices: []string{"auto", "dark", "light"}, Value: "auto",
			Source: "default", Default: "auto", Variable: "BILLFOLD_THEME", Live: true, Help: "colours of the terminal UI"},
		{Name: "ascii", Group: "Look", Kind: "true or false", Choices: []string{"false", "true"}, Value: "false", Source: "default",
			Default: "false", Variable: "BILLFOLD_ASCII", Live: true, Help: "draw with ASCII characters only"},
	}}
	for i := range m.all {
		m.all[i].Running = m.all[i].Value
	}
	return m
}

func settingsScene(store settings.Store) uitest.Scene {
	return uitest.Scene{Core: func(c *tui.Core) { c.Settings = store }, Setup: func(o *tui.Options) {
		o.Restyle = func(_, _ string, ascii bool) theme.Theme { return theme.New(theme.Settings{ASCII: ascii}) }
	}}
}

func TestSettingsLookAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, settingsScene(someSettings()), func(d *uitest.Driver, _ *uitest.World) {
		d.Press(",")
		d.Until("Theme", "3 changed from default", "● ok")
		d.GoldenPage("settings/settings")
		d.GoldenSizes("settings/settings", [][2]int{{60, 20}, {50, 16}})
		for width := 40; width <= 240; width += 7 {
			for height := 12; height <= 70; height += 6 {
				d.Resize(width, height)
				d.Screen() // holds the frame to its size
			}
		}
	})
}

// In a sandbox, whose wallet is thrown away, the page says that the file is not.
func TestASandboxSaysWhoseSettingsItChanges(t *testing.T) {
	store := someSettings()
	uitest.Play(t, 80, 24, settingsScene(store), func(d *uitest.Driver, w *uitest.World) {
		d.Press(",")
		d.Shows("at once")
		d.Hides("lasting wallet")
		store.shared = true
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press(",")
			d.Shows("at once; the lasting wallet of this folder takes it, too")
			d.Press("down down down")
			d.Shows("give --sandbox to play")
			d.Hides("lasting wallet")
		})
	})
}

// What the file says for the next start does not stand there as if it were in force.
func TestWhatIsInForceStandsBesideTheFile(t *testing.T) {
	store := someSettings()
	store.all[1].Running = "wss://node.example"
	uitest.Play(t, 80, 24, settingsScene(store), func(d *uitest.Driver, _ *uitest.World) {
		d.Press(",")
		d.Until("Theme")
		d.Hides("until the next start")
		d.Press("down down down down")
		d.Shows("▲ wss://node.example, until the next start")
	})
}

// A value is chosen with enter or an arrow, which says what it changes and when, and is written with the next enter; one enter alone, or two,
// change nothing.
func TestAChoiceIsAskedFor(t *testing.T) {
	store := someSettings()
	uitest.Play(t, 80, 24, settingsScene(store), func(d *uitest.Driver, _ *uitest.World) {
		theme := func() string { return store.all[4].Value }
		d.Press(",")
		d.Until("Theme")
		d.Press("enter")
		d.Shows("Theme: [auto]  dark  light", "It is auto now")
		d.Press("enter enter")
		d.Press("esc")
		if theme() != "auto" {
			t.Errorf("enter alone changed the theme to %s", theme())
		}
		d.Press("right")
		d.Shows("[dark]", "↵ changes it from auto to dark, at once.")
		d.Press("esc")
		d.Hides("[dark]")
		if theme() != "auto" {
			t.Errorf("an arrow changed the theme to %s", theme())
		}
		d.Press("enter right enter")
		d.Until("Theme is dark", "dark, from the file")
		d.Press("left left enter")
		d.Until("Theme is light")
		d.Press("d")
		d.Shows("↵ takes it back from light to its default, auto, at once.")
		if theme() != "light" {
			t.Errorf("d alone changed the theme to %s", theme())
		}
		d.Press("enter")
		d.Until("Theme has its default")
		d.Press("down space")
		d.Shows("↵ changes it from off to on, at once.")
		d.Press("enter")
		d.Until("Plain ASCII signs is on", "+ Plain ASCII signs is on") // drawn in ASCII at once
		d.Press("space enter")
		d.Until("✓ Plain ASCII signs is off")
		d.Shows("3 changed from default") // it is what it is without the line in the file
		if store.all[4].Value != "auto" || store.all[5].Value != "false" {
			t.Errorf("the settings are %+v", store.all)
		}
	})
}

// What is typed is written, what is wrong is said and left in the field, and what is not changed here says why.
func TestAValueIsTyped(t *testing.T) {
	store := someSettings()
	store.all[2].Overridden = false
	uitest.Play(t, 100, 30, settingsScene(store), func(d *uitest.Driver, _ *uitest.World) {
		d.Press(",")
		d.Until("Theme")
		d.Press("tab")
		d.Until("Settings › Lock")
		d.Press("enter ctrl+u")
		d.Type("soon")
		d.Press("enter")
		d.Until("is not a time", "Lock after: soon")
		d.GoldenPage("settings/settings-value")
		d.Resize(100, 30)
		d.Press("ctrl+u")
		d.Type("5m")
		d.Press("enter")
		d.Until("Lock after is 5m", "KEYS")
		d.Press("tab enter")
		d.Shows("give --sandbox to play")
		d.Press("tab tab enter")
		d.Shows("it guards the wallet")
		d.Press("/")
		d.Type("daemon")
		d.GoldenPage("settings/settings-find")
		d.Resize(100, 30)
		d.Press("enter enter ctrl+u")
		d.Type("wss://new.example")
		d.Press("enter")
		d.Until("from the next start on")
		d.Press("esc esc")
		d.Until("[1 Home]")
	})
}

// ~ shows the setting in focus as a flag, a variable and a line of the file; a value with a password in none of them.
func TestASettingIsSaidAsACommand(t *testing.T) {
	store := someSettings()
	uitest.Play(t, 100, 30, settingsScene(store), func(d *uitest.Driver, _ *uitest.World) {
		d.Press(",")
		d.Until("Theme")
		d.Press("~")
		d.Shows("billfold --theme=auto", "BILLFOLD_THEME=auto billfold", "theme: auto")
		d.Press("esc tab tab down ~")
		d.Shows("billfold --daemon-url=wss://node.example,wss://other.example")
		store.all[1].Value = "wss://alice:hunter2@node.example"
		d.Press("esc")
		d.Send(uitest.Key("ctrl+r"))
		d.Press("~")
		d.Shows("No notices yet.")
	})
}
