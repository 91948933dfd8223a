package send

import (
	"context"
	"strings"

	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

const topicReplace = "replace"

// replacer fills the form with something else. What was half typed in it is first saved as a draft.
type replacer struct {
	keeper  Keeper
	tasks   *screen.Tasks
	form    *form
	waiting filling // what the form is filled with once the draft is saved
}

// filling holds what a form is filled with in place of what is typed.
type filling struct {
	text Form
	origin
	link     bool // it is a payment link that was pasted into the field of the recipient, which holds nothing else
	replaced Form // what was typed, and is being saved
}

// savedForm is a form that was saved as a draft.
type savedForm struct {
	number int64
	form   Form
}

// replace fills the form with something else. What is half typed is saved as a draft first; if it cannot be, it stays.
func (r *replacer) replace(env screen.Env, with filling) tea.Cmd {
	old, of := r.form.typed(), r.form.origin
	if with.link {
		old.To, of.filledWith.To = "", ""
	}
	_, secret := r.form.secret()
	switch half := of.isHalfTyped(old); {
	case !half && of.keptSilently:
		return r.fillAndReport(env, with)
	case !half:
		return r.fill(env, with)
	case secret != "":
		return notReplaced("it holds " + secret + ", which no draft keeps")
	}
	return r.saveThenFill(env, with)
}

// saveThenFill starts saving what is typed, before the form is filled.
func (r *replacer) saveThenFill(env screen.Env, with filling) tea.Cmd {
	with.replaced = r.form.typed()
	account, typed := r.form.typedByOwner(env)
	if with.link {
		typed.Request.To = ""
	}
	instead := r.form.draftOf(with.replaced)
	if with.link || with.draft == instead { // that draft must stay as it is
		instead = 0
	}
	r.waiting = with
	return r.tasks.Start(env, topicReplace, readLimit, func(ctx context.Context) (any, error) {
		number, err := Save(ctx, r.keeper, account, typed, instead)
		return savedForm{number, with.replaced}, err
	})
}

// notReplaced shows why the form is not filled with something else.
func notReplaced(why string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Of: screen.Send,
		Line: canvas.Text("What is typed here stays: " + why + "; ctrl+x clears it")})
}

// fill fills the form, and looks up the recipient and the asset.
func (r *replacer) fill(env screen.Env, with filling) tea.Cmd {
	f := r.form
	f.fill(with.text)
	f.origin, f.fault, f.suggestionCursor, f.typing, f.table.refused = with.origin, "", list.Cursor{}, true, nil
	switch {
	case with.link:
	case with.text.To != "" && with.text.Amount == "" && !with.text.Several:
		f.focus = fieldAmount
	default:
		f.focus = fieldTo
	}
	return tea.Batch(f.searchAccounts(env), f.checkAsset(env))
}

// applySaved fills the form with what was waiting, now that what was typed is a draft.
func (r *replacer) applySaved(env screen.Env, msg screen.Result) tea.Cmd {
	with, f := r.waiting, r.form
	if msg.Err != nil {
		what, _ := advice.Of(msg.Err)
		return notReplaced("it cannot be kept as a draft: " + what)
	}
	if k := msg.Body.(savedForm); f.typed() != k.form { // the person typed on meanwhile
		f.draft, f.filledWith = k.number, k.form
		return r.replace(env, with)
	}
	return r.fillAndReport(env, with)
}

// fillAndReport fills the form and shows that what was typed in it is a draft.
func (r *replacer) fillAndReport(env screen.Env, with filling) tea.Cmd {
	of := r.form.otherOwnerText(env)
	said := "What you had typed is kept as a draft" + of
	if of == "" {
		said += ": esc, then d, on Send shows it" // the person may have left the page meanwhile
	}
	toast := screen.Toast{Urgent: true, Here: true, Line: canvas.In(theme.OK, theme.SignDone+" "+said)}
	return tea.Batch(r.fill(env, with), screen.Request(toast))
}

// setAsset sets the asset of a payment. The rest of the form stays, unless it is a payment of another asset or a proposal.
func (r *replacer) setAsset(env screen.Env, symbol string) tea.Cmd {
	f := r.form
	if f.proposes || f.several || f.text(fieldAmount) != "" && !strings.EqualFold(f.text(fieldAsset), symbol) {
		return r.replace(env, filling{text: Form{Asset: symbol}})
	}
	f.fields[fieldAsset].Set(symbol)
	f.focus, f.typing, f.fault = fieldTo, true, ""
	return f.checkAsset(env)
}
