// Package format turns what the core returns into text for the screen. There is one way to show an amount, one to show an account
// and one to show text that somebody else wrote, and it is here; other packages of the UI never build such strings themselves (a
// test checks that).
//
// It promises: an amount has all decimals of its asset and its symbol, and is never rounded, cut or written with an exponent; an
// account is name and object id; text by others has no control, bidi or invisible characters left and is shown in quotes after a
// gutter. It refuses to shorten any amount or account.
package format
