package contentrun

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

// maxListed is the number of rows that the node is asked for.
const maxListed = 100

// listed is the result of List.
type listed struct {
	Published []ledger.ContentSummary `json:"published"`
	Bought    []ledgerview.Purchase   `json:"bought"`
	Tasks     []content.Task          `json:"tasks"`
}

// List prints what an account published and bought, and what the wallet is doing about it.
func (r *Run) List(ctx context.Context) error {
	who, err := r.account(ctx)
	if err != nil {
		return err
	}
	var all listed
	if all.Published, err = r.published(ctx, who); err != nil {
		return err
	}
	if all.Bought, err = call[[]ledgerview.Purchase](ctx, r.Wallet, "search_my_purchases", who.ID.String(), "", "-purchased", "0.0.0", maxListed); err != nil {
		return err
	}
	if all.Tasks, err = r.tasks(ctx); err != nil {
		return err
	}
	if r.JSON {
		return r.answer(all, "")
	}
	r.table("published by "+who.Name, r.offerRows(ctx, all.Published))
	rows := [][]string{{"TITLE", "AUTHOR", "STATE", "ADDRESS"}}
	for _, p := range all.Bought {
		rows = append(rows, []string{ledger.ReadSynopsis(p.Synopsis).Title, p.Author, stateOf(p), p.URI})
	}
	r.table("bought by "+who.Name, rows)
	rows = [][]string{{"TASK", "WHAT", "STATE", "ABOUT"}}
	for _, t := range all.Tasks {
		if t.State != content.Done {
			rows = append(rows, []string{t.ID, taskWords(t), stateOfTask(t), aboutTask(t)})
		}
	}
	r.table("under way", rows)
	return nil
}

// published returns what an account published.
func (r *Run) published(ctx context.Context, who account) ([]ledger.ContentSummary, error) {
	var submitted []*ledger.ContentSubmitOp
	err := r.submissions(ctx, who, func(p payment.Info) bool { return !neverHappens(p.State) }, func(_ payment.Info, op *ledger.ContentSubmitOp) bool {
		submitted = append(submitted, op)
		return true
	})
	if err != nil {
		return nil, err
	}
	return content.Published(submitted, func(region string) ([]ledger.ContentSummary, error) { return r.offersOf(ctx, who.Name, "", region) })
}

// Search prints what is offered by anybody.
func (r *Run) Search(ctx context.Context, term, author, region, order string) error {
	region, err := content.ParseRegion(region)
	if err == nil {
		err = checkOrder(order)
	}
	if err != nil {
		return shell.Misuse(err)
	}
	found, err := call[[]ledger.ContentSummary](ctx, r.Wallet, "search_content", term, order, author, region, "0.0.0", "", maxListed)
	if err != nil {
		return err
	}
	if r.JSON {
		return r.answer(found, "")
	}
	r.table("", r.offerRows(ctx, found))
	return nil
}

// checkOrder refuses an order of offers that nodes do not know: they would sort by another one, or find nothing.
func checkOrder(order string) error {
	if order != "" && strings.ContainsRune("+-", rune(order[0])) && slices.Contains([]string{"author", "rating", "size", "price", "created", "expiration"}, order[1:]) {
		return nil
	}
	return fmt.Errorf("--order: %q is no order; write + or - and author, rating, size, price, created or expiration, such as -created", order)
}

// Cancel ends a task, or forgets one that failed. What is done, or is no task but an offer, is refused with what has become of it.
func (r *Run) Cancel(ctx context.Context, id string) error {
	tasks, err := r.tasks(ctx)
	if err != nil {
		return err
	}
	uri := ""
	i := slices.IndexFunc(tasks, func(t content.Task) bool { return t.ID == id })
	if i >= 0 && tasks[i].Kind == content.Publishing && tasks[i].State == content.Done {
		uri = tasks[i].URI
	} else if i < 0 {
		uri = id // or a task that is forgotten
	}
	if uri != "" {
		return r.over(ctx, uri)
	}
	if _, err := call[json.RawMessage](ctx, r.Wallet, "cancel_content_task", id); err != nil {
		return err
	}
	return r.answer(map[string]string{"canceled": id}, "canceled; what was sent to the ledger before stays sent")
}

// over returns why there is nothing to cancel of what was published at an address.
func (r *Run) over(ctx context.Context, uri string) error {
	offer, err := r.offer(ctx, uri)
	if err != nil {
		return err
	}
	now, err := call[ledger.Time](ctx, r.Wallet, "head_block_time")
	if err != nil {
		return err
	}
	no := &fault.Error{Code: fault.Denied, Op: op, Hint: "nothing was done"}
	switch {
	case offer == nil && looksLikeTask(uri):
		no.Message = "no task " + uri + " is under way: it has ended or was canceled, if it ever was one"
		no.Hint = "billfold content list shows what is on offer, what was bought and is here, and what is under way"
	case offer == nil:
		no.Message, no.Hint = "no task is called "+fault.Quote(uri)+", and nobody offers content there", "billfold content list shows tasks"
	case offer.IsBlocked:
		no.Message = fmt.Sprintf("%s was withdrawn already, and is kept until %s UTC for who bought it", fault.Quote(uri), offer.Expiration)
	case offer.Expiration <= now:
		no.Message = fmt.Sprintf("%s was on offer until %s UTC, so there is nothing to cancel", fault.Quote(uri), offer.Expiration)
	default:
		no.Message, no.Hint = fault.Quote(uri)+" is published, and no task any more", fmt.Sprintf("billfold call content_cancellation %s %s true takes it off sale", offer.Author, uri)
	}
	return no
}

// looksLikeTask reports whether a text has the form of a task's id.
func looksLikeTask(text string) bool {
	const length = 26
	return len(text) == length && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// state returns the state of an offer in words: the node calls withdrawn what is expired as well.
func (r *Run) state(ctx context.Context, c ledger.ContentSummary) string {
	if c.Status == ledger.OfferExpired {
		if offer, err := r.offer(ctx, c.URI); err == nil && offer != nil && offer.IsBlocked {
			return "Withdrawn"
		}
	}
	return c.Status
}

func (r *Run) offerRows(ctx context.Context, list []ledger.ContentSummary) [][]string {
	rows := [][]string{{"TITLE", "AUTHOR", "PRICE", "SIZE", "BOUGHT", "UNTIL", "STATE", "ADDRESS"}}
	for _, c := range list {
		rows = append(rows, []string{ledger.ReadSynopsis(c.Synopsis).Title, c.Author, r.amount(ctx, c.Price), fmt.Sprintf("%d MB", c.Size),
			fmt.Sprint(c.TimesBought), c.Expiration.Time().Format("2006-01-02"), r.state(ctx, c), c.URI})
	}
	return rows
}

func stateOf(p ledgerview.Purchase) string {
	switch {
	case p.Delivered && p.StatusText == "Downloaded":
		return "here, with its key"
	case p.Delivered:
		return "delivered"
	case p.Expired:
		return "given back"
	}
	return fmt.Sprintf("waiting for its key (%d of %d parts)", p.ReceivedKeyParts, p.TotalKeyParts)
}

func stateOfTask(t content.Task) string {
	if t.Elsewhere {
		return "in another program"
	}
	return string(t.State)
}

func taskWords(t content.Task) string {
	what := string(t.Kind)
	if t.Step != "" {
		what += ", " + string(t.Step)
	}
	if t.Total > 0 {
		what += fmt.Sprintf(" %d %%", min(t.Done, t.Total)*100/t.Total)
	}
	return what
}

func aboutTask(t content.Task) string {
	for _, text := range []string{t.Reason, t.Title, t.URI} {
		if text != "" {
			return text
		}
	}
	if t.Hash != nil {
		return t.Hash.String()
	}
	return ""
}

// table prints rows, of which the first are the heads, below a title.
func (r *Run) table(title string, rows [][]string) {
	if title != "" {
		fmt.Fprintln(r.Out, title)
	}
	if len(rows) == 1 {
		fmt.Fprintln(r.Out, "  nothing")
		return
	}
	writeTable(r.Out, rows)
}

const maxCell = 60

func writeTable(out io.Writer, rows [][]string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable.Short(cell, maxCell)
			if i == len(row)-1 {
				cells[i] = printable.Text(cell) // an address, which is copied
			}
		}
		fmt.Fprintf(w, "  %s\n", strings.Join(cells, "\t"))
	}
	_ = w.Flush() // to a writer whose faults the command reports
}
