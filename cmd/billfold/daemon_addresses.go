package main

import (
	"fmt"
	"slices"
	"strings"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/daemonclient"
)

// daemonSetting is the setting that names the daemons.
const daemonSetting = "daemon-url"

// daemonAddresses changes the daemons in the settings file, through the settings page.
type daemonAddresses struct{ page settingsPage }

// Fixed implements node.Addresses.
func (d daemonAddresses) Fixed() string {
	s := d.page.p.settings
	switch {
	case s.sandbox:
		return "the sandbox is its own node"
	case s.values.Source(daemonSetting) > setting.FromFile:
		from := sources()[s.values.Source(daemonSetting)]
		return "the " + from + " --" + daemonSetting + " names the nodes of this run, not the settings file"
	case len(s.daemonUsers) > 1 || len(s.daemonPasswords) > 1:
		return "--daemon-user lists a user for each node in their order; change both in the settings file"
	}
	return ""
}

// list returns the daemons in the settings file, or the default if it names none.
func (d daemonAddresses) list() ([]string, error) {
	filed := newSettings()
	if err := filed.values.ReadFile(d.page.read); err != nil {
		return nil, err
	}
	if text, there := filed.values.InFile(daemonSetting); there {
		return setting.Words(text), nil
	}
	return setting.Words(filed.values.Default(daemonSetting)), nil
}

// Add implements node.Addresses.
func (d daemonAddresses) Add(url string) error {
	list, err := d.list()
	if err != nil {
		return err
	}
	if slices.Contains(list, url) {
		return shell.Misuse(fmt.Errorf("%s is in the settings already", daemonclient.ShownURL(url)))
	}
	if err := daemonclient.CheckAddress(url); err != nil {
		return shell.Misuse(err)
	}
	if err := daemonclient.CheckAddresses(append(slices.Clone(list), url)); err != nil {
		return shell.Misuse(err)
	}
	return shell.Misuse(d.page.Change(daemonSetting, strings.Join(append(list, url), ",")))
}

// Remove implements node.Addresses. The address may be given without its secrets, as it is shown.
func (d daemonAddresses) Remove(url string) error {
	list, err := d.list()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(list), func(one string) bool { return one == url || daemonclient.ShownURL(one) == url })
	switch len(left) {
	case len(list):
		return shell.Misuse(fmt.Errorf("%s is not in the settings; it was removed already", url))
	case 0:
		return shell.Misuse(fmt.Errorf("%s is the only node; add another one first", url))
	}
	return shell.Misuse(d.page.Change(daemonSetting, strings.Join(left, ",")))
}

// Replace implements node.Addresses. The old address may be given without its secrets, as it is shown.
func (d daemonAddresses) Replace(old, url string) error {
	list, err := d.list()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(one string) bool { return one == old || daemonclient.ShownURL(one) == old })
	switch {
	case at < 0:
		return shell.Misuse(fmt.Errorf("%s is not in the settings; it was removed already", old))
	case slices.Contains(list, url):
		return shell.Misuse(fmt.Errorf("%s is in the settings already", daemonclient.ShownURL(url)))
	}
	list[at] = url
	if err := daemonclient.CheckAddresses(list); err != nil {
		return shell.Misuse(err)
	}
	return shell.Misuse(d.page.Change(daemonSetting, strings.Join(list, ",")))
}
