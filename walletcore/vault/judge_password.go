package vault

import "billfold/walletcore/vault/strength"

// JudgePassword returns how long a new password resists somebody who has the file that this wallet creates.
func (v *Vault) JudgePassword(lists *strength.Estimator, password string) strength.Verdict {
	return strength.Judge(lists.Guesses(password), v.Keystore.Cost().GuessesPerSecond())
}
