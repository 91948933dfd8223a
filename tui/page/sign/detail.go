package sign

import (
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/overlay/card"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"
)

func (m *Model) drawDetail(env screen.Env, a canvas.Area) {
	state := "built operation · v json"
	if m.asJSON {
		state = "json · v words"
	}
	if _, there := m.focused(); !there {
		state = ""
	}
	lines, foot := m.detailLines(env, m.detailWidth(env)), "a approve · d withdraw · u x-ray"
	p := panel.Panel{ID: panelDetail, Focus: m.focus == panelDetail, Title: canvas.Text("Detail"),
		State: canvas.In(theme.Muted, state), Foot: foot}
	in := p.Draw(env, a)
	top := max(min(m.scrolled, len(lines)-in.H), 0)
	for i := top; i < min(top+in.H, len(lines)); i++ {
		in.Put(2, i-top, lines[i])
	}
	list.Scroll(in, top, in.H, len(lines))
}

// detailLines returns all lines of the detail.
func (m *Model) detailLines(env screen.Env, w int) []canvas.Line {
	p, there := m.focused()
	if !there {
		return nil
	}
	d := &detail{env: env, p: p, w: max(w, 10), tree: m.tree}
	if m.asJSON {
		d.putJSON()
		return d.out
	}
	d.putHead()
	d.put(canvas.Bold(theme.Text, effectText(env, p)))
	d.putOperations()
	d.putNeeds()
	return d.out
}

// detail collects the lines of a proposal.
type detail struct {
	env  screen.Env
	p    proposal.Proposal
	w    int
	tree bool
	out  []canvas.Line
}

func (d *detail) put(l canvas.Line) { d.out = append(d.out, l.Wrap(d.w)...) }

func (d *detail) putHead() {
	review := "review period none"
	if t := d.p.ReviewPeriodTime; t != nil {
		review = "review period from " + d.env.Times().Stamp(*t)
	}
	d.put(canvas.Join(canvas.Bold(theme.Text, d.p.ID.String()),
		canvas.In(theme.Muted, "   ends "+d.env.Times().Stamp(d.p.ExpirationTime)+" · "+review)))
}

// putOperations puts each operation as a review shows it, the gravest first.
func (d *detail) putOperations() {
	for _, i := range txbuild.Gravest(d.p.Operations) {
		op := d.p.Operations[i]
		d.out = append(d.out, nil)
		d.put(canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("Operation %d of %d   ", i+1, len(d.p.Operations))),
			canvas.Bold(theme.Text, format.Clean(op.Operation))))
		d.out = append(d.out, review.Describe(d.env, op, d.w)...)
	}
}

// putNeeds puts whose authority is needed, who has approved and who can.
func (d *detail) putNeeds() {
	for _, n := range d.p.Needs {
		d.out = append(d.out, nil)
		d.put(canvas.Join(canvas.Text("Needs "+n.Role+" of "), format.Account(n.Account),
			canvas.Text(fmt.Sprintf(", threshold %d: ", n.Threshold)), metText(n)))
		d.putParties(n.Parties, 1)
	}
}

func metText(n proposal.Need) canvas.Line {
	if n.Met {
		return canvas.In(theme.OK, theme.SignDone+" approved")
	}
	return canvas.In(theme.Pending, fmt.Sprintf("%d approved", n.Weight))
}

func (d *detail) putParties(all []proposal.Party, level int) {
	indent := strings.Repeat("  ", level)
	for _, p := range all {
		sign, says := partyState(p)
		who := canvas.Text(p.Key.String())
		if !p.IsKey {
			who = format.Account(p.Account)
		}
		head := canvas.Join(canvas.Text(indent), sign, canvas.Text(" "), who.Pad(24))
		rest := canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("  weight %d   ", p.Weight)), canvas.Text(says))
		if whole := canvas.Join(head, rest); whole.Width() <= d.w {
			d.put(whole)
		} else {
			d.put(head)
			d.put(canvas.Join(canvas.Text(indent), rest))
		}
		if d.tree {
			d.putParties(p.Members, level+1)
		}
	}
}

// partyState returns the sign of a signer and in words whether it approved, or can from here.
func partyState(p proposal.Party) (sign canvas.Line, says string) {
	switch {
	case p.Approved:
		return canvas.In(theme.OK, theme.SignDone), "approved"
	case p.Yours && p.IsKey:
		return canvas.Bold(theme.Warn, theme.SignOff), "your key is here"
	case p.Yours:
		return canvas.Bold(theme.Warn, theme.SignOff), "yours, its keys are here"
	}
	return canvas.In(theme.Muted, theme.SignOff), ""
}

// putJSON puts the proposed operations as JSON.
func (d *detail) putJSON() {
	for _, op := range d.p.Operations {
		for _, text := range strings.Split(op.JSON, "\n") {
			bare := strings.TrimLeft(text, " ")
			indent := min(len(text)-len(bare), d.w/2)
			for _, l := range canvas.Text(format.Clean(bare)).Wrap(max(d.w-indent, 2)) {
				d.out = append(d.out, canvas.Join(canvas.Text(strings.Repeat(" ", indent)), l))
			}
		}
	}
}

// Rows returns the proposal row by row, the names of accounts with their cards.
func Rows(env screen.Env, p proposal.Proposal) []card.Row {
	rows := []card.Row{{Label: "Proposal", Line: canvas.Text(p.ID.String())},
		{Label: "Ends", Line: canvas.Text(env.Times().Stamp(p.ExpirationTime) + ", in " + TimeLeft(env, p))}}
	if t := p.ReviewPeriodTime; t != nil {
		rows = append(rows, card.Row{Label: "Review from", Line: canvas.Text(env.Times().Stamp(*t))})
	}
	rows = append(rows, card.Row{Line: canvas.Bold(theme.Text, effectText(env, p))})
	for _, i := range txbuild.Gravest(p.Operations) {
		op := p.Operations[i]
		rows = append(rows, card.Row{Label: "Operation", Line: canvas.Bold(theme.Text, format.Clean(op.Operation))})
		for _, r := range review.RowsOf(env, op) {
			rows = append(rows, card.Row{Label: strings.TrimSpace(r.Label), Line: r.Line})
		}
	}
	for _, n := range p.Needs {
		need := card.Named("Needs", n.Account)
		need.Line = canvas.Join(need.Line, canvas.Text(fmt.Sprintf(", %s authority, weight %d of %d: ", n.Role, n.Weight, n.Threshold)), metText(n))
		rows = append(rows, need)
		for _, party := range n.Parties {
			rows = append(rows, partyRow(party))
		}
	}
	return rows
}

// partyRow returns a signer and whether it has approved.
func partyRow(p proposal.Party) card.Row {
	row := card.Row{Line: canvas.Text(p.Key.String())}
	if !p.IsKey {
		row = card.Named("", p.Account)
	}
	sign, says := partyState(p)
	row.Line = canvas.Join(sign, canvas.Text(" "), row.Line, canvas.In(theme.Muted, fmt.Sprintf("  weight %d   ", p.Weight)), canvas.Text(says))
	return row
}
