package vault

import (
	"context"
	"os"
	"time"

	"billfold/walletcore/event"
)

// fileEvery is how often the key file is checked.
const fileEvery = 2 * time.Second

// Follow takes over what other programs write into the key file, such as an imported key or the first wallet, until ctx ends.
func (v *Vault) Follow(ctx context.Context) error {
	tick := time.NewTicker(fileEvery)
	defer tick.Stop()
	for failure := ""; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := v.rereadFile(); err == nil {
			failure = ""
		} else if text := err.Error(); text != failure { // once, not every two seconds
			failure = text
			v.Logger.Warn("keys: the file was written by another program and cannot be loaded: " + text)
		}
	}
}

func (v *Vault) rereadFile() error {
	store := v.keys()
	if store == nil {
		return v.findFile()
	}
	changed, err := store.Reread()
	if changed {
		v.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

// findFile opens a key file that another program created.
func (v *Vault) findFile() error {
	found, err := v.openFound()
	if found {
		v.Events.Publish(event.Event{Kind: event.Lock})
		v.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

func (v *Vault) openFound() (bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.store != nil {
		return false, nil
	}
	if _, err := os.Lstat(v.Path); err != nil { // usually because there is none
		return false, nil
	}
	err := v.openStore()
	return v.store != nil, err
}
