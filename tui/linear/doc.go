// Package linear is the UI as lines: for screen readers, terminals without a cursor, and scripts.
//
// It is a conversation: a prompt says where the person is, words and numbers answer it, and lines are only
// ever appended. It drives the same wallet, reviews and sentences as the pages; a word stands for a row of
// the key table.
//
//	lines in ──► Session ──► a page's words ──► wallet
//	lines out ◄── Voice ◄─── facts, one per line
//
// It promises: a line has at most 72 characters and no escape byte; what others wrote stands between quotes,
// cleaned; amounts, ids and keys are whole; notices come only between prompts; nothing is signed, approved or
// deleted but by that whole word, typed after everything it does was said.
package linear
