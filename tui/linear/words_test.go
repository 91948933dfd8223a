package linear

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/uitest"
)

// inQuestions returns the rows of the key table whose word works at a question or a review, with that word.
func inQuestions() map[string]string {
	return map[string]string{
		"review/review.sign": "sign", "review/review.raw": "json", "review/review.propose": "propose", "review/review.save": "save",
		"review.file/review.save": "save", "review.file/review.raw": "json", "approval/review.raw": "json", "sign.file/review.raw": "json", "content.review/review.raw": "json", "send.type/send.most": "max", "send.type/send.kind": "2",
		"send.type/send.review": "sign", "ask.x/ask.x": "delete", "firstrun/firstrun.1": "1", "firstrun/firstrun.2": "2",
		"firstrun/firstrun.3": "3", "firstrun/firstrun.6": "6", "firstrun/firstrun.7": "7", "firstrun/quit": "quit", "home/home.send": "send",
		"firstrun/firstrun.4": "4", "firstrun/firstrun.5": "5", "messages.type/messages.review": "sign", "review.file/review.propose": "propose", "messages.type/messages.kind": "2",
		"history.export/export.span": "last month", "history.export/export.flip": "labels", "history.export/export.memos": "memos",
		"firstrun.phrase/phrase.new": "new", "firstrun.another/phrase.make": "another", "history/history.memo": "1", "history/history.detail": "1", "send.form/send.edit": "back", "receive.code/receive.save": "save qr",
	}
}

// notInWords returns the rows of the key table that have no word, with the reason, keyed by "place/id", or "*/id" for
// all places.
func notInWords() map[string]string {
	const (
		focus = "nothing has the focus here: a number or a word selects an item"
		typed = "the terminal edits the line"
		shown = "nothing is shown that could be turned, zoomed or cleared; lines are only appended"
		held  = "the output can be selected in the terminal"
		never = "a secret is never echoed"
	)
	out := map[string]string{
		"*/esc": "back and stop leave every question", "*/enter": "an answer is a line", "*/help": "help works at every prompt",
		"*/unlock.show": never, "*/ask.show": never, "*/firstrun.show": never,
		"*/suspend": "the terminal suspends a program; there is no screen to hide", "everywhere/copy": held, "sign.file/copy": held,
		"*/receive.code": "a QR code is for eyes; save qr writes it", "*/receive.invert": "a QR code is for eyes; save qr writes it",
		"*/receive.clear": "request alone asks for no amount", "*/send.clear": "stop leaves the questions; the answers become a draft",
		"*/send.contacts": "a part of a name is answered with the names that contain it", "assets/assets.send": "an amount takes its symbol: send carol 5 USDX",
		"assets/assets.receive": "request takes the symbol: request 5 USDX", "*/console.clear": shown, "*/console.line": typed,
		"history/history.follow": "an event reports incoming payments", "history/history.back": "date goes to any day", "history/history.on": "date goes to any day",
		"history.filter/history.take": "the nearest word is printed; type it",
		"contacts/contacts.order":     "find finds one among many", "sign/sign.order": "find finds one among many", "sign/sign.tree": "keys, then xray, shows who acts for an account",
	}
	out["content.review/content.sign"] = "publish asks for each text, and its review for the word publish"
	out["*/messages.contact"], out["*/messages.newline"] = "contacts, then add, saves an account", "a message is one line here"
	out["send.drafts/drafts.undo"] = "deleting a draft is confirmed by a word"
	out["sending/sending.label"] = "history, then label, writes on the newest row"
	out["firstrun.phrase/phrase.hide"], out["rpc/rpc.freeze"] = shown, shown
	out["rpc.secret/copy"], out["firstrun/copy"] = held, held
	out["firstrun/firstrun.theme"], out["firstrun/firstrun.linear"] = "lines have the colours of the terminal", "these are the lines"
	out["home/home.registered"] = "registration is a word everywhere"
	out["contacts/contacts.message"] = "write, on messages, goes to any account"
	out["home/home.receive"], out["home/home.order"] = "receive is a page and a word everywhere", "assets come in one order, with numbers"
	out["home/home.range"], out["everywhere/zoom"] = "the chart is a sentence of 30 days", shown
	out["console.type/console.form"], out["console.type/console.search"] = "about shows what an operation takes", typed
	const found = "the terminal can search the lines of help"
	const answered = "a question is answered or left first; then approvals lists the requests"
	out["review/review.later"] = "linear mode runs no clock: what waits leaves while the terminal UI runs"
	out["review/approval.oldest"], out["review.file/approval.oldest"] = answered, answered
	out["help.find/help.find"], out["help/help.find"] = found, found
	for _, id := range []string{"up", "down", "left", "right", "first", "last", "pgup", "pgdn", "next", "prev"} {
		out["*/"+id] = focus
	}
	out["*/ask.begin"], out["*/ask.end"] = focus, focus
	for _, id := range []string{"ask", "assets", "contacts", "receive", "send"} {
		out["*/"+id+".up"], out["*/"+id+".down"] = focus, focus
	}
	for id, word := range map[string]string{"pay": "send", "message": "write, on messages,", "save": "add, on contacts,", "history": "filter with:NAME, on history,",
		"keys": "account, then keys,", "assets": "account, then assets,", "receive": "receive", "approve": "approve, on sign,", "withdraw": "withdraw, on sign,",
		"use": "use, on node,", "edit": "note, on contacts, or policy, on rpc,", "remove": "remove, on contacts and node, or revoke, on rpc,"} {
		out["card/card."+id] = word + " goes from any page to what a card leads to"
	}
	out["card/copy"] = held
	for _, n := range "123456789" {
		out["copy/copy."+string(n)] = held
	}
	return out
}

// Every action of the key table has a word or a reason for having none, and every word that names a row names an
// existing one.
func TestEveryActionHasItsWord(t *testing.T) {
	rows := map[string]bool{}
	for _, place := range tui.KeyTable() {
		for _, a := range place.Actions {
			rows[place.ID+"/"+string(a.ID)] = true
		}
	}
	output := map[string]bool{}
	s := newSession(Options{Options: tui.Options{Core: tui.CoreOf(uitest.RealWallet(t, t.TempDir()))}})
	all := append(append(s.common.prompts(), s.common.general()...), s.common.routes...)
	for _, p := range s.pages {
		all = append(all, p.words()...)
	}
	for _, w := range all {
		for _, row := range append([]string{w.row}, w.also...) {
			if row != "" && !rows[row] {
				t.Errorf("%s stands for %s, which the key table does not have", w.say, row)
			}
			output[row] = true
		}
		if w.helpText() == "" {
			t.Errorf("%s has no help", w.say)
		}
	}
	for _, id := range pageIDs() {
		output["everywhere/go."+string(id)] = true
	}
	for row, word := range inQuestions() {
		if !rows[row] || !heard(t, word) {
			t.Errorf("%s, for %s, is typed in no file of testdata", word, row)
		}
		output[row] = true
	}
	reasons := notInWords()
	for row := range rows {
		place, id, _ := strings.Cut(row, "/")
		if reasons[row] == "" && reasons["*/"+id] == "" && !output[row] {
			t.Errorf("%s of %s has neither a word nor a reason", action.ID(id), place)
		}
	}
}

// heard reports whether a word is typed in a session that has a golden file.
func heard(t *testing.T, word string) bool {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	uitest.Must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		uitest.Must(t, err)
		if strings.Contains(string(text), " > "+word) {
			return true
		}
	}
	return false
}
