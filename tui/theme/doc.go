// Package theme owns every colour, attribute and sign of the terminal UI.
//
// The rest of the UI names a meaning (a Token, such as MoneyIn or Danger) and
// never a colour; a Theme turns meanings into escape sequences for one
// background and one colour depth. There is no package-level state: one Theme
// value is created at start and passed down.
//
// It promises that no meaning depends on colour alone: with Depth None the
// attributes (bold, reverse, faint, italic) still separate what must be
// separated. It refuses to paint the terminal's own background: only
// selection, pop-ups and chips have one.
package theme
