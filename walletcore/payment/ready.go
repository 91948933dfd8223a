package payment

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"billfold/walletcore/store"
)

// NotReady returns, in one sentence that names no address and no file, why the journal lets nothing be
// spent and what ends that; "" if it does not stand in the way.
func NotReady(p *Payments) string {
	err := p.JournalFault()
	lost, is := errors.AsType[*store.LostError](err)
	next := ": " + p.bareCommand("status") + " says how to go on"
	switch {
	case err == nil || errors.Is(err, errComparing):
		return cmp.Or(p.compare.pending(), p.unwritable())
	case is && lost.Kind == store.Moved:
		return "the payment journal was moved into another store" + next
	case is && lost.Kind == store.Behind:
		return "the ledger has payments of this wallet that its payment journal lacked: " + p.bareCommand("found") + " lists them"
	case is && lost.Kind == store.Foreign && p.shared():
		return "the store that the servers share is not the one of this wallet" + next
	case is && p.shared():
		return "the store that the servers share is held" + next
	case is:
		return "the payment journal is not the one that the wallet wrote last" + next
	case errors.Is(err, store.ErrPlaceTaken):
		return "another program has the place of this server in the store that the servers share: end the other one, or give this one a folder of its own (--data-dir)"
	case p.shared():
		return "the store that the servers share " + cmp.Or(store.CauseOf(err), "does not answer") + next
	}
	return "the payment journal cannot be read" + next
}

// unwritable returns why no payment could be written now, as the latest attempts showed; "" if one could. What exactly the
// database said is in the log, once for each reason: it may name files and addresses.
func (p *Payments) unwritable() string {
	if p.Journal == nil {
		return ""
	}
	err := p.Journal.Ready(context.Background())
	if err != nil && errors.Is(err, store.ErrClosed) {
		return "the wallet is ending"
	}
	if err == nil {
		if p.lastRefusal.replace("") {
			p.Logger.Error("payments: the journal takes payments again") // as loud as what it ends
		}
		return ""
	}
	if p.lastRefusal.replace(err.Error()) {
		p.Logger.Error("payments: the journal takes no payment", "error", err)
	}
	if why := store.CauseOf(err); why != "" {
		return "the store " + why
	}
	if errors.Is(err, store.ErrReplaced) {
		return "the payment journal was moved, removed, replaced or written over while this program used it; the log says more, and so does " +
			p.bareCommand("status")
	}
	return "the payment journal takes no payment: its database refuses what a payment writes; the log says why, and so does " + p.bareCommand("status")
}

// lastText is a text that is told once.
type lastText struct {
	mu   sync.Mutex
	text string
}

// replace reports whether the text is another one than the last.
func (l *lastText) replace(text string) (news bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	news, l.text = l.text != text, text
	return news
}
