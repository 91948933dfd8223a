// Package terminal adds what bubbletea lacks for terminals: pastes that arrive whole, the colour of the background, reading lines
// and secrets at a prompt, and suspending.
package terminal
