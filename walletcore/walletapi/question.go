package walletapi

// Question is the question to a person before a program may do something, and the
// wording of the call in the audit log.
type Question struct {
	Sentence string // what the program wants to do, such as "export all private keys"; {name} stands for a parameter
	Typed    string // the word that a person types to agree; "" = none
}
