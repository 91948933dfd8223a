package messages

import (
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Unsent is a message that was written and not sent. The zero value is none.
type Unsent struct {
	account ledger.AccountID
	with    ledgerview.AccountRef
	text    string
	plain   bool
}

// UnsentOf returns what stands in the box of a page, to be kept over a lock.
func UnsentOf(m *Model) Unsent {
	if m.writing.box.Empty() || m.writing.sent.Load() {
		return Unsent{}
	}
	return Unsent{m.account, m.with, m.writing.box.Value(), m.writing.plain}
}

// Restore puts a kept message into the box of its conversation.
func (u Unsent) Restore(m *Model) {
	if u.text == "" {
		return
	}
	m.account, m.with, m.focus = u.account, u.with, panelTalk
	m.writing.box.Set(u.text)
	m.writing.plain = u.plain // it opens with the wallet
}
