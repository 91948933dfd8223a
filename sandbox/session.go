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
	spared bool          // faults do not concern it
	lag    time.Duration // of the last answer, because of its method
	since  uint64        // how often the node had been restarted when the connection was opened
}

func (s *session) wants() *api.Callbacks { return &s.Callbacks }

func (s *session) exempt() bool { return s.conn.exempt() }

func (s *session) cut() { _ = s.conn.socket.Close() }

func (s *session) notify(callback *uint64, arg any) {
	if callback == nil {
		return
	}
	frame, err := codec.Marshal(notice{Method: "notice", Params: []any{*callback, []any{arg}}})
	if err == nil {
		s.conn.notice(frame)
	}
}

type notice struct {
	Method string `json:"method"`
	Params []any  `json:"params"`
}

// spare keeps all faults away from the session, because a developer uses it.
func (s *session) spare() {
	s.spared = true
	if s.conn != nil {
		s.conn.spare()
	}
}

// push keeps a transaction for the next block. A node that was ended since the connection
// was opened does not take it, and answers nothing: the connection ended with it.
func (s *session) push(p *evaluate.Prepared) error {
	since := s.since
	if s.exempt() {
		since = s.Chain.Restarts()
	}
	err := s.Chain.PushSince(since, p)
	if errors.Is(err, chain.ErrEnded) {
		s.cut()
	}
	return err
}

// Broadcast puts a transaction into the pending list. The wish for a notice of
// its block is noted first, so that the block cannot come in between.
func (s *session) Broadcast(tx *ledger.SignedTransaction, callback *uint64) error {
	if fault := s.faults.refusal(); fault != nil {
		return fault
	}
	p, err := api.Prepare(s.Chain, tx)
	if err != nil {
		return err
	}
	if callback != nil {
		s.hub.expect(p.ID, s, *callback)
	}
	if err := s.push(p); err != nil {
		if callback != nil {
			s.hub.forget(p.ID, s)
		}
		return err
	}
	s.Monitor.Broadcasts.Add(1)
	s.hub.transactionPending(tx)
	return nil
}
