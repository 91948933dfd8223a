package keys

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/payment"
)

// NewKeys are the keys that are made here for one change, each for its place in it: whoever looks at the change again, and what is signed, has the
// same ones. The zero value has none yet.
type NewKeys struct {
	mu     sync.Mutex
	keys   map[string]ledger.PrivateKey
	stored []ledger.PublicKey // in the wallet, for a review
	used   bool               // something that names them was sent, or saved for others
}

// at returns the key of a place, such as "active 1".
func (n *NewKeys) at(place string) (ledger.PrivateKey, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if key, made := n.keys[place]; made {
		return key, nil
	}
	key, err := ledger.GeneratePrivateKey()
	if err != nil {
		return key, err
	}
	if n.keys == nil {
		n.keys = map[string]ledger.PrivateKey{}
	}
	n.keys[place] = key
	return key, nil
}

// Wipe wipes the keys. Those that the wallet has stay there.
func (n *NewKeys) Wipe() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range n.keys {
		key.Wipe()
	}
	n.keys = nil
}

func (n *NewKeys) noteStored(key ledger.PublicKey) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.stored, key) {
		n.stored = append(n.stored, key)
	}
}

func (n *NewKeys) noteUsed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.used = true
}

// Left returns a sentence on keys that are in the wallet for a review of a change that was given up, each as show has it; "" if there are none.
func (n *NewKeys) Left(show func(ledger.PublicKey) string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var short []string
	for _, key := range n.stored {
		short = append(short, show(key))
	}
	switch {
	case n.used || len(short) == 0:
		return ""
	case len(short) == 1:
		return "Nothing was changed. The new key " + short[0] + " stays in this wallet, unused"
	}
	return fmt.Sprintf("Nothing was changed. The %d new keys %s stay in this wallet, unused", len(short), strings.Join(short, ", "))
}

// track returns what was built for a change, which notes once it is sent or saved for others.
func (n *NewKeys) track(built screen.Built) screen.Built {
	if _, others := built.(screen.Unsigned); others {
		return built // see trackFile
	}
	return screen.Around(built, func(ctx context.Context, send func(context.Context) (payment.Payment, error)) (payment.Payment, error) {
		paid, err := send(ctx)
		if payment.MayHaveBeenSent(paid, err) {
			n.noteUsed()
		}
		return paid, err
	})
}

// trackFile is track for what others sign.
func (n *NewKeys) trackFile(u screen.Unsigned) screen.Unsigned { return trackedFile{u, n} }

type trackedFile struct {
	screen.Unsigned
	made *NewKeys
}

// Save implements screen.Saver.
func (t trackedFile) Save(ctx context.Context) (screen.Saved, error) {
	file, err := t.Unsigned.Save(ctx)
	if err == nil {
		t.made.noteUsed()
	}
	return file, err
}

// Propose implements screen.Unsigned.
func (t trackedFile) Propose(ctx context.Context, payer string, end ledger.Time) (screen.Built, error) {
	built, err := t.Unsigned.Propose(ctx, payer, end)
	if err != nil {
		return built, err
	}
	return t.made.track(built), nil
}
