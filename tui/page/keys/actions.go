package keys

import (
	"billfold/tui/action"
)

const (
	doImport     action.ID = "keys.import"
	doFind       action.ID = "keys.find"
	doReveal     action.ID = "keys.reveal"
	doXray       action.ID = "keys.xray"
	doWhatIf     action.ID = "keys.whatif"
	doPassword   action.ID = "keys.password"
	doForget     action.ID = "keys.forget"
	doWatch      action.ID = "keys.watch"
	doRegistered action.ID = "keys.registered"
	doRegister   action.ID = "keys.register"
	doBackUp     action.ID = "keys.backup"
	doCard       action.ID = "keys.card"
	doChange     action.ID = "keys.change"
	doMultisig   action.ID = "keys.multisig"
)

const doReview action.ID = "keys.review"

// planPlace is the place of a planned change in the key table.
const planPlace = "keys.plan"

// Places returns the page's keys, those of a planned change, and those while a private key is on screen.
func Places() []action.Place {
	return []action.Place{
		{ID: "keys", Title: "Keys", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "next panel", Help: "to the roles of the account, then to the x-ray", Hint: 1},
			{ID: doXray, Keys: []string{"u"}, Word: "x-ray", Help: "show, hide the x-ray: who can sign, down to the last key", Hint: 2},
			{ID: doWhatIf, Keys: []string{"t"}, Help: "what if the key or account in focus were here, or not"},
			{ID: doImport, Keys: []string{"i"}, Word: "import", Help: "import a private key or a wallet.json", Hint: 4},
			{ID: doFind, Keys: []string{"f"}, Help: "find the accounts of a public key"},
			{ID: doPassword, Keys: []string{"p"}, Help: "change the wallet's password"},
			{ID: doChange, Keys: []string{"c"}, Word: "change keys", Help: "change keys of the account in focus, through Review…", Hint: 3},
			{ID: doMultisig, Keys: []string{"m"}, Word: "multisig", Help: "who may sign for the account, with weights, through Review…", Hint: 5},
			{ID: doRegister, Keys: []string{"n"}, Help: "register a new account with keys of a recovery phrase…"},
			{ID: doRegistered, Keys: []string{"r"}, Help: "show again what a registrar needs for an account of this wallet"},
			{ID: doWatch, Keys: []string{"w"}, Help: "watch an account whose keys are elsewhere"},
			{ID: doBackUp, Keys: []string{"b"}, Word: "backup", Help: "prove that your paper restores the account", Hint: 6},
			{ID: doCard, Keys: []string{"a"}, Help: "account card of the account in focus"},
			{ID: doReveal, Keys: []string{"e"}, Help: "reveal the private key of the key in focus…"},
			{ID: doForget, Keys: []string{"x"}, Help: "take the account in focus off the list; its keys stay"},
			{ID: "esc", Keys: []string{"esc"}, Help: "end what-if; back", Typing: true},
		}},
		{ID: planPlace, Title: "Who may sign, now and then", Actions: planActions()},
		{ID: "keys.secret", Title: "A private key", Modal: true, Actions: []action.Action{
			{ID: "esc", Keys: []string{"esc", "enter"}, Word: "hide it", Help: "take the private key off the screen", Hint: 1, Typing: true},
		}},
	}
}

// planActions returns the keys while a planned change is shown.
func planActions() []action.Action {
	return []action.Action{
		{ID: doReview, Keys: []string{"enter"}, Word: "review", Help: "build the change and review it; S in there signs it", Hint: 1},
		{ID: doWhatIf, Keys: []string{"t"}, Word: "what if", Help: "what if the key or account in focus were here, or not", Hint: 2},
		{ID: "esc", Keys: []string{"esc"}, Word: "back to the form", Help: "end what-if; back to the form, nothing lost", Hint: 3, Typing: true},
	}
}
