package rpcserver

import (
	"sync"
	"time"

	"billfold/walletcore/fault"
)

// passwords holds back whoever has just given a wrong password for twice as long as
// everybody has to wait, so that nobody who keeps guessing takes every turn from
// those who know it. Callers without a token are one and the same.
type passwords struct {
	wait func() time.Duration // what everybody has to wait; nil = nothing

	mu   sync.Mutex
	held map[string]time.Time // by principal
}

// takes reports that an operation tries a password.
func (p *passwords) takes(method string) bool {
	return p.wait != nil && (method == "unlock" || method == "set_password")
}

// refused is the error of a principal whose turn it is not; nil for others.
func (p *passwords) refused(who string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := time.Until(p.held[who]); left > 0 {
		return fault.PasswordHeldBack("unlock", left)
	}
	delete(p.held, who)
	return nil
}

// ended is notified how a try of a principal ended.
func (p *passwords) ended(who string, err error) {
	if fault.CodeOf(err) != fault.WrongPassword {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		p.held = map[string]time.Time{}
	}
	p.held[who] = time.Now().Add(2 * p.wait())
}
