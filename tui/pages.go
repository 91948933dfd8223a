package tui

import (
	"strings"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/frame"
)

// goTo returns the action that opens a page.
func goTo(id screen.ID) action.ID { return "go." + action.ID(id) }

// pages lists the pages that have a key of their own, in the order of the digit row: those of the wallet, then those of the machine
// room. The nav row, the status row, the key table and the help are built from it.
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
		{ID: screen.Content, Key: ";", Name: "Content"},
		{ID: screen.Console, Key: "0", Name: "Console", Machine: true},
		{ID: screen.RPC, Key: "-", Name: "RPC", Machine: true},
		{ID: screen.Node, Key: "=", Name: "Node", Machine: true},
		{ID: screen.Settings, Key: ",", Name: "Settings", Machine: true},
	}
}

// groupOf returns the help group of the pages that are in the machine room, or of those that are not.
func groupOf(machine bool) string {
	var keys, names []string
	for _, p := range pages() {
		if p.Machine == machine {
			keys, names = append(keys, p.Key), append(names, p.Name)
		}
	}
	if machine {
		return strings.Join(keys, " ") + "|" + strings.Join(names, ", ")
	}
	return keys[0] + " … " + keys[len(keys)-1] + "|screens"
}

// pageOf returns the page that an action opens.
func pageOf(do action.ID) (screen.ID, bool) {
	for _, p := range pages() {
		if goTo(p.ID) == do {
			return p.ID, true
		}
	}
	return "", false
}
