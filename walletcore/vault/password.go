package vault

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"sync"

	"billfold/keystore"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault/strength"
)

// passwordHash recognizes the password that the wallet was opened with while it stays open, without the half second that
// checking one costs: scripts call unlock before everything they do. It holds a keyed hash, not the password.
type passwordHash struct {
	mu   sync.Mutex
	salt [32]byte
	sum  [32]byte
	set  bool
}

func (o *passwordHash) hash(password string) [32]byte {
	text := append(append(make([]byte, 0, len(o.salt)+len(password)), o.salt[:]...), password...)
	defer clear(text)
	return sha256.Sum256(text)
}

func (o *passwordHash) remember(password string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err := rand.Read(o.salt[:]); err != nil {
		return
	}
	o.sum, o.set = o.hash(password), true
}

func (o *passwordHash) matches(password string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	sum := o.hash(password)
	return o.set && subtle.ConstantTimeCompare(sum[:], o.sum[:]) == 1
}

func (o *passwordHash) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.salt[:])
	clear(o.sum[:])
	o.set = false
}

// checkNewPassword refuses a password that keystore.CheckNewPassword objects to. Error: fault.BadValue.
func checkNewPassword(op, password string) error {
	if err := keystore.CheckNewPassword(password); err != nil {
		return fault.KeyFile(op, err)
	}
	return nil
}

// JudgePassword returns how long a new password resists somebody who has the file that this wallet creates.
func (v *Vault) JudgePassword(lists *strength.Estimator, password string) strength.Verdict {
	return lists.Judge(password, v.Keystore.Cost().GuessesPerSecond())
}
