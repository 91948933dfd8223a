package walletapi

// Question is what a person is asked before a program may do something, and how
// the audit log words the call.
type Question struct {
	Sentence string // what the program wants to do, such as "export all private keys"; {name} stands for a parameter
	Typed    string // the word that a person types to agree; "" = none
}
