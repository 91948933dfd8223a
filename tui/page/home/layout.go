package home

import (
	"billfold/tui/layout"
	"billfold/tui/screen"
)

// panelsOf returns the layout of the page in w by h cells.
func panelsOf(m *Model, env screen.Env, w, h int) layout.HomePanels {
	if env.Zoomed {
		all := layout.Rect{W: w, H: h}
		return layout.HomePanels{Single: true, Accounts: all, Balances: all, Pending: all, Recent: all}
	}
	wide := w
	if layout.HomeCharts(h, env.Class) {
		wide = w * 54 / 100
	}
	return layout.HomeScreen(w, h, env.Class, len(m.balances)+min(len(m.extras.tokens), 1), m.pendingHeight(env, wide-6))
}

// accountsHidden reports whether the accounts have no panel; the key @ switches between them then.
func accountsHidden(m *Model, env screen.Env) bool {
	return panelsOf(m, env, env.W, env.H).Accounts.Empty()
}
