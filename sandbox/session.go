package sandbox

import (
	"errors"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/api"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/evaluate"
)

// session is one connection: what it may call, and how it is reached.
type session struct {
	*api.Session
	hub    *hub
	faults *Faults
	conn   *conn         // nil over HTTP
	lag    time.Duration // of the last answer, because of its method
	since  uint64        // the node's restarts when the connection was opened

	developer bool // the session is exempt from faults
}

func (s *session) callbacks() *api.Callbacks { return &s.Callbacks }

func (s *session) exempt() bool { return s.conn.exempt() }

func (s *session) disconnect() { _ = s.conn.socket.Close() }

func (s *session) notify(callback *uint64, arg any) {
	if callback == nil {
		return
	}
	frame, err := codec.Marshal(notice{Method: "notice", Params: []any{*callback, []any{arg}}})
	if err == nil {
		s.conn.sendNotice(frame)
	}
}

type notice struct {
	Method string `json:"method"`
	Params []any  `json:"params"`
}

// setDeveloper exempts the session from all faults, because a developer uses it.
func (s *session) setDeveloper() {
	s.developer = true
	if s.conn != nil {
		s.conn.setDeveloper()
	}
}

// push keeps a transaction for the next block. If the node was restarted after the
// connection was opened, it does not accept the transaction and disconnects.
func (s *session) push(p *evaluate.Prepared) error {
	since := s.since
	if s.exempt() {
		since = s.Chain.Restarts()
	}
	err := s.Chain.PushSince(since, p)
	if errors.Is(err, chain.ErrEnded) {
		s.disconnect()
	}
	return err
}

// Broadcast adds a transaction to the pending ones. It requests the notice first,
// so that the block cannot come in between.
func (s *session) Broadcast(tx *ledger.SignedTransaction, callback *uint64) error {
	if fault := s.faults.nextRefusal(); fault != nil {
		return fault
	}
	p, err := api.Prepare(s.Chain, tx)
	if err != nil {
		return err
	}
	if callback != nil {
		s.hub.awaitInclusion(p.ID, s, *callback)
	}
	if err := s.push(p); err != nil {
		if callback != nil {
			s.hub.cancelInclusion(p.ID, s)
		}
		return err
	}
	s.Monitor.Broadcasts.Add(1)
	s.hub.transactionPending(tx)
	return nil
}
