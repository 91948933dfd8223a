// Package terminal is what the UI needs of a terminal beside what bubbletea gives:
// pastes that arrive whole, and the colour of the background.
package terminal
