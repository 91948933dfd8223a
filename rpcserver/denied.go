package rpcserver

import "time"

// Denied is the error of a call that its sender may not make.
type Denied struct {
	Message string // one sentence
	Hint    string // what to do next
}

// Error returns the sentence.
func (d *Denied) Error() string { return d.Message }

// Busy is the error of a call that a limit turned away for now.
type Busy struct {
	What  string // which limit was reached: a sentence without its full stop
	After time.Duration
}

// Error returns the sentence.
func (b *Busy) Error() string { return busyText(b.What, b.After) }

func busyText(what string, after time.Duration) string {
	return what + "; try again in " + after.String() + "."
}
