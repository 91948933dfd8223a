package messages

import (
	"maps"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// pair is who writes to whom.
type pair struct{ own, with ledger.AccountID }

// unsent is a message that was begun and not sent.
type unsent struct {
	to    ledgerview.AccountRef
	text  string
	plain bool
	draft int64  // under which it is kept on disk; 0: it is not
	kept  string // as it is kept
	sent  *fate
}

// typed is what a review of it is made of.
func (u unsent) typed() string { return typed(u.text, u.plain) }

func typed(text string, plain bool) string {
	if plain {
		return "plain " + text
	}
	return text
}

// empty reports whether there is nothing to be sent any more.
func (u unsent) empty() bool { return strings.TrimSpace(u.text) == "" || u.sent.is(onItsWay) }

// begun are the messages of all accounts that were begun and not sent, but for the one in the box.
type begun struct {
	texts map[pair]unsent
	read  map[ledger.AccountID]bool // whose drafts were read
}

func newBegun() begun { return begun{map[pair]unsent{}, map[ledger.AccountID]bool{}} }

func (b begun) clone() begun { return begun{maps.Clone(b.texts), maps.Clone(b.read)} }
