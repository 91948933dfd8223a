package rpcserver

import (
	"sync"
	"time"

	"billfold/walletcore/fault"
)

// passwordBackoff makes a principal that has just sent a wrong password wait twice as long as
// everybody else before its next attempt, so that one that keeps guessing does not take
// every turn from those who know the password. Callers without a token count as one principal.
type passwordBackoff struct {
	wait func() time.Duration // what everybody has to wait; nil = nothing

	mu        sync.Mutex
	heldUntil map[string]time.Time // by principal: when it may try again
}

// applies reports whether an operation tries a password.
func (p *passwordBackoff) applies(method string) bool {
	return p.wait != nil && (method == "unlock" || method == "set_password")
}

// check returns an error if a principal still has to wait.
func (p *passwordBackoff) check(who string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := time.Until(p.heldUntil[who]); left > 0 {
		return fault.PasswordHeldBack("unlock", left)
	}
	delete(p.heldUntil, who)
	return nil
}

// record makes a principal wait if its attempt failed because the password was wrong.
func (p *passwordBackoff) record(who string, err error) {
	if fault.CodeOf(err) != fault.WrongPassword {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.heldUntil == nil {
		p.heldUntil = map[string]time.Time{}
	}
	p.heldUntil[who] = time.Now().Add(2 * p.wait())
}
