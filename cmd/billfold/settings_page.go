package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"billfold/cmd/billfold/setting"
	"billfold/osfile"
	page "billfold/tui/page/settings"
)

// settingsPage shows the settings of the program, and changes those in the file that do not guard the wallet.
type settingsPage struct{ p *program }

// Path implements page.Store.
func (f settingsPage) Path() string { return filepath.Join(f.p.settings.dataDir, configName) }

// Shared implements page.Store.
func (f settingsPage) Shared() bool { return f.p.box != nil }

// All implements page.Store.
func (f settingsPage) All() ([]page.Setting, error) {
	filed := newSettings()
	if err := filed.values.ReadFile(f.read); err != nil {
		return nil, err
	}
	run := f.p.settings.values
	var out []page.Setting
	for _, s := range run.Settings() {
		_, group := page.NameOf(s.Name)
		row := page.Setting{Name: s.Name, Group: group, Kind: s.Value.Kind, Help: s.Help, Choices: s.Value.Choices,
			Default: filed.values.Default(s.Name), Variable: s.Variable(environmentPrefix), Fixed: fixedReason(s)}
		if s.Value.Kind == boolKind {
			row.Choices = []string{"false", "true"}
		}
		row.Value, row.Source, row.Running = row.Default, sources()[setting.FromDefault], row.Default
		if text, there := filed.values.InFile(s.Name); there {
			row.Value, row.Source = text, sources()[setting.FromFile]
		}
		if text, there := run.InFile(s.Name); there {
			row.Running = text
		}
		if from := run.Source(s.Name); from > setting.FromFile {
			row.Running = run.Text(s.Name)
			row.Value, row.Source, row.Overridden = row.Running, sources()[from], true
		}
		row.Value, row.Running = redacted(row.Value), redacted(row.Running)
		row.Live = isLive(s.Name)
		if s.Early && f.Shared() {
			row.Fixed = "the sandbox reads only settings and keys there, and keeps its wallet in a folder that is thrown away"
		}
		out = append(out, row)
	}
	return out, nil
}

// redacted returns a value without the passwords that addresses in it may hold.
func redacted(value string) string {
	parts := strings.Split(value, ",")
	for i, part := range parts {
		if u, err := url.Parse(part); err == nil && u.User != nil {
			parts[i] = u.Redacted()
		}
	}
	return strings.Join(parts, ",")
}

// boolKind is the kind of settings that are on or off.
const boolKind = "true or false"

func sources() []string { return []string{"default", "file", "environment", "flag"} }

func isLive(name string) bool {
	return name == "theme" || name == "color" || name == "ascii" || name == "motion" || name == "time" || name == lockSetting
}

// fixedReason returns why a setting cannot be changed on the page, "" if it can. Settings that guard money are
// changed only in the file.
func fixedReason(s setting.Setting) string {
	switch {
	case s.Early:
		return "it names the folder of the file; give --" + s.Name + ", or set its variable"
	case s.Name == "sandbox":
		return "give --sandbox to play"
	case strings.HasPrefix(s.Name, "rpc-"), s.Name == "metrics", s.Name == "max-fee", s.Name == "daemon-quorum",
		s.Name == "daemon-ca", s.Name == "daemon-fingerprint":
		return "it guards the wallet: change it in the file"
	}
	return ""
}

func (f settingsPage) read() (text []byte, path string, err error) { return f.p.settings.readConfig() }

// Change implements page.Store.
func (f settingsPage) Change(name, value string) error {
	for _, s := range f.p.settings.values.Settings() {
		if why := fixedReason(s); s.Name == name && why != "" {
			return fmt.Errorf("%s is not changed here: %s", name, why)
		}
	}
	if name == lockSetting {
		if err := f.checkNotLonger(value); err != nil {
			return err
		}
	}
	text, path, err := f.read()
	if err != nil {
		return err
	}
	text, err = setting.Edit(text, name, value)
	if err != nil {
		return err
	}
	next := newSettings()
	if err := next.values.ReadFile(func() ([]byte, string, error) { return text, path, nil }); err != nil {
		return err
	}
	if err := next.check(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("the folder of the settings file cannot be made: %w", err)
	}
	err = osfile.Replace(path, text)
	if err != nil {
		return fmt.Errorf("the settings file cannot be written: %w", err)
	}
	f.apply(name, next)
	return nil
}

// apply applies the changed file to this run: always the appearance and the time zone, and the lock time if that was changed.
func (f settingsPage) apply(name string, next *settings) {
	run := f.p.settings.values
	for _, s := range run.Settings() {
		if isLive(s.Name) && (s.Name != lockSetting || name == lockSetting) {
			run.Adopt(s.Name, next.values)
		}
	}
	if run.Source("time") <= setting.FromFile {
		f.p.utc.Store(next.time == timeUTC)
	}
	if name != lockSetting || run.Source(name) > setting.FromFile {
		return
	}
	after := next.lockAfter
	if _, there := next.values.InFile(name); !there {
		after = lockAfterUI
	}
	f.p.settings.lockAfter = after
	f.p.wallet.Vault.SetLockAfter(after)
}

// lockSetting is the setting for how long a wallet may go unused.
const lockSetting = "lock-after"

// checkNotLonger refuses a longer lock time than the current one, since that weakens the lock.
func (f settingsPage) checkNotLonger(value string) error {
	now, next := f.p.settings.lockAfter, lockAfterUI
	var err error
	if value != "" {
		if next, err = parseLockAfter(value); err != nil {
			return err
		}
	}
	if now != 0 && (next == 0 || next > now) {
		return fmt.Errorf("locking later than after %s protects less: change it in %s", shortTime(now), f.Path())
	}
	return nil
}

func shortTime(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
