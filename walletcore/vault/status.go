package vault

import (
	"slices"
	"time"
)

// Status is what can be told about the keys without revealing any.
type Status struct {
	Lock       State
	LocksAt    time.Time     // when it locks if nobody touches it; zero if locked or never
	LocksFixed bool          // it was unlocked for a fixed time: touching does not move LocksAt
	RetryIn    time.Duration // how long no password is tried because of wrong ones; usually 0
	WrongTries int           // wrong passwords since the last right one, whoever typed them, including one that is being tried
	KeysFault  string        // why keys in memory may reach the system's swap; one sentence, "" if they cannot
	FileFault  string        // why the wallet file is weaker than it should be; one sentence, "" if it is not
}

// Status returns the state of the lock and of the file.
func (v *Vault) Status() Status {
	s := v.health()
	s.Lock = v.State()
	s.LocksAt, s.LocksFixed = v.idle.ends()
	return s
}

// health returns what the keystore says about itself.
func (v *Vault) health() (s Status) {
	store := v.keys()
	if store == nil {
		return s
	}
	s.RetryIn, s.WrongTries = store.RetryIn(), store.WrongTries()
	health := store.Health()
	if health.Memory != nil {
		s.KeysFault = "keys in memory may reach the system's swap: " + health.Memory.Error() +
			"; raise the limit of locked memory (ulimit -l)"
	}
	if health.Upgrade != nil {
		s.FileFault = "the wallet file is weaker than it should be and could not be made stronger: " + health.Upgrade.Error()
	}
	return s
}

// logFaultsLocked logs, once each, the faults that weaken an open wallet. The caller holds idle.mu.
func (v *Vault) logFaultsLocked() {
	s := v.health()
	for _, failure := range []string{s.KeysFault, s.FileFault} {
		if failure != "" && !slices.Contains(v.logged, failure) {
			v.logged = append(v.logged, failure)
			v.Logger.Warn("keys: " + failure)
		}
	}
}
