// Package tui is the terminal UI: a small root that routes, one package per
// screen, all styles in tui/theme, all keys in one table.
//
//	keys, mouse, ticks, core events ──► Model.Update ──► the page in front
//	                                        │                 │ Ask (slow work)
//	      terminal ◄── canvas ◄── View ◄────┘                 ▼
//	                                    screen.Result ◄── walletcore (Core)
//
// It promises: enter, space, y, paste and the mouse never spend; a person
// confirms what the core read back from the bytes to be signed; results of
// slow work that nobody waits for any more are dropped; when the wallet locks,
// every screen is thrown away and rebuilt.
//
// It refuses to decide about money or keys (walletcore does that), to write
// anything but frames to the terminal, and to show text by others uncleaned.
package tui
