package walletcore

import (
	"context"
	"os"
	"time"

	"billfold/walletcore/event"
)

// fileEvery is how often the key file is looked at.
const fileEvery = 2 * time.Second

// followFile takes over what other programs write into the key file, such as an
// imported key or a wallet where there was none, until ctx ends.
func (w *Wallet) followFile(ctx context.Context) error {
	tick := time.NewTicker(fileEvery)
	defer tick.Stop()
	for failure := ""; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := w.rereadFile(); err == nil {
			failure = ""
		} else if text := err.Error(); text != failure { // once, not every two seconds
			failure = text
			w.log.Warn("keys: the file was written by another program and cannot be taken over: " + text)
		}
	}
}

func (w *Wallet) rereadFile() error {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return w.findFile()
	}
	changed, err := store.Reread()
	if changed {
		w.events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

// findFile opens a key file that another program made.
func (w *Wallet) findFile() error {
	found, err := w.openFound()
	if found {
		w.events.Publish(event.Event{Kind: event.Lock})
		w.events.Publish(event.Event{Kind: event.Accounts})
	}
	return err
}

func (w *Wallet) openFound() (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.store != nil {
		return false, nil
	}
	if _, err := os.Lstat(w.path); err != nil { // mostly because there is none
		return false, nil
	}
	err := w.openStore()
	return w.store != nil, err
}
