package linear

import (
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/message"
)

// forgets is a page that keeps what only an open wallet may say.
type forgets interface{ forget() }

// forgetRead forgets what was read with the keys of a wallet that was locked since.
func (s *Session) forgetRead() {
	s.Forget()
	for _, p := range s.pages {
		if p, keeps := p.(forgets); keeps {
			p.forget()
		}
	}
}

// watchLock forgets once the wallet was locked, by a word or by itself.
func (d *Desk) watchLock() {
	open := d.env().Unlocked()
	if d.opened && !open {
		d.locked()
	}
	d.opened = open
}

func (p *past) forget() { p.rows = nil }

func (l *letters) forget() { l.all, l.with, l.first = nil, message.Conversation{}, 0 }

func (s *shared) forget() { s.all = nil }

func (p *paying) forget() { p.form.Memo, p.who = "", ledgerview.AccountRef{} }
