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

const topicAside = "aside"

// aside makes what is half typed in a form a draft before anything else takes its place.
type aside struct {
	keeper Keeper
	tasks  *screen.Tasks
	form   *form
	next   filling // waits until what is typed is kept
}

// filling is what a form is to be filled with in place of what is typed.
type filling struct {
	text Form
	origin
	link  bool // it was pasted into the recipient's field, which has nothing else in it
	typed Form // that is being kept
}

// kept is what was saved as a draft.
type kept struct {
	number int64
	typed  Form
}

// replace fills the form with something else. What is half typed becomes a draft before; where it cannot be one, it stays.
func (a *aside) replace(env screen.Env, with filling) tea.Cmd {
	old, of := a.form.typed(), a.form.origin
	if with.link {
		old.To, of.given.To = "", ""
	}
	_, secret := a.form.holdsKey()
	switch half := of.half(old); {
	case !half && of.kept:
		return a.putAndSay(env, with)
	case !half:
		return a.put(env, with)
	case secret:
		return stays("it holds a private key, which no draft keeps")
	}
	return a.keep(env, with)
}

// keep has what is typed saved before the form is filled.
func (a *aside) keep(env screen.Env, with filling) tea.Cmd {
	with.typed = a.form.typed()
	account, req := unsent(a.form, env)
	if with.link {
		req.To = ""
	}
	instead := a.form.draftOf(with.typed)
	if with.link || with.draft == instead { // that draft is to be there unchanged
		instead = 0
	}
	a.next = with
	return a.tasks.Start(env, topicAside, askLimit, func(ctx context.Context) (any, error) {
		number, err := Save(ctx, a.keeper, account, req, instead)
		return kept{number, with.typed}, err
	})
}

// stays shows why the form is not filled with something else.
func stays(why string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Of: screen.Send,
		Line: canvas.Text("What is typed here stays: " + why + "; ctrl+x clears it")})
}

// put fills the form, and asks for what that names.
func (a *aside) put(env screen.Env, with filling) tea.Cmd {
	f := a.form
	f.fill(with.text)
	f.origin, f.fault, f.pick, f.typing = with.origin, "", list.Cursor{}, true
	if !with.link {
		f.focus = fieldTo
	}
	return tea.Batch(f.look(env), f.lookAsset(env))
}

// kept fills the form with what waited for that, now that what was typed is a draft.
func (a *aside) kept(env screen.Env, msg screen.Result) tea.Cmd {
	with, f := a.next, a.form
	if msg.Err != nil {
		what, _ := advice.Of(msg.Err)
		return stays("it cannot be kept as a draft: " + what)
	}
	if k := msg.Body.(kept); f.typed() != k.typed { // on, meanwhile
		f.draft, f.given = k.number, k.typed
		return a.replace(env, with)
	}
	return a.putAndSay(env, with)
}

// putAndSay fills the form and says that what was typed in it is a draft.
func (a *aside) putAndSay(env screen.Env, with filling) tea.Cmd {
	of := a.form.ofOther(env)
	said := "What you had typed is kept as a draft" + of
	if of == "" {
		said += ": esc, then d, on Send shows it" // which may have been left meanwhile
	}
	toast := screen.Toast{Urgent: true, Here: true, Line: canvas.In(theme.OK, theme.SignDone+" "+said)}
	return tea.Batch(a.put(env, with), screen.Request(toast))
}

// takeAsset types an asset. The rest stays, unless that is a payment of another one.
func (a *aside) takeAsset(env screen.Env, symbol string) tea.Cmd {
	f := a.form
	if f.text(fieldAmount) != "" && !strings.EqualFold(f.text(fieldAsset), symbol) {
		return a.replace(env, filling{text: Form{Asset: symbol}})
	}
	f.fields[fieldAsset].Set(symbol)
	f.focus, f.typing, f.fault = fieldTo, true, ""
	return f.lookAsset(env)
}
