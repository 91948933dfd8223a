package walletapi

// Question is what a person is asked before a program may do something, and what
// the audit log says of it.
type Question struct {
	Sentence string // what the program wants to do, such as "export all private keys"; {name} stands for a parameter
	Typed    string // the word that a person types for a yes; "" = none
}
