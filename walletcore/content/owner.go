package content

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"billfold/osfile"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// Beside the file of a task that somebody works on, or would, lies one that this program has locked: of several programs on one folder, one owns a task.
// Another one that wants it ended leaves a wish. The owner looks for wishes between steps and, decisively, right before it signs.
const (
	ownerSuffix = ".owner"
	wishSuffix  = ".cancel"

	// wishTime is the interval at which an owner looks for wishes, wishPatience the longest wait of whoever has one.
	wishTime     = time.Second / 2
	wishPatience = 20 * wishTime

	// strayAge is the age beyond which a file is removed that belongs to no task any more, or was never renamed. Younger ones may be in the hands of
	// another program.
	strayAge = time.Hour
)

// own locks a task. Error: osfile.ErrLocked if another program has it, or the system's.
func (e *Engine) own(id string) (*os.File, error) {
	path := filepath.Join(e.TaskFolder, id+ownerSuffix)
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := osfile.TryLock(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		mine, err := f.Stat()
		if there, gone := os.Stat(path); err == nil && gone == nil && os.SameFile(mine, there) {
			return f, nil
		}
		_ = f.Close() // who had it removed it meanwhile
	}
}

// disown ends what own began. It may be called for nil.
func disown(f *os.File) {
	if f == nil {
		return
	}
	removed := os.Remove(f.Name())
	_ = f.Close()
	if removed != nil { // some systems remove no file that is open; one that another program has opened stays
		_ = os.Remove(f.Name())
	}
}

// disownLocked is disown for a task.
func (t *task) disownLocked() {
	disown(t.owner)
	t.owner = nil
}

// disownAll lets other programs go on with what this one does not work on.
func (e *Engine) disownAll() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.tasks {
		if t.cancel == nil {
			t.disownLocked()
		}
	}
}

func (e *Engine) wishPath(id string) string { return filepath.Join(e.TaskFolder, id+wishSuffix) }

func (e *Engine) isWished(id string) bool {
	_, err := os.Stat(e.wishPath(id))
	return err == nil
}

// fulfill cancels the tasks of this program that another one wants to end, and reports whether it has tasks that may be wished to.
func (e *Engine) fulfill() bool {
	e.mu.Lock()
	var own []*task
	for _, t := range e.tasks {
		if t.owner != nil {
			own = append(own, t)
		}
	}
	e.mu.Unlock()
	for _, t := range own {
		if e.isWished(t.ID) {
			_ = e.cancelOwn("cancel_content_task", t) // who wished it finds out as well
		}
	}
	return len(own) > 0
}

// refresh reads what other programs do in the folder of tasks: what they own is listed as theirs, and what nobody owns any more is taken over.
func (e *Engine) refresh() {
	e.loading.Do(e.load)
	e.files.Lock()
	defer e.files.Unlock()
	names, err := os.ReadDir(e.TaskFolder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	ids := map[string]bool{}
	for _, name := range names {
		if id, is := strings.CutSuffix(name.Name(), recordSuffix); is && id != "" && id[0] != '.' {
			ids[id] = true
		}
	}
	e.mu.Lock()
	known := map[string]bool{}
	e.tasks = slices.DeleteFunc(e.tasks, func(t *task) bool {
		gone := t.foreign || t.owner == nil && t.State == Failed && !ids[t.ID]
		known[t.ID] = known[t.ID] || !gone
		return gone
	})
	e.mu.Unlock()
	for id := range ids {
		if !known[id] {
			e.resume(id)
		}
	}
}

// cancelForeign has another program end its task, and waits until it did. Errors: fault.Denied for what is submitted or done, Unsettled if the
// other program does not answer, fault.File.
func (e *Engine) cancelForeign(op string, t *task) error {
	id, was := t.ID, t.record
	if err := osfile.Replace(e.wishPath(id), nil); err != nil {
		return &fault.Error{Code: fault.File, Op: op, Message: "the program that works on this cannot be told: " + cause(err), Hint: fault.MakeRoom, Err: err}
	}
	for start := time.Now(); ; time.Sleep(wishTime / 10) {
		if r, err := e.read(id); err == nil {
			was = r
		}
		owner, err := e.own(id)
		if err == nil {
			left := e.isWished(id)
			_ = os.Remove(e.wishPath(id))
			_, lost := os.Stat(e.path(id))
			disown(owner)
			e.refresh()
			switch {
			case lost == nil: // it ended without having looked, and left the task to whoever comes
				return e.Cancel(op, id)
			case left: // it was done first
				return doneError(op, was.Task)
			}
			e.notify()
			return nil
		}
		if err := e.checkSubmitted(op, was); err != nil {
			_ = os.Remove(e.wishPath(id))
			return err
		}
		if time.Since(start) > wishPatience {
			return &fault.Error{Code: fault.Denied, Op: op, Message: "another program is doing this, and has not answered", Unsettled: true,
				Hint: "it ends this before its next step; end that program if it does not, and see list_content_tasks"}
		}
	}
}

// doneError refuses to cancel what is done.
func doneError(op string, t Task) error {
	e := &fault.Error{Code: fault.BadValue, Op: op, Message: "the task " + t.ID + " is done", Hint: "nothing was canceled"}
	switch {
	case t.Kind == Publishing && t.URI != "":
		e.Message, e.Hint = "the task "+t.ID+" is done: the content was published at "+fault.Quote(t.URI), "content_cancellation takes it off sale"
	case t.Kind == Downloading:
		e.Message, e.Hint = "the task "+t.ID+" is done: the package was downloaded", "remove_package deletes it"
	}
	return e
}

// checkSubmitted refuses to cancel a publication whose submission is signed and may be on the ledger, or get there. Error: fault.Denied.
func (e *Engine) checkSubmitted(op string, r record) error {
	if r.Kind != Publishing || r.State == Failed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), wishPatience)
	defer cancel()
	made, err := e.Payments.Get(ctx, r.requestKey())
	if err != nil || made.State == payment.Rejected.String() || made.State == payment.Expired.String() {
		return nil
	}
	return &fault.Error{Code: fault.Denied, Op: op, Message: "the task " + r.ID + " was submitted already, in transaction " + made.TransactionID.String(),
		Hint: "get_payment shows whether a block has it; content_cancellation takes it off sale"}
}

// commit returns what is called right before something about a task is signed. From then on nobody cancels it, until settle is called. Error:
// fault.Denied if somebody did.
func (e *Engine) commit(t *task) func() error {
	return func() error {
		wished := e.isWished(t.ID)
		e.mu.Lock()
		defer e.mu.Unlock()
		t.gone = t.gone || wished
		if t.gone {
			return &fault.Error{Code: fault.Denied, Op: "content", Message: "this was canceled before it was signed", Hint: "nothing was paid"}
		}
		t.signing = true
		return nil
	}
}

func (e *Engine) settle(t *task) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t.signing = false
}
