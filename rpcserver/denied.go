package rpcserver

import "time"

// Denied is the error of a call that its sender may not make.
type Denied struct {
	Message string // one sentence
	Hint    string // what to do next
}

// Error returns the sentence.
func (d *Denied) Error() string { return d.Message }

// Busy is the error of a call that has to wait for others.
type Busy struct {
	What  string // what there is too much of, half a sentence
	After time.Duration
}

// Error returns the sentence.
func (b *Busy) Error() string { return busyText(b.What, b.After) }

func busyText(what string, after time.Duration) string {
	return what + "; try again in " + after.String() + "."
}
