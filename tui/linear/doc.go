// Package linear is the line-based UI for screen readers, terminals without cursor control, and scripts.
//
// It is a conversation: a prompt says where the person is, words and numbers answer it, and output is only
// ever appended. It uses the same wallet, reviews and sentences as the full-screen pages; each word stands for
// a row of the key table.
//
//	lines in ──► Session ──► a page's words ──► wallet
//	lines out ◄── Voice ◄─── facts, one per line
//
// It promises: a line has at most 72 characters and no escape byte; text by others is cleaned and quoted; amounts,
// ids and keys are never cut; notices come only between prompts; nothing is signed, approved or deleted except by
// that whole word, typed after everything it does was printed.
package linear
