package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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

// tryLimit is the time that a node has to answer on the first page.
const tryLimit = 8 * time.Second

// Default implements firstrun.Nodes.
func (d daemonAddresses) Default() string { return d.page.p.settings.values.Default(daemonSetting) }

// Try implements firstrun.Nodes.
func (d daemonAddresses) Try(ctx context.Context, url string) error {
	if err := daemonclient.CheckAddress(url); err != nil {
		return shell.Misuse(err)
	}
	s := d.page.p.settings
	daemon := daemonclient.Config{URL: url, Logger: d.page.p.log}
	var err error
	if daemon.TLS, err = daemonclient.TLSConfig(s.daemonCA, s.daemonPin); err != nil {
		return err
	}
	if err := s.requireChain(&daemon); err != nil {
		return err
	}
	if len(s.daemonUsers) > 0 {
		daemon.User = s.daemonUserAt
	}
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	client, ran := daemonclient.New(daemon), make(chan error, 1)
	events, unsubscribe := client.Subscribe()
	go func() { ran <- client.Run(ctx) }()
	defer func() {
		unsubscribe()
		cancel()
		<-ran
	}()
	for {
		switch at := client.Status(); {
		case at.State == daemonclient.Online:
			return nil
		case at.LastError != "":
			return shell.Misuse(fmt.Errorf("%s cannot be used: %s; correct the address, or try again later", daemonclient.ShownURL(url), at.LastError))
		}
		select {
		case <-events:
		case <-ctx.Done():
			return shell.Misuse(fmt.Errorf("%s does not answer; correct the address, or try again later", daemonclient.ShownURL(url)))
		}
	}
}

// Use implements firstrun.Nodes: it takes effect when the session begins anew.
func (d daemonAddresses) Use(url string) error {
	if err := d.page.Change(daemonSetting, url); err != nil {
		return shell.Misuse(err)
	}
	d.page.p.settings.daemonURLs = []string{url}
	return nil
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
