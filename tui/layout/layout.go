// Package layout decides what goes where: pure functions from the size of the terminal to rectangles. It draws nothing and knows no
// content.
//
// It promises that the bands fill the terminal exactly and never overlap. What does not fit is left out in the order of the design;
// amounts, accounts, warnings and the mode chip are never left out.
package layout

// Class is the width class that decides how much a band says.
type Class int

// The classes by columns.
const (
	Tiny   Class = iota // 40–59
	Narrow              // 60–79
	Home                // 80–99, the size everything is designed for
	Full                // 100–119
	Wide                // 120 and more
)

// The smallest terminal that gets more than a notice.
const (
	MinColumns = 40
	MinRows    = 12
)

// Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Empty reports whether there is no room.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Bands are the six bands of a page. A band without room is empty.
type Bands struct {
	Class                                     Class
	TooSmall                                  bool
	Header, Nav, Banner, Body, Hints, StatusB Rect
}

// ClassOf returns the width class.
func ClassOf(w int) Class {
	switch {
	case w >= 120:
		return Wide
	case w >= 100:
		return Full
	case w >= 80:
		return Home
	case w >= 60:
		return Narrow
	}
	return Tiny
}

// Page divides a terminal of w by h cells. banner means that the banner takes one row from the body.
func Page(w, h int, banner bool) Bands {
	b := Bands{Class: ClassOf(w)}
	if w < MinColumns || h < MinRows {
		b.TooSmall = true
		return b
	}
	top, bottom := 0, h
	row := func(take bool) Rect {
		if !take {
			return Rect{}
		}
		top++
		return Rect{0, top - 1, w, 1}
	}
	b.Header = row(true)
	b.Nav = row(h >= 24 && b.Class > Tiny)
	b.Banner = row(banner)
	bottom--
	b.StatusB = Rect{0, bottom, w, 1}
	if h >= 16 {
		bottom--
		b.Hints = Rect{0, bottom, w, 1}
	}
	b.Body = Rect{0, top, w, bottom - top}
	return b
}

// HomePanels are the panels of the home page; without room for all, one is shown at a time. Chart and Side are empty if they have no
// room.
type HomePanels struct {
	Single                                           bool
	Accounts, Balances, Chart, Pending, Recent, Side Rect
}

// The rows that a chart needs, frame included, the rows of a body that has room for it, and the columns of a page with panels beside
// the recent rows.
const (
	chartLeast = 8
	chartBody  = 25
	sideBody   = 132
)

// HomeCharts reports whether the home page has a chart beside the pending payments.
func HomeCharts(h int, class Class) bool { return class >= Full && h >= chartBody }

// HomeScreen divides a body. balances and pending are the rows that these panels would like to show, without frames.
func HomeScreen(w, h int, class Class, balances, pending int) HomePanels {
	if class == Tiny {
		return stacked(w, h, balances, pending)
	}
	if class == Narrow || h < 16 {
		if p := stackedWhole(w, h, balances, pending); !p.Balances.Empty() {
			return p
		}
		return HomePanels{Single: true, Accounts: Rect{0, 0, w, h}, Balances: Rect{0, 0, w, h},
			Pending: Rect{0, 0, w, h}, Recent: Rect{0, 0, w, h}}
	}
	top := min(max(balances+3, 6), h*2/5)
	mid := min(max(pending, 1)+2, h/4)
	if HomeCharts(h, class) {
		mid = max(mid, chartLeast, h/5)
		top = min(top, h/3)
	}
	p := HomePanels{Balances: Rect{0, 0, w, top}, Pending: Rect{0, top, w, mid}, Recent: Rect{0, top + mid, w, h - top - mid}}
	if class >= Full {
		p.Accounts = Rect{0, 0, 28, top}
		if class == Wide {
			p.Accounts.W = 36
		}
		p.Balances.X, p.Balances.W = p.Accounts.W, w-p.Accounts.W
	}
	if HomeCharts(h, class) {
		chart := w * 46 / 100
		p.Chart = Rect{0, top, chart, mid}
		p.Pending.X, p.Pending.W = chart, w-chart
	}
	if w >= sideBody && p.Recent.H >= 12 {
		side := min(max(w/4, 36), 60)
		p.Recent.W -= side
		p.Side = Rect{p.Recent.W, p.Recent.Y, side, p.Recent.H}
	}
	return p
}

// stackedWhole puts the panels below each other if the first two can be shown whole and some rows are left for the third; else all
// panels are empty.
func stackedWhole(w, h, balances, pending int) HomePanels {
	top, mid := balances+3, max(pending, 1)+2
	rest := h - top - mid
	if rest < 4 {
		return HomePanels{}
	}
	return HomePanels{Balances: Rect{0, 0, w, top}, Pending: Rect{0, top, w, mid}, Recent: Rect{0, top + mid, w, rest}}
}

// stacked puts the panels below each other, each with one row for its title; there, @ leads to the accounts.
func stacked(w, h, balances, pending int) HomePanels {
	top := min(balances+1, max(h/2, 2))
	mid := min(max(pending, 1)+1, max(h/3, 2))
	rest := max(h-top-mid, 0)
	return HomePanels{Balances: Rect{0, 0, w, top}, Pending: Rect{0, top, w, mid}, Recent: Rect{0, top + mid, w, rest}}
}

// HistoryPanels are the list and its detail; Detail is empty if it opens as a page of its own.
type HistoryPanels struct{ Filter, List, Detail Rect }

// The least widths of the list and of the detail beside it, and the most that the detail gets: the list then has all columns, and the
// detail has room for a whole amount and for a transaction id in two halves.
const (
	leastList   = 108
	leastDetail = 31
	maxDetail   = 44
)

// HistoryScreen divides a body: side by side if both have room, else the list above the detail.
func HistoryScreen(w, h int, class Class, filter, detail bool) HistoryPanels {
	var p HistoryPanels
	top := 0
	if filter {
		p.Filter, top = Rect{0, 0, w, 1}, 1
	}
	p.List = Rect{0, top, w, h - top}
	switch {
	case !detail || class <= Narrow || h < 19:
	case w >= leastList+leastDetail:
		side := min(maxDetail, w-leastList)
		p.List.W = w - side
		p.Detail = Rect{w - side, top, side, h - top}
	default:
		d := 8
		if h >= 26 {
			d = 10
		}
		p.List.H -= d
		p.Detail = Rect{0, top + p.List.H, w, d}
	}
	return p
}

// Popup centres a pop-up of at most w by h cells over a body: at most 96 columns wide and two rows less high than the body; a small
// terminal is filled.
func Popup(body Rect, w, h int, class Class) Rect {
	if class < Home || body.H < 18 {
		return body
	}
	w, h = min(w, 96, body.W-4), min(h, body.H-2)
	return Rect{body.X + (body.W-w)/2, body.Y + (body.H-h)/2, w, h}
}

// ReceivePanels are the code, the request and the incoming payments. Scan is empty if the code has no room; Single means that
// request and payments are shown one at a time.
type ReceivePanels struct {
	Single                  bool
	Scan, Request, Incoming Rect
}

// The least that the panels beside and below the code need to be useful, frames included.
const (
	requestColumns = 42
	requestRows    = 13
	incomingRows   = 5
)

// ReceiveScreen divides a body; the code takes codeW by codeH cells.
func ReceiveScreen(w, h int, class Class, codeW, codeH int) ReceivePanels {
	if class <= Narrow || h < requestRows+incomingRows {
		if h < requestRows+incomingRows {
			return ReceivePanels{Single: true, Request: Rect{0, 0, w, h}, Incoming: Rect{0, 0, w, h}}
		}
		return ReceivePanels{Request: Rect{0, 0, w, requestRows}, Incoming: Rect{0, requestRows, w, h - requestRows}}
	}
	scanW, top := codeW+4, max(codeH+2, requestRows)
	if w-scanW < requestColumns || h-top < incomingRows {
		return ReceivePanels{Request: Rect{0, 0, w, requestRows}, Incoming: Rect{0, requestRows, w, h - requestRows}}
	}
	scanW = max(scanW, min(w*2/5, w-requestColumns))
	return ReceivePanels{Scan: Rect{0, 0, scanW, top}, Request: Rect{scanW, 0, w - scanW, top}, Incoming: Rect{0, top, w, h - top}}
}

// NodePanels are the daemons, what the chain reports about itself, the round trips and the log. Chain and Trips are empty if they
// have no room; Single means that daemons and log are shown one at a time.
type NodePanels struct {
	Single                  bool
	Pool, Chain, Trips, Log Rect
}

// The rows that the panels of the chain and of the log need, frames included.
const (
	chainRows = 7
	logRows   = 5
)

// NodeScreen divides a body; rows is the number of lines that the daemons would like to show, without the frame.
func NodeScreen(w, h int, class Class, rows int) NodePanels {
	if class <= Narrow || h < chainRows+logRows {
		p := NodePanels{Single: true, Pool: Rect{0, 0, w, h}, Log: Rect{0, 0, w, h}}
		if top := rows + 2; h-top >= chainRows { // the chain is shown with the nodes, not with the log
			p.Pool.H, p.Chain = top, Rect{0, top, w, h - top}
		}
		return p
	}
	top := min(rows+2, h-logRows)
	p := NodePanels{Pool: Rect{0, 0, w, top}}
	if h-top >= chainRows+logRows {
		half := w / 2
		p.Chain = Rect{0, top, half, chainRows}
		p.Trips = Rect{half, top, w - half, chainRows}
		top += chainRows
	}
	p.Log = Rect{0, top, w, h - top}
	return p
}

// AssetPanels are the assets, the one in focus, and the tokens. Single means that assets and tokens are shown one at a time; Detail
// is empty if it has no room.
type AssetPanels struct {
	Single               bool
	List, Detail, Tokens Rect
}

// The rows that the list and the detail of an asset need, frames included.
const (
	assetListRows = 6
	detailRows    = 9
)

// AssetScreen divides a body; tokens is the number of rows that the tokens would like to show.
func AssetScreen(w, h int, class Class, tokens int) AssetPanels {
	switch {
	case class >= Full && h >= detailRows+assetListRows:
		side := min(44, w/3)
		top := max(detailRows, h/2)
		return AssetPanels{List: Rect{0, 0, side, h}, Detail: Rect{side, 0, w - side, top}, Tokens: Rect{side, top, w - side, h - top}}
	case class >= Home && h >= detailRows+2*assetListRows-2:
		list := h - detailRows - max(min(tokens+2, (h-detailRows)/2), 3)
		return AssetPanels{List: Rect{0, 0, w, list}, Detail: Rect{0, list, w, detailRows},
			Tokens: Rect{0, list + detailRows, w, h - list - detailRows}}
	case h >= detailRows+assetListRows:
		list := h - detailRows
		return AssetPanels{Single: true, List: Rect{0, 0, w, list}, Tokens: Rect{0, 0, w, list}, Detail: Rect{0, list, w, detailRows}}
	}
	return AssetPanels{Single: true, List: Rect{0, 0, w, h}, Tokens: Rect{0, 0, w, h}}
}

// SignPanels are the proposals and the one in focus; Single means that they are shown one at a time.
type SignPanels struct {
	Single       bool
	List, Detail Rect
}

// SignScreen divides a body; rows is the number of lines that the list would like to show, frame included.
func SignScreen(w, h int, class Class, rows int) SignPanels {
	const least, detail = 5, 9
	if class <= Narrow || h < least+detail {
		return SignPanels{Single: true, List: Rect{0, 0, w, h}, Detail: Rect{0, 0, w, h}}
	}
	list := max(min(rows, h/2, h-detail), least)
	return SignPanels{List: Rect{0, 0, w, list}, Detail: Rect{0, list, w, h - list}}
}

// ContactPanels are the list and the contact in focus; Detail is empty if it has no room and opens as a page of its own.
type ContactPanels struct{ List, Detail Rect }

// The rows that the list of contacts and the detail of one need, frames included.
const (
	contactListRows   = 6
	contactDetailRows = 9
)

// ContactScreen divides a body: side by side if it is wide, else the list above the detail. rows is the number of rows in the list.
func ContactScreen(w, h int, class Class, rows int) ContactPanels {
	switch {
	case class == Wide && h >= contactDetailRows:
		side := min(max(w-68, 60), 100)
		return ContactPanels{List: Rect{0, 0, w - side, h}, Detail: Rect{w - side, 0, side, h}}
	case class >= Home && h >= contactListRows+contactDetailRows:
		list := min(max(rows+5, contactListRows), h-contactDetailRows)
		if h-list > 14 {
			list = h - 14
		}
		return ContactPanels{List: Rect{0, 0, w, list}, Detail: Rect{0, list, w, h - list}}
	}
	return ContactPanels{List: Rect{0, 0, w, h}}
}

// KeyPanels are the accounts, the roles of the one in focus, and the tree of who can sign. Single means that they are shown one at a
// time.
type KeyPanels struct {
	Single                bool
	Accounts, Roles, Tree Rect
}

// The rows that the roles and the tree need, frames included, and the columns of the accounts.
const (
	rolesRows       = 9
	treeRows        = 7
	accountsColumns = 28
)

// KeyScreen divides a body; tree means that the tree is shown.
func KeyScreen(w, h int, class Class, tree bool) KeyPanels {
	if class < Home || h < rolesRows+treeRows {
		return KeyPanels{Single: true, Accounts: Rect{0, 0, w, h}, Roles: Rect{0, 0, w, h}, Tree: Rect{0, 0, w, h}}
	}
	side := accountsColumns
	if class >= Full {
		side = min(w/3, 44)
	}
	p := KeyPanels{Accounts: Rect{0, 0, side, h}, Roles: Rect{side, 0, w - side, h}}
	if tree {
		top := min(max(h/2, rolesRows+4), h-treeRows)
		p.Accounts.H, p.Roles.H = top, top
		p.Tree = Rect{0, top, w, h - top}
	}
	return p
}

// SettingPanels are the settings and the one in focus; Detail is empty if it has no room.
type SettingPanels struct{ List, Detail Rect }

// SettingScreen divides a body: side by side if it is wide, else the list above the detail.
func SettingScreen(w, h int, class Class) SettingPanels {
	const detail = 11
	switch {
	case class == Wide:
		side := w / 2
		return SettingPanels{List: Rect{0, 0, w - side, h}, Detail: Rect{w - side, 0, side, h}}
	case class >= Home && h >= detail+8:
		return SettingPanels{List: Rect{0, 0, w, h - detail}, Detail: Rect{0, h - detail, w, detail}}
	}
	return SettingPanels{List: Rect{0, 0, w, h}}
}

// MessagePanels are the conversations and the one in focus; Single means that they are shown one at a time.
type MessagePanels struct {
	Single     bool
	List, Talk Rect
}

// MessageScreen divides a body: side by side from 100 columns on.
func MessageScreen(w, h int, class Class) MessagePanels {
	if class < Full {
		return MessagePanels{Single: true, List: Rect{0, 0, w, h}, Talk: Rect{0, 0, w, h}}
	}
	side := min(max(w/4, 32), 48)
	return MessagePanels{List: Rect{0, 0, side, h}, Talk: Rect{side, 0, w - side, h}}
}

// RPCPanels are the listeners, the clients, the queue of approvals, the calls and the tokens. Single means that they are shown one
// at a time; Clients and Tokens share one place if they are the same rectangle.
type RPCPanels struct {
	Single                                   bool
	Listeners, Clients, Queue, Calls, Tokens Rect
}

// The rows that the calls and the queue need, frames included.
const (
	callRows  = 5
	queueRows = 3
)

// RPCScreen divides a body; listeners, queue and tokens are how many rows these panels would like to show.
func RPCScreen(w, h int, class Class, listeners, queue, tokens int) RPCPanels {
	whole := Rect{0, 0, w, h}
	if class < Home || h < 3+queueRows+callRows+queueRows+2 {
		return RPCPanels{Single: true, Listeners: whole, Clients: whole, Queue: whole, Calls: whole, Tokens: whole}
	}
	top := min(listeners+2, max(h/3, 3))
	if class == Full { // half as wide: sentences break
		top = min(top+2, max(h/3, 3))
	}
	q := max(min(queue+2, h/4), queueRows)
	t := max(min(tokens+2, h/4), queueRows+2)
	p := RPCPanels{Listeners: Rect{0, 0, w, top}, Queue: Rect{0, top, w, q}, Calls: Rect{0, top + q, w, h - top - q - t},
		Tokens: Rect{0, h - t, w, t}}
	if p.Clients = p.Tokens; class >= Full {
		p.Listeners.W = max(w/2, 52)
		p.Clients = Rect{p.Listeners.W, 0, w - p.Listeners.W, top}
	}
	return p
}
