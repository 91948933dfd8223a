package messages

import (
	"maps"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// pair identifies a conversation: an own account, and the one it writes to.
type pair struct{ own, with ledger.AccountID }

// unsent is a message that was typed and not sent.
type unsent struct {
	to    ledgerview.AccountRef
	text  string
	plain bool
	draft int64  // number of its draft on disk; 0: it has none
	saved string // the content of that draft
	state *sendState
}

// content returns what its review is built from.
func (u unsent) content() string { return content(u.text, u.plain) }

// content returns the text of a message with a mark of whether it is plain, to be compared.
func content(text string, plain bool) string {
	if plain {
		return "plain " + text
	}
	return text
}

// empty reports whether there is nothing left to send.
func (u unsent) empty() bool { return strings.TrimSpace(u.text) == "" || u.state.is(statusSent) }

// unsentMessages are the messages of all accounts that were typed and not sent, except the one in the box.
type unsentMessages struct {
	byPair       map[pair]unsent
	accountsRead map[ledger.AccountID]bool // whose drafts were read
}

func newUnsentMessages() unsentMessages {
	return unsentMessages{map[pair]unsent{}, map[ledger.AccountID]bool{}}
}

func (u unsentMessages) clone() unsentMessages {
	return unsentMessages{maps.Clone(u.byPair), maps.Clone(u.accountsRead)}
}
