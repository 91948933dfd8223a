package home

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
)

// panelsOf returns where the panels of a page are in w by h cells.
func panelsOf(m *Model, env screen.Env, w, h int) layout.HomePanels {
	if env.Zoomed {
		all := layout.Rect{W: w, H: h}
		return layout.HomePanels{Single: true, Accounts: all, Balances: all, Pending: all, Recent: all}
	}
	wide := w
	if layout.HomeCharts(h, env.Class) {
		wide = w * 54 / 100
	}
	return layout.HomeScreen(w, h, env.Class, len(m.balances)+min(len(m.beside.tokens), 1), m.pendingRows(env, wide-6))
}

// noAccounts reports that the accounts have no panel: @ switches.
func noAccounts(m *Model, env screen.Env) bool {
	return panelsOf(m, env, env.W, env.H).Accounts.Empty()
}
