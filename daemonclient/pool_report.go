package daemonclient

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"billfold/ledger"
)

// markUp records that the daemon is connected, which makes it a candidate.
func (p *pool) markUp(n *node, cn *conn, seen probeResult) {
	level := slog.LevelInfo
	p.change(func() {
		if n.state != Connecting { // its loss was a warning
			level = slog.LevelWarn
		}
		n.conn, n.chain, n.silent = cn, seen.chain, false
		n.recordLocked(seen, time.Now(), p.probing)
		n.setLocked(Online, nil)
	})
	p.cfg.Logger.Log(context.Background(), level, "daemon: online", "url", n.shown, "chain", seen.chain.String())
}

// markDown takes a connection out of use that has ended, or was never made (cn is nil then), and records why. Whoever
// notices first calls it: another daemon has taken over before it returns.
func (p *pool) markDown(n *node, cn *conn, reason error) {
	if errors.Is(reason, errStopped) {
		return // Run is ending, and reports it
	}
	var before, after State
	p.change(func() {
		before, after = n.state, n.state
		if n.conn != cn {
			return // somebody else noticed before
		}
		after = stateFor(reason)
		n.conn, n.silent = nil, false
		n.faults.add(time.Now())
		n.setLocked(after, reason)
	})
	if after != before {
		p.cfg.Logger.Warn("daemon: lost", "url", n.shown, "state", after.String(), "reason", reason.Error())
	}
}

// setNextTry records when a daemon is dialled again; zero: now.
func (p *pool) setNextTry(n *node, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n.nextTry = at
}

// distrust counts a false answer against a daemon: another usable one takes over, but calls in flight stay where they are.
func (p *pool) distrust(cn *conn, lie error) {
	n := p.nodeOf(cn)
	if n == nil {
		return
	}
	now := time.Now()
	p.change(func() {
		n.lastLie, n.lie = now, lie
		n.faults.add(now)
	})
}

// retire takes a broken connection out of use without waiting for its keeper.
func (p *pool) retire(cn *conn) {
	reason := cn.reason()
	if n := p.nodeOf(cn); n != nil && reason != nil {
		p.markDown(n, cn, reason)
	}
}

func (p *pool) nodeOf(cn *conn) *node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nodes.on(cn)
}

// recordProbe records what a probe of a daemon showed.
func (p *pool) recordProbe(n *node, cn *conn, seen probeResult, err error) {
	now := time.Now()
	_, lost := errors.AsType[*noAnswerError](err)
	_, lied := errors.AsType[*FalseAnswerError](err)
	p.change(func() {
		switch {
		case n.conn != cn:
		case lied:
			n.lastLie, n.lie = now, err
			n.faults.add(now)
		case err == nil:
			if n == p.active && seen.elapsed > 0 && n.head != seen.head { // no notice announced it
				p.epoch.Add(1)
			}
			n.chain, n.silent = seen.chain, false
			n.recordLocked(seen, now, p.probing)
		case errors.Is(err, errSilent):
			n.silent = true
			n.faults.add(now)
		case !lost: // it answered, but not what was asked
			n.faults.add(now)
		}
	})
}

// blockApplied records a new head block, and publishes it if it is of the daemon in use, or of the only one.
func (p *pool) blockApplied(n *node, id ledger.BlockID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n.head, n.headSeen = id, time.Now()
	if n == p.active || len(p.nodes) == 1 {
		p.epoch.Add(1)
		p.subscribers.publish(BlockApplied{ID: id})
	}
}

// blame records a call that got no answer: a broken connection is out of use before anybody is sent to the next one,
// and a daemon that let a call time out is trusted less.
func (p *pool) blame(cn *conn, u *noAnswerError) {
	p.retire(cn)
	var late *timeoutError
	if n := p.nodeOf(cn); n != nil && u.sent && errors.As(u.cause, &late) {
		p.change(func() { n.faults.add(time.Now()) })
	}
}
