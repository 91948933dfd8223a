package content

import (
	"context"
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doBuy     action.ID = "content.buy"
	doExtract action.ID = "content.extract"
	doPublish action.ID = "content.publish"
	doSearch  action.ID = "content.search"
	doList    action.ID = "content.list"
	doFetch   action.ID = "content.fetch"
	doRemove  action.ID = "content.remove"
	doSign    action.ID = "content.sign"
)

// Places returns the page's keys: the usual ones, those while the search has the keyboard, and those of a review.
func Places() []action.Place {
	return []action.Place{
		{ID: "content", Title: "Content", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "show all about the row in focus; again: back", Hint: 1},
			{ID: doBuy, Keys: []string{"b"}, Word: "buy…", Help: "buy what is in focus: opens the review", Hint: 2},
			{ID: doExtract, Keys: []string{"e"}, Word: "extract…", Help: "extract what was bought into a new folder", Hint: 3},
			{ID: doPublish, Keys: []string{"n"}, Word: "publish…", Help: "publish a folder or a file", Hint: 4},
			{ID: doSearch, Keys: []string{"/"}, Word: "search", Help: "search what is offered", Hint: 5},
			{ID: doList, Keys: []string{"o"}, Word: "list", Help: "list: on offer, bought, published, under way; ← → as well", Hint: 6},
			{ID: doFetch, Keys: []string{"d"}, Help: "download again what was bought"},
			{ID: doRemove, Keys: []string{"x"}, Word: "withdraw…", Help: "take what you published off sale; end or forget a task…", Hint: 7},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to the list; clear the search; back", Typing: true},
		}},
		{ID: "content.type", Title: "Content, searching", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "search", Help: "search, and go to the rows", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "all", Help: "all that is offered again", Hint: 2, Typing: true},
		}},
		{ID: "content.review", Title: "Publication", Modal: true, Actions: append([]action.Action{
			{ID: doSign, Keys: []string{"S"}, Word: "publish", Help: "pack, upload, sign and submit, in the background", Hint: 1, Money: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, sign nothing", Hint: 2, Typing: true},
		}, review.Keys(false)...)},
		{ID: "content.review.type", Title: "Publication, typing", Modal: true, Actions: append([]action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "back", Help: "back to the form, sign nothing", Hint: 1, Typing: true},
		}, review.Keys(true)...)},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	i, there := m.focused()
	own := m.which == Published && i.Open
	switch {
	case m.plan != nil && do == doSign:
		return m.review.Blocked(env)
	case !there && (do == "enter" || do == doBuy || do == doExtract || do == doFetch || do == doRemove):
		return "there is no row"
	case len(env.Accounts) == 0 && (do == doBuy || do == doPublish):
		return "this wallet has no account yet"
	case !env.Online() && (do == doBuy || do == doPublish || do == doSearch || do == doFetch || do == doRemove && own):
		return env.NoNode()
	case do == doBuy:
		return i.WhyNotBuy()
	case do == doExtract:
		return i.WhyNotExtract()
	case do == doFetch && (i.Buying == nil || i.Here):
		return "only what was bought, and is not here, is downloaded"
	case do == doRemove && i.Task == "" && !own:
		return "only what you offer can be withdrawn, and a task be ended"
	}
	return ""
}

// Word implements screen.Worder.
func (m *Model) Word(_ screen.Env, do action.ID) string {
	switch {
	case do == "enter" && m.whole:
		return "back to the list"
	case do == doRemove && m.which == UnderWay:
		return "end…"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.plan != nil:
		return m.doReview(env, id)
	case m.form.Form != nil:
		return m.form.Do(env, m.form.Form.Do(id))
	case m.typing:
		return m.doTyping(env, id)
	case m.whole && m.scroll(env, id):
		return nil
	case m.cursor().Do(id, len(m.rows())):
		m.top = 0
		return nil
	}
	switch id {
	case "enter":
		_, there := m.focused()
		m.whole, m.top = there && !m.whole, 0
	case "esc":
		return m.back(env)
	case "refresh":
		return m.read(env)
	case doList, "right", "next":
		return m.turn(env, 1)
	case "left", "prev":
		return m.turn(env, -1)
	case doSearch:
		m.which, m.typing, m.whole = OnOffer, true, false
	case doBuy, doExtract, doPublish, doFetch, doRemove:
		return m.perform(env, id)
	}
	return nil
}

// turn goes to another list.
func (m *Model) turn(env screen.Env, by int) tea.Cmd {
	m.which, m.whole, m.top = (m.which+List(by)+lists)%lists, false, 0
	return m.read(env)
}

// scroll scrolls the detail and reports whether the key does that.
func (m *Model) scroll(env screen.Env, id action.ID) bool {
	by, moves := map[action.ID]int{"up": -1, "down": 1, "pgup": -10, "pgdn": 10, "first": -10000, "last": 10000}[id]
	if i, there := m.focused(); there && moves {
		m.top = max(min(m.top+by, len(detailLines(env, i, max(env.W-6, 8)))-env.H+2), 0)
	}
	return moves
}

// back closes the detail, then clears the search, then leaves.
func (m *Model) back(env screen.Env) tea.Cmd {
	switch {
	case m.whole:
		m.whole = false
	case m.which == OnOffer && !m.search.Empty():
		m.search.Set("")
		return m.read(env)
	default:
		return screen.Request(screen.Back{})
	}
	return nil
}

func (m *Model) doTyping(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "enter":
		m.typing = false
		return m.read(env)
	case "clear":
		m.search.Set("")
	case "esc":
		m.typing = false
		m.search.Set("")
		return m.read(env)
	}
	return nil
}

// perform does what needs a row, a node or an unlocked wallet.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	i, _ := m.focused()
	if !env.Unlocked() && (id != doRemove || i.Task == "") && id != doFetch {
		return screen.Request(screen.NeedUnlock{})
	}
	by, core := env.Account, m.core
	switch id {
	case doBuy:
		m.openBuy(env, i)
	case doExtract:
		m.openExtract(i)
	case doPublish:
		m.openPublish(env)
	case doFetch:
		return m.tasks.Start(env, topicFetch, readLimit, func(ctx context.Context) (any, error) { return nil, core.Fetch(ctx, i.URI) })
	case doRemove:
		if i.Task != "" {
			m.openCancel(i)
			return nil
		}
		return m.tasks.Start(env, topicBuild, screen.BuildLimit, func(ctx context.Context) (any, error) { return core.Withdraw(ctx, by, i.URI) })
	}
	return nil
}

// openBuy opens the form for the region at whose price is bought.
func (m *Model) openBuy(env screen.Env, i Item) {
	by, core := env.Account, m.core
	form := &ask.Form{Title: "Buy content", Word: "review", Keep: true,
		Text: []canvas.Line{format.Quote(i.Title, 60), canvas.In(theme.Muted, "The ledger holds the price until its key is delivered, and gives it back after a day."),
			canvas.In(theme.Muted, "It downloads by itself; e extracts it then.")},
		Fields: []ask.Field{{Label: "Region", Input: field.New("")}},
		Note: func(int, bool) canvas.Line {
			return canvas.In(theme.Muted, "empty, default, or a country such as AT")
		},
	}
	m.form.Open(form, "Building", func(ctx context.Context, values []string) (any, error) {
		region := strings.TrimSpace(values[0])
		if region != "default" {
			region = strings.ToUpper(region)
		}
		return core.Buy(ctx, by, i.URI, region)
	})
}

func (m *Model) openExtract(i Item) {
	core := m.core
	form := &ask.Form{Title: "Extract content", Word: "extract", Keep: true,
		Text:   []canvas.Line{format.Quote(i.Title, 60), canvas.In(theme.Muted, "The folder is new or empty; it gets all of the content, or nothing.")},
		Fields: []ask.Field{{Label: "Folder", Input: field.New(i.FolderFor())}},
		Missing: func(values []string) string {
			if strings.TrimSpace(values[0]) == "" {
				return "name the folder"
			}
			return ""
		}}
	m.doneText = "Extracted"
	m.form.Open(form, "Extracting", func(ctx context.Context, values []string) (any, error) {
		return nil, core.Extract(ctx, i.Buying, i.Hash, i.Quorum, screen.Path(values[0]))
	})
}

func (m *Model) openCancel(i Item) {
	core := m.core
	form := &ask.Form{Title: "End a task", Word: "end it", Delete: true,
		Text: []canvas.Line{format.Quote(i.Title, 60), canvas.Text("What is left of it is removed. What was sent to the ledger stays sent.")}}
	m.doneText = "The task is gone"
	m.form.Open(form, "Ending it", func(context.Context, []string) (any, error) { return nil, core.Cancel(i.Task) })
}

// newPublication returns the form in which nothing is typed yet.
func newPublication() *ask.Form {
	form := &ask.Form{Title: "Publish", Word: "review", Keep: true}
	fields := Fields()
	for _, f := range fields {
		form.Fields = append(form.Fields, ask.Field{Label: f.Label, Input: field.New(f.Value), Check: f.Check})
	}
	form.Note = func(n int, live bool) canvas.Line {
		if !live {
			return nil
		}
		return canvas.In(theme.Muted, fields[n].Hint)
	}
	return form
}

// openPublish opens the form of a publication, as it was left.
func (m *Model) openPublish(env screen.Env) {
	by, core := env.Account, m.core
	if m.publication == nil {
		m.publication = newPublication()
	}
	m.publication.Text = []canvas.Line{
		canvas.Join(canvas.In(theme.Muted, "As "), format.Account(by), canvas.In(theme.Muted, ". Nothing is packed or uploaded before the review."))}
	m.publication.Fault = ""
	m.form.Open(m.publication, "Checking", func(ctx context.Context, values []string) (any, error) {
		d, err := Read(values)
		if err != nil {
			return nil, err
		}
		return core.Plan(ctx, by, d)
	})
}

// showPlan shows the review of a publication in front of its form.
func (m *Model) showPlan(env screen.Env, p Plan) tea.Cmd {
	m.form.Form.Busy = ""
	m.plan = p
	m.review = review.New(env, p.Review(), review.Prompt{Key: "S", Word: "Publish", Back: "Back, sign nothing",
		Intro: "This is offered, at the most that it can cost. Its address, hash and custody data follow from the bytes.",
		Life:  "signed once it is uploaded"})
	return m.review.Wake()
}

func (m *Model) doReview(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "esc":
		if m.review.Raw() {
			return m.review.Do(env, "review.raw")
		}
		m.plan = nil
		return nil
	case doSign:
		if why := m.review.Blocked(env); why != "" {
			switch {
			case !m.review.Ready(env):
				return nil
			case !env.Unlocked():
				return screen.Request(screen.NeedUnlock{})
			}
			return screen.Request(screen.Toast{Line: canvas.Text("S is off: " + why)})
		}
		p := m.plan
		return m.tasks.Start(env, topicPublish, readLimit, func(ctx context.Context) (any, error) { return nil, p.Publish(ctx) })
	}
	return m.review.Do(env, id)
}

// typeKey types into the form, the search or the review.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case m.plan != nil:
		return m.review.Text(env, k)
	case m.form.Form != nil:
		m.form.Form.Type(k)
	case m.typing:
		m.search.Key(k)
	}
	return nil
}

// isLocked reports whether something waits for the wallet to be unlocked.
func isLocked(err error) bool { return fault.CodeOf(err) == fault.Locked }
