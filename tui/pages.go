package tui

import (
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
)

// goTo names the action that opens a page.
func goTo(id screen.ID) action.ID { return "go." + action.ID(id) }

// pages lists the pages that have a key of their own, in the order of the
// digit row.
func pages() []frame.Page {
	return []frame.Page{
		{ID: screen.Home, Key: "1", Name: "Home"},
		{ID: screen.History, Key: "2", Name: "History"},
		{ID: screen.Send, Key: "3", Name: "Send"},
		{ID: screen.Receive, Key: "4", Name: "Receive"},
		{ID: screen.Messages, Key: "5", Name: "Messages"},
		{ID: screen.Keys, Key: "6", Name: "Keys"},
		{ID: screen.Contacts, Key: "7", Name: "Contacts"},
		{ID: screen.Sign, Key: "8", Name: "Sign"},
		{ID: screen.Assets, Key: "9", Name: "Assets"},
		{ID: screen.Console, Key: "0", Name: "Console"},
		{ID: screen.RPC, Key: "-", Name: "RPC"},
		{ID: screen.Node, Key: "=", Name: "Node"},
		{ID: screen.Settings, Key: ",", Name: "Settings"},
	}
}

// pageOf finds the page that an action opens.
func pageOf(do action.ID) (screen.ID, bool) {
	for _, p := range pages() {
		if goTo(p.ID) == do {
			return p.ID, true
		}
	}
	return "", false
}
