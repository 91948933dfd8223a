package walletcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// sellable returns a publication for seeders that the ledger has.
func (p *publisher) sellable(s *session) content.Publication {
	s.Mine() // with what the seeders announced
	publication := p.publication()
	publication.Seeders = nil
	for _, name := range []string{"seeder-1", "seeder-2"} {
		publication.Seeders = append(publication.Seeders, s.Account(name).ID)
	}
	return publication
}

// A task is one program's. Another one lists it as that, with its step, begins nothing of it, and has it ended: what it calls canceled is neither
// signed nor fetched.
func TestTasksOfAnotherProgramAreCanceled(t *testing.T) {
	p := newPublisherOn(t, sandbox.Options{Seeders: 2, Content: t.TempDir()})
	s := p.start(false)
	publication := p.sellable(s)
	held, open := make(chan struct{}), atomic.Bool{}
	p.ipfs.Set(func(command string) bool {
		if command == "add" && !open.Load() {
			<-held
		}
		return true
	})
	defer func() {
		if !open.Load() {
			close(held)
		}
	}()
	s.publish(publication)
	task := s.until("the upload", func(t content.Task) bool { return t.Step == content.Sending && t.State == content.Running })
	other := p.start(true)
	seen := other.until("the task of the other program", func(t content.Task) bool { return t.ID == task.ID })
	if !seen.Elsewhere || seen.State != content.Running || seen.Step != content.Sending || !strings.Contains(seen.Reason, "another program") {
		t.Errorf("%+v", seen)
	}
	if mine := s.Content.Tasks(); len(mine) != 1 || mine[0].Elsewhere || mine[0].State != content.Running {
		t.Errorf("%+v", mine)
	}
	testwallet.Must(t, other.Content.Cancel("cancel_content_task", task.ID))
	open.Store(true)
	close(held)
	s.Until("the end of the task", func() bool { return len(s.Content.Tasks())+len(other.Content.Tasks()) == 0 })
	time.Sleep(time.Second) // in which it would be submitted
	if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("what was canceled was submitted: %+v, %v", list, err)
	}
	if files, err := os.ReadDir(filepath.Join(p.dir, "tasks")); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
	faulttest.Refused(t, other.Content.Cancel("cancel_content_task", task.ID), fault.BadValue)
}

// What is signed and on its way is not called canceled, neither by its program nor by another one.
func TestSubmissionsThatWereSentAreNotCanceled(t *testing.T) {
	p := newPublisherOn(t, sandbox.Options{Seeders: 2, Content: t.TempDir()})
	s := p.start(false)
	publication := p.sellable(s)
	other := p.start(true)
	p.relay.Set(func(r *testwallet.Relay) { r.Cut = "broadcast_transaction" })
	s.publish(publication)
	task := s.until("the submission without an answer", func(t content.Task) bool { return t.Step == content.Submitting && t.State == content.Waiting })
	for _, by := range []*session{s, other} {
		refused := faulttest.Refused(t, by.Content.Cancel("cancel_content_task", task.ID), fault.Denied)
		if !strings.Contains(refused.Message, "submitted already, in transaction") {
			t.Errorf("%v", refused)
		}
	}
	s.until("the submission", is(content.Done))
}

// A download that is canceled while its purchase is read keeps that from being signed, whichever program canceled it.
func TestACanceledPurchaseIsNotSigned(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	other := p.start(true)
	for _, by := range []*session{s, other} {
		prepared, err := s.Content.Prepare(s.Ctx, txbuild.BuyContentParams{Consumer: "alice", URI: c.URI})
		testwallet.Must(t, err)
		_, err = s.Payments.Spend(s.Ctx, txbuild.NewRequest("download_content", txbuild.BuyContentParams{Consumer: "alice", URI: c.URI}, s.Content.Buy),
			payment.Sending{Broadcast: true, Last: func() error {
				for _, task := range by.Content.Tasks() {
					testwallet.Must(t, by.Content.Cancel("cancel_content_task", task.ID))
				}
				return prepared.Commit()()
			}})
		refused := faulttest.Refused(t, err, fault.Denied)
		if !strings.Contains(refused.Message, "canceled before it was signed") {
			t.Error(refused)
		}
		testwallet.Must(t, prepared.Settle(err))
		if list, err := s.Payments.List(s.Ctx, 10); err != nil || len(list)+len(s.Content.Tasks())+len(other.Content.Tasks()) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
	}
}

// What a program leaves is taken over by another one that is running.
func TestTasksOfAProgramThatEndedAreTakenOver(t *testing.T) {
	p := newPublisher(t)
	s := p.start(false)
	c := p.published(s, newKey(t))
	testwallet.Must(t, s.Content.Remove("remove_package", c.Hash))
	p.ipfs.Set(func(command string) bool { return command != "cat" })
	testwallet.Must(t, s.Content.Fetch(s.Ctx, "download_package", c.URI))
	s.until("a try that failed", func(t content.Task) bool { return t.State == content.Waiting && t.Reason != "" })
	other := p.start(true)
	if seen := other.until("the task", func(t content.Task) bool { return t.Elsewhere }); !strings.Contains(seen.Reason, "which waits: the IPFS daemon") {
		t.Errorf("%+v", seen)
	}
	testwallet.Must(t, other.Content.Fetch(other.Ctx, "download_package", c.URI)) // which is under way
	p.ipfs.Set(nil)
	s.end()
	other.until("the download", is(content.Done))
	if !other.Content.Has(c.Hash) {
		t.Error("nothing was downloaded")
	}
}

// What a wallet keeps in its folder is known by what is in it, when it is copied and renamed as well.
func TestFilesOfAWalletAreNotPacked(t *testing.T) {
	p := newPublisher(t)
	p.start(false).end()
	texts := map[string][]byte{}
	for _, name := range []string{sqlite.Name, sqlite.MarkName, "wallet.keys"} { // while nobody has them open: what was written last may be beside the store then
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		testwallet.Must(t, err)
		texts[name] = text
	}
	s := p.start(false)
	for name, text := range texts {
		testwallet.Must(t, os.MkdirAll(filepath.Join(p.dir, "content", name), 0o700))
		p.write("content/"+name+"/song.ogg", string(text))
		_, err := s.Content.Create(s.Ctx, "create_package", content.Source{Content: below(name)}, newKey(t))
		if refused := faulttest.Refused(t, err, fault.BadValue); !strings.Contains(refused.Message, "wallet") {
			t.Errorf("%s: %v", name, refused)
		}
	}
}
