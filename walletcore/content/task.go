package content

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"billfold/content/archive"
	"billfold/ledger"
	"billfold/osfile"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// Kind is the work that a task does.
type Kind string

// The kinds. Somebody waits for the first three; if the program dies meanwhile, nothing is left of them.
const (
	Creating    Kind = "create"
	Extracting  Kind = "extract"
	Uploading   Kind = "upload"
	Downloading Kind = "download"
	Publishing  Kind = "publish"
)

// State is the progress of a task.
type State string

// The states.
const (
	Waiting State = "waiting" // it is tried again; Reason says what it waits for, if anything
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed" // for Reason
)

// Step is a stage of a publication.
type Step string

// The steps of a publication, in their order.
const (
	Packing    Step = "packing"
	Proving    Step = "proving" // the end of packing: what seeders prove with that they keep it; a file of a task never has this
	Sending    Step = "uploading"
	Submitting Step = "submitting"
)

// Task is something that takes long.
type Task struct {
	ID          string                `json:"id"`
	Kind        Kind                  `json:"kind" help:"create, extract, upload, download or publish"`
	Step        Step                  `json:"step,omitempty" help:"of a publication: packing, proving, uploading or submitting"`
	State       State                 `json:"state" help:"waiting, running, done or failed"`
	Reason      string                `json:"reason,omitempty" help:"why it failed, or what it waits for"`
	Account     string                `json:"account,omitempty" help:"the author or the consumer"`
	Title       string                `json:"title,omitempty" help:"of what is published"`
	URI         string                `json:"URI,omitempty"`
	Hash        *ledger.Hash160       `json:"package_hash,omitempty"`
	Done        uint64                `json:"done_bytes" help:"of the present step"`
	Total       uint64                `json:"total_bytes"`
	Transaction *ledger.TransactionID `json:"transaction_id,omitempty" help:"of the submission"`
	Elsewhere   bool                  `json:"elsewhere,omitempty" help:"another program on this machine works on it"`
	Began       ledger.Time           `json:"began"`
}

// record is a task as its file has it.
type record struct {
	Version int `json:"version"`
	Task
	Held       bool                `json:"held,omitempty"`        // a download that begins once its content is bought
	Most       uint64              `json:"most,omitempty"`        // bytes that a download may have
	Folder     string              `json:"folder,omitempty"`      // in which an extraction works
	Name       string              `json:"name,omitempty"`        // of what it makes there
	Custody    *ledger.CustodyData `json:"custody,omitempty"`     // of what was packed
	Size       uint64              `json:"size,omitempty"`        // of what was packed, in megabytes
	Fee        int64               `json:"fee,omitempty"`         // what a submission pays seeders from
	Received   map[string]uint64   `json:"received,omitempty"`    // bytes from each seeder's IPFS daemon before a download
	RequestKey string              `json:"request_key,omitempty"` // of a submission; "" in files from before it
	Sealed     string              `json:"sealed,omitempty"`      // what only this wallet may read
}

// requestKey returns the key that a publication is submitted under.
func (r record) requestKey() string { return cmp.Or(r.RequestKey, publishOp+" "+r.ID) }

const (
	recordVersion = 1
	recordSuffix  = ".json"
	maxRecord     = 1 << 20
	maxTasks      = 100 // that are over and still shown
)

// task is a task of this program.
type task struct {
	record
	cancel  context.CancelFunc // of the work on it; nil: nobody works
	gone    bool               // somebody canceled it
	signing bool               // see commit
	owner   *os.File           // the lock of a task that this program works on, or would; nil: it is over, or foreign
	foreign bool               // another program owns it
	unknown bool               // whether what it waits for was paid has to be looked up
	locked  bool               // it waits for the wallet to be unlocked
	delay   time.Duration      // before the next try
	later   *time.Timer
}

// shortest and longest delay between two tries.
const (
	shortestDelay = 2 * time.Second
	longestDelay  = 5 * time.Minute
)

// add adds a task and writes its file. Error: fault.File.
func (e *Engine) add(r record) (*task, error) {
	r.Version, r.ID, r.Began = recordVersion, strings.ToLower(rand.Text()), ledger.TimeOf(e.Now())
	e.files.Lock()
	defer e.files.Unlock()
	err := os.MkdirAll(e.TaskFolder, 0o700)
	t := &task{record: r, delay: shortestDelay}
	if err == nil {
		t.owner, err = e.own(r.ID)
	}
	if err != nil {
		return nil, notKept(err)
	}
	if err := e.write(r); err != nil {
		disown(t.owner)
		return nil, err
	}
	e.mu.Lock()
	e.tasks = append(e.tasks, t)
	e.forgetOldLocked()
	e.mu.Unlock()
	e.rouse() // to look for wishes
	e.notify()
	return t, nil
}

// forgetOldLocked removes the oldest of the tasks that are over, if there are too many.
func (e *Engine) forgetOldLocked() {
	over := 0
	for i := len(e.tasks) - 1; i >= 0; i-- {
		if t := e.tasks[i]; t.State != Done && t.State != Failed {
			continue
		}
		if over++; over > maxTasks {
			_ = os.Remove(e.path(e.tasks[i].ID))
			e.tasks = slices.Delete(e.tasks, i, i+1)
		}
	}
}

// Tasks returns all tasks, the oldest first, with those that other programs on this machine work on.
func (e *Engine) Tasks() []Task {
	e.refresh()
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]Task, len(e.tasks))
	open := e.Vault.CheckOpen("content") == nil
	for i, t := range e.tasks {
		switch out[i] = t.Task; {
		case t.foreign:
			out[i].State, out[i].Elsewhere, out[i].Reason = Running, true, "under way in another program"
			if t.State == Waiting && t.Reason != "" {
				out[i].Reason += ", which waits: " + t.Reason
			}
		case t.locked && open: // it is about to go on
			out[i].Reason = ""
		}
	}
	return out
}

// IsWorking reports whether a task is not over yet.
func (e *Engine) IsWorking() bool {
	return slices.ContainsFunc(e.Tasks(), func(t Task) bool { return t.State == Waiting || t.State == Running })
}

// Cancel ends a task, whatever it is at, and forgets it, also in another program that works on it. Errors: fault.BadValue for a task that there
// is not, or that is done, fault.Denied for what is being signed or is submitted, those of cancelForeign.
func (e *Engine) Cancel(op, id string) error {
	e.refresh()
	e.mu.Lock()
	i := slices.IndexFunc(e.tasks, func(t *task) bool { return t.ID == id })
	if i < 0 {
		e.mu.Unlock()
		return &fault.Error{Code: fault.BadValue, Op: op, Message: "there is no task " + fault.Quote(id), Hint: "list_content_tasks shows them"}
	}
	t := e.tasks[i]
	e.mu.Unlock()
	if t.foreign {
		return e.cancelForeign(op, t)
	}
	return e.cancelOwn(op, t)
}

// cancelOwn is Cancel for a task of this program.
func (e *Engine) cancelOwn(op string, t *task) error {
	e.mu.Lock()
	r := t.record
	e.mu.Unlock()
	if r.State == Done {
		return doneError(op, r.Task)
	}
	if err := e.checkSubmitted(op, r); err != nil {
		return err
	}
	e.mu.Lock()
	if t.signing {
		e.mu.Unlock()
		return &fault.Error{Code: fault.Denied, Op: op, Message: "the task " + t.ID + " is being signed and sent at this moment",
			Hint: "it was not canceled; list_content_tasks shows how it ends"}
	}
	t.gone = true
	working := t.cancel != nil
	if working {
		t.cancel()
	}
	e.mu.Unlock()
	if !working { // else whoever works on it removes it
		e.remove(t)
	}
	return nil
}

// ready returns the tasks that can be worked on.
func (e *Engine) ready() (out []*task) {
	locked := e.Vault.CheckOpen("content") != nil
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.tasks {
		background := t.Kind == Downloading || t.Kind == Publishing
		if background && t.owner != nil && t.State == Waiting && t.cancel == nil && t.later == nil && (!t.Held || t.unknown) && !(t.locked && locked) {
			out = append(out, t)
		}
	}
	return out
}

// begin marks a task as worked on; false if somebody works on it already, or it is over or gone.
func (e *Engine) begin(t *task, cancel context.CancelFunc) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.cancel != nil || t.gone || t.State != Waiting { // it may have ended since it was ready
		return false
	}
	t.cancel, t.State, t.Reason = cancel, Running, ""
	return true
}

// end records how the work on a task ended; stopped means that it was told to end.
func (e *Engine) end(t *task, err error, stopped bool) {
	e.mu.Lock()
	t.cancel = nil
	if t.Step == Proving {
		t.Step = Packing
	}
	remove := false
	switch {
	case t.gone:
		remove = true
	case err == nil:
		t.State, t.Reason = Done, ""
	case stopped: // the program ends; the next one goes on
		t.State = Waiting
	case fault.CodeOf(err) == fault.Locked: // an event tells when it is not
		t.State, t.Reason, t.locked = Waiting, "the wallet is locked; it goes on once it is unlocked", true
	case isPassing(err):
		t.State, t.Reason, t.locked = Waiting, sentence(err)+"; it is tried again in "+fault.Roughly(t.delay)+", until you end it", false
		e.tryLaterLocked(t)
	default:
		t.State, t.Reason, t.Sealed = Failed, sentence(err), ""
		e.Logger.Warn("content: a task failed", "task", t.Kind, "reason", t.Reason)
	}
	r := t.record
	e.mu.Unlock()
	switch {
	case remove:
		e.remove(t)
		return
	case r.State == Done:
		_ = os.Remove(e.path(r.ID)) // nothing is left to go on with
	default:
		if err := e.write(r); err != nil {
			e.Logger.Warn("content: a task cannot be recorded", "error", err)
			r.State = Waiting // as its file has it: no other program may begin it anew
		}
	}
	if r.State != Waiting { // any program may forget it
		e.mu.Lock()
		t.disownLocked()
		e.mu.Unlock()
	}
	e.notify()
	e.rouse()
}

func (e *Engine) tryLaterLocked(t *task) {
	t.later = time.AfterFunc(t.delay, func() {
		e.mu.Lock()
		t.later = nil
		e.mu.Unlock()
		e.rouse()
	})
	t.delay = min(2*t.delay, longestDelay)
}

// sentence returns an error as a task shows it.
func sentence(err error) string {
	if own, is := errors.AsType[*fault.Error](err); is {
		return own.Message + "; " + own.Hint
	}
	return err.Error()
}

// remove forgets a task, with what is left of its work.
func (e *Engine) remove(t *task) {
	e.files.Lock()
	defer e.files.Unlock()
	e.mu.Lock()
	if t.later != nil {
		t.later.Stop()
	}
	canceled := t.gone
	e.tasks = slices.DeleteFunc(e.tasks, func(other *task) bool { return other == t })
	e.mu.Unlock()
	if t.Kind == Downloading && t.Hash != nil {
		e.dropDownload(*t.Hash)
	}
	if err := os.Remove(e.path(t.ID)); err != nil && !errors.Is(err, os.ErrNotExist) {
		e.Logger.Warn("content: the file of a task cannot be removed", "error", err)
	}
	if canceled {
		_ = os.Remove(e.wishPath(t.ID)) // which is the answer: see cancelForeign
	}
	e.mu.Lock()
	t.disownLocked()
	e.mu.Unlock()
	e.notify()
	e.rouse()
}

// change changes a task and writes its file: if it returns an error, what was written before counts after the next start. Error: fault.File.
func (e *Engine) change(t *task, do func(r *record)) error {
	e.mu.Lock()
	do(&t.record)
	r := t.record
	e.mu.Unlock()
	e.notify()
	return e.write(r)
}

// progress returns what records how much of a step is done.
func (e *Engine) progress(t *task) func(done, total int64) {
	return func(done, total int64) {
		e.mu.Lock()
		defer e.mu.Unlock()
		t.Done, t.Total = uint64(max(done, 0)), uint64(max(total, 0))
	}
}

// proving is progress of Proving, which a start anew begins with Packing.
func (e *Engine) proving(t *task) func(done, total int64) {
	report := e.progress(t)
	return func(done, total int64) {
		e.mu.Lock()
		t.Step = Proving
		e.mu.Unlock()
		report(done, total)
	}
}

func (e *Engine) notify() { e.Events.Publish(event.Event{Kind: event.Content}) }

func (e *Engine) path(id string) string { return filepath.Join(e.TaskFolder, id+recordSuffix) }

// write replaces the file of a task atomically. Errors: fault.BadValue for one that is too long, fault.File.
func (e *Engine) write(r record) error {
	text, err := json.Marshal(r)
	if err != nil {
		return &fault.Error{Code: fault.Internal, Op: "content", Message: err.Error(), Err: err}
	}
	if len(text) >= maxRecord { // which the next start would not read
		return &fault.Error{Code: fault.BadValue, Op: "content", Message: "what is said of this content is too long to be kept", Hint: "shorten the synopsis; nothing was done"}
	}
	folder := e.TaskFolder
	if err = os.MkdirAll(folder, 0o700); err == nil {
		err = osfile.Replace(e.path(r.ID), append(text, '\n'))
	}
	if err != nil {
		return notKept(err)
	}
	return nil
}

func notKept(err error) error {
	return &fault.Error{Code: fault.File, Op: "content", Message: "the file of the task cannot be written: " + cause(err), Hint: fault.MakeRoom, Err: err}
}

// load removes what an earlier program left that no task needs.
func (e *Engine) load() {
	if _, err := os.Stat(e.PackageFolder); err == nil {
		if store, err := e.packages("start"); err == nil {
			if n, err := store.RemoveLeftovers(); err != nil || n > 0 {
				e.Logger.Warn("content: what a program that was killed had not finished was removed", "packages", n, "error", err)
			}
		}
	}
	files, err := os.ReadDir(e.TaskFolder)
	if err != nil {
		return // there are none
	}
	for _, file := range files {
		id, suffix := strings.TrimSuffix(file.Name(), filepath.Ext(file.Name())), filepath.Ext(file.Name())
		beside := suffix == ownerSuffix || suffix == wishSuffix
		if _, err := os.Stat(e.path(id)); beside && err == nil || !beside && !strings.HasPrefix(file.Name(), ".") {
			continue
		}
		if info, err := file.Info(); err == nil && time.Since(info.ModTime()) > strayAge { // a file that was not renamed, or whose task is gone
			_ = os.Remove(filepath.Join(e.TaskFolder, file.Name()))
		}
	}
}

// resume takes a task over from an earlier program, or lists it as another program's. What nobody can go on with is reported as failed, and what is
// left of it removed.
func (e *Engine) resume(id string) {
	owner, taken := e.own(id)
	r, err := e.read(id)
	if errors.Is(err, os.ErrNotExist) { // it is over meanwhile
		disown(owner)
		return
	}
	if taken != nil {
		if err == nil {
			e.list(&task{record: r, foreign: true})
		}
		return
	}
	if err != nil {
		e.Logger.Warn("content: the file of a task cannot be read", "file", id+recordSuffix, "error", err)
		r = record{Version: recordVersion, Task: Task{ID: id, State: Failed, Reason: "its file cannot be read, so it is lost: " + cause(err)}}
	}
	switch r.Kind {
	case Creating, Extracting, Uploading:
		if r.isExtracted() { // it ended between its last step and the removal of its file
			_ = os.Remove(e.path(id))
			disown(owner)
			return
		}
		if r.State != Failed {
			r.State, r.Reason = Failed, "the program ended before it was done; nothing is left of it, so do it again"
			e.removeExtraction(r)
		}
	case Downloading, Publishing:
		if r.State == Running {
			r.State = Waiting
		}
		if r.State == Waiting { // for what was told then
			r.Reason = ""
		}
	}
	t := &task{record: r, delay: shortestDelay, unknown: true, owner: owner}
	if r.State == Failed {
		if err == nil {
			_ = e.write(r)
		}
		t.disownLocked()
	}
	e.list(t)
	e.rouse()
}

// list adds a task that was begun earlier.
func (e *Engine) list(t *task) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tasks = append(e.tasks, t)
	slices.SortStableFunc(e.tasks, func(a, b *task) int { return cmp.Compare(a.Began, b.Began) })
}

// isExtracted reports whether the whole content is in its place: it is moved there at once, to where nothing was.
func (r record) isExtracted() bool {
	if r.Kind != Extracting || r.Name == "" || r.State == Failed {
		return false
	}
	found, err := os.ReadDir(filepath.Join(r.Folder, r.Name))
	return err == nil && len(found) > 0
}

// removeExtraction removes what an extraction that was killed left beside its folder.
func (e *Engine) removeExtraction(r record) {
	if r.Kind != Extracting || r.Folder == "" {
		return
	}
	root, err := os.OpenRoot(r.Folder)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	_, _ = archive.RemoveLeftovers(root, ".")
}

func (e *Engine) read(id string) (r record, err error) {
	file, err := os.Open(e.path(id))
	if err != nil {
		return r, err
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || info.Size() > maxRecord {
		return r, errors.Join(err, errors.New("it is too large"))
	}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, err
	}
	if r.Version != recordVersion || r.ID != id {
		return r, errors.New("it is of another version, or another task's")
	}
	return r, nil
}

// during does something that its caller waits for, as a task.
func (e *Engine) during(ctx context.Context, r record, do func(ctx context.Context, t *task) error) error {
	r.State = Running
	t, err := e.add(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.mu.Lock()
	t.cancel = cancel
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		t.cancel = nil
		e.mu.Unlock()
		e.remove(t) // its caller is told how it ended
	}()
	return do(ctx, t)
}
