package sandbox

import "time"

// Kill ends the sandbox as kill -9 ends a node, and starts it again after away
// (protocol/daemon-api.md 11). Connections are cut and nobody is served
// meanwhile, and no blocks are made by time. What was pending is gone, so are the newest lost
// blocks. The transactions in the blocks are not known again: the same bytes are
// taken once more until they expire.
func (s *Sandbox) Kill(away time.Duration, lost int) error {
	return s.restart(away, func() error { return s.chain.Kill(lost) })
}

// End ends the sandbox cleanly and starts it again after away. As Kill, but
// transactions stay known, and the blocks that are not irreversible are gone.
func (s *Sandbox) End(away time.Duration) error { return s.restart(away, s.chain.End) }

func (s *Sandbox) restart(away time.Duration, forget func() error) error {
	s.mining.Lock()
	defer s.mining.Unlock()
	s.faults.leave(away)
	defer s.hub.cut()
	return forget()
}

// leave serves nobody for that long.
func (f *faults) leave(away time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = time.Now().Add(away)
}

// cut closes every connection but those of developers.
func (h *hub) cut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sessions {
		if !s.line.exempt() {
			_ = s.line.conn.Close()
		}
	}
}
