package tui

import (
	"strings"

	"billfold/tui/action"
	"billfold/tui/overlay/approval"
	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/card"
	"billfold/tui/overlay/contactfinder"
	"billfold/tui/overlay/copymenu"
	"billfold/tui/overlay/dialog"
	"billfold/tui/overlay/help"
	"billfold/tui/overlay/palette"
	"billfold/tui/overlay/unlock"
	"billfold/tui/page/assets"
	"billfold/tui/page/console"
	"billfold/tui/page/contacts"
	"billfold/tui/page/content"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/keys"
	"billfold/tui/page/messages"
	"billfold/tui/page/node"
	"billfold/tui/page/receive"
	"billfold/tui/page/rpc"
	"billfold/tui/page/send"
	"billfold/tui/page/settings"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
)

// The actions that the root itself performs, besides go.X for each page.
const (
	doEsc     action.ID = "esc"
	doHelp    action.ID = "help"
	doAccount action.ID = "account"
	doCopy    action.ID = "copy"
	doHide    action.ID = "hide"
	doNotices action.ID = "notices"
	doRefresh action.ID = "refresh"
	doLock    action.ID = "lock"
	doStop    action.ID = "stop"
	doPalette action.ID = "palette"
	doSuspend action.ID = "suspend"
	doQuit    action.ID = "quit"
	doOldest  action.ID = "approval.oldest"
	doZoom    action.ID = "zoom"
)

// keyTable is the whole key table with default keys: what works everywhere, then each screen.
func keyTable() action.Table {
	t := action.Table{{ID: action.Everywhere, Title: "Everywhere", Actions: everywhere()}}
	for _, places := range [][]action.Place{
		home.Places(), history.Places(), send.Places(), receive.Places(), contacts.Places(), content.Places(), sign.Places(),
		keys.Places(), settings.Places(),
		unlock.Places(), firstrun.Places(), messages.Places(), rpc.Places(), node.Places(), assets.Places(), console.Places(), approval.Places(),
		help.Places(), dialog.Places(), card.Places(), ask.Places(), contactfinder.Places(), copymenu.Places(), palette.Places(),
	} {
		t = append(t, places...)
	}
	return t
}

// boundKeys returns the key table with the keys that a person chose. If they clash, it returns the default table, and fault says
// why.
func boundKeys(opt Options) (table action.Table, fault string) {
	if opt.KeysFault != "" {
		return keyTable(), opt.KeysFault
	}
	table, err := keyTable().Bind(opt.Keys)
	if err != nil {
		return table, err.Error()
	}
	return table, ""
}

// pagesWithKeys returns the pages with their keys in a table.
func pagesWithKeys(table action.Table) []frame.Page {
	list := pages()
	for i := range list {
		list[i].Key = table.KeyOf(action.Everywhere, goTo(list[i].ID))
	}
	return list
}

// frameKeys returns the keys that the bands around every page name.
func frameKeys(table action.Table) frame.Keys {
	keys := frame.Keys{Help: table.KeyOf(action.Everywhere, doHelp), Palette: table.KeyOf(action.Everywhere, doPalette),
		Account: table.KeyOf(action.Everywhere, doAccount),
		Page:    map[screen.ID]frame.Page{}}
	for _, a := range table.At(action.Everywhere).Actions {
		if a.ID == doHelp && a.Alias {
			keys.Typed = a.Key()
		}
	}
	for _, p := range pagesWithKeys(table) {
		keys.Page[p.ID] = p
	}
	return keys
}

// defaultTable returns the table with default keys.
func defaultTable(opt Options, table action.Table) action.Table {
	if len(opt.Keys) == 0 {
		return table
	}
	return keyTable()
}

// deadKeys returns the keys of a page that do nothing now, in their default form. It is nil while letters are text: frames then name
// all keys of the page.
func deadKeys(env screen.Env, keys action.Table, page screen.Screen) map[string]bool {
	limits, is := page.(screen.Limiter)
	place, mode := page.Place()
	if mode != screen.KEYS {
		return nil
	}
	root, _, _ := strings.Cut(place, ".")
	dead, within := map[string]bool{}, root+"."
	each := func(place string, do func(key string, id action.ID)) {
		for _, a := range keys.At(place).Actions {
			for _, key := range a.Keys {
				do(action.Written(key), a.ID)
			}
		}
	}
	for _, p := range keys { // keys of another panel, or of a part of the page that is not shown
		if p.ID == root || strings.HasPrefix(p.ID, within) {
			each(p.ID, func(key string, _ action.ID) { dead[key] = true })
		}
	}
	each(action.Everywhere, func(key string, _ action.ID) { delete(dead, key) })
	each(place, func(key string, id action.ID) { dead[key] = is && limits.Off(env, id) != "" })
	return dead
}

// chosenKeys returns the rebound keys of a page and of what is in front of it, by their default form.
func chosenKeys(opt Options, table action.Table, page screen.ID, front screen.Screen) map[string]string {
	if len(opt.Keys) == 0 || opt.KeysFault != "" {
		return nil
	}
	places := []string{action.Everywhere}
	for _, p := range table {
		if strings.HasPrefix(p.ID, string(page)+".") {
			places = append(places, p.ID)
		}
	}
	here, _ := front.Place()
	return table.Caps(keyTable(), append(places, string(page), here)...)
}

func everywhere() []action.Action {
	var out []action.Action
	for _, p := range pages() {
		out = append(out, action.Action{ID: goTo(p.ID), Keys: []string{p.Key}, Word: p.Name, Help: "go to " + p.Name,
			Group: groupOf(p.Machine)})
	}
	const (
		rows    = "↑↓ k j|row up, down"
		columns = "←→ h l|column"
		ends    = "g G|first, last row"
		screens = "pgup pgdn|page"
		panels  = "tab ⇧tab|next, previous panel"
	)
	return append(out,
		action.Action{ID: "up", Keys: []string{"up", "k"}, Show: "↑ k", Help: "row up", Group: rows},
		action.Action{ID: "down", Keys: []string{"down", "j"}, Show: "↓ j", Help: "row down", Group: rows},
		action.Action{ID: "left", Keys: []string{"left", "h"}, Show: "← h", Help: "column left", Group: columns},
		action.Action{ID: "right", Keys: []string{"right", "l"}, Show: "→ l", Help: "column right", Group: columns},
		action.Action{ID: "first", Keys: []string{"g", "home"}, Help: "first row", Group: ends},
		action.Action{ID: "last", Keys: []string{"G", "end"}, Help: "last row", Group: ends},
		action.Action{ID: "pgup", Keys: []string{"pgup", "ctrl+u"}, Show: "pgup ctrl+u", Help: "page up", Group: screens},
		action.Action{ID: "pgdn", Keys: []string{"pgdown", "ctrl+d"}, Show: "pgdn ctrl+d", Help: "page down", Group: screens},
		action.Action{ID: "next", Keys: []string{"tab"}, Help: "next panel or field", Typing: true, Group: panels},
		action.Action{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous panel or field",
			Typing: true, Group: panels},
		action.Action{ID: doEsc, Keys: []string{"esc"}, Help: "back, close", Typing: true},
		action.Action{ID: doPalette, Keys: []string{":", "/"}, Show: ":  ctrl+k", Help: "palette: find anything; on most pages without a filter also /"},
		action.Action{ID: doPalette, Keys: []string{"ctrl+k"}, Help: "palette: find anything", Typing: true, Alias: true},
		action.Action{ID: doHelp, Keys: []string{"?"}, Show: "?  F1", Help: "this help"},
		action.Action{ID: doHelp, Keys: []string{"f1"}, Help: "this help", Typing: true, Alias: true},
		action.Action{ID: doAccount, Keys: []string{"@"}, Help: "switch account"},
		action.Action{ID: doCopy, Keys: []string{"y"}, Help: "copy from the thing in focus"},
		action.Action{ID: doZoom, Keys: []string{"z"}, Help: "zoom the panel in focus, and back"},
		action.Action{ID: doHide, Keys: []string{"*"}, Help: "hide amounts"},
		action.Action{ID: doOldest, Keys: []string{"!"}, Help: "oldest RPC approval"},
		action.Action{ID: doNotices, Keys: []string{"~"}, Help: "past notices; the same from a shell"},
		action.Action{ID: doRefresh, Keys: []string{"ctrl+r"}, Help: "refresh, redraw"},
		action.Action{ID: doLock, Keys: []string{"ctrl+l"}, Help: "lock, unlock again", Typing: true},
		action.Action{ID: doStop, Keys: []string{"ctrl+c"}, Help: "clear; twice quits", Typing: true},
		action.Action{ID: doSuspend, Keys: []string{"ctrl+z"}, Help: "suspend, locks first", Typing: true},
		action.Action{ID: doQuit, Keys: []string{"q"}, Help: "quit, or exit"},
	)
}
