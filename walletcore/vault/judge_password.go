package vault

import (
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault/strength"
)

// PasswordProblem returns why a new password could not be typed again, "" if nothing is wrong with it: it has a character in it that nobody
// sees. The password that a wallet has is not asked about this.
func PasswordProblem(password string) string {
	if _, err := usertext.DecodeLine(password); err != nil {
		return "a password cannot be read: " + err.Error()
	}
	return usertext.Problem("the password", password)
}

// checkNewPassword refuses a password that PasswordProblem objects to, but for a mark in front, which is not stored. Error: fault.BadValue.
func checkNewPassword(op, password string) error {
	why := PasswordProblem(usertext.Normal(password))
	if why == "" {
		return nil
	}
	return &fault.Error{Code: fault.BadValue, Op: op, Message: why, Hint: "take it out and set the password again; nothing was changed"}
}

// JudgePassword returns how long a new password resists somebody who has the file that this wallet creates.
func (v *Vault) JudgePassword(lists *strength.Estimator, password string) strength.Verdict {
	return strength.Judge(lists.Guesses(password), v.Keystore.Cost().GuessesPerSecond())
}
