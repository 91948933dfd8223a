package linear

import (
	"context"

	"billfold/tui/format"
	"billfold/tui/page/firstrun"
	"billfold/walletcore/vault"
)

// registrations shows how somebody else can register an account for this wallet.
type registrations struct{ *Conversation }

func (s registrations) words() []word {
	const help = "show what somebody else needs to register an account for you; with FILE, write it there"
	return []word{{say: "registration FILE", row: "keys/keys.registered", help: help, do: s.sayOrWrite}}
}

// sayOrWrite prints the waiting registrations, or writes their command lines to a new file.
func (s registrations) sayOrWrite(ctx context.Context, file string) error {
	all, err := s.waiting(ctx)
	switch {
	case err != nil:
		return err
	case len(all) == 0:
		return refuse("No registration is waiting.", "keys, then register NAME, makes an account.")
	case file != "":
		text := ""
		for _, one := range all {
			text += registrationLine(one) + "\n"
		}
		if err := writeNew(file, []byte(text)); err != nil {
			return err
		}
		s.Tell("Saved", format.Clean(file))
		return nil
	}
	for _, one := range all {
		s.sayRegistration(one)
	}
	return nil
}

// waiting returns the waiting registrations from the unlocked wallet: keys from an unverified file must not go to a
// registrar.
func (s registrations) waiting(ctx context.Context) ([]vault.Waiting, error) {
	if err := s.needUnlock(ctx); err != nil {
		return nil, err
	}
	return s.opt.Core.FirstRun.Waiting()
}

// sayNoAccount prints that the wallet has no account, and the waiting registrations: whole, or by name.
func (s registrations) sayNoAccount(ctx context.Context, whole bool) error {
	s.Say("This wallet has no account yet. import adds one.")
	if !s.env().Unlocked() {
		s.Say("registration says how others register one, once the wallet is open.")
		return nil
	}
	all, err := s.waiting(ctx)
	for _, one := range all {
		if whole {
			s.sayRegistration(one)
			continue
		}
		s.Tell("Waits to be registered", waitingName(one)+". Type registration to hear its keys.")
	}
	return err
}

// waitingName returns what to call an account that waits to be registered.
func waitingName(one vault.Waiting) string {
	if nameless(one) {
		return "an account with these keys"
	}
	return format.Clean(one.Name)
}

// nameless reports whether the registrar has to choose the name: none was asked for, or the name went to an account
// with other keys.
func nameless(one vault.Waiting) bool { return one.Name == "" || len(one.Others) > 0 }

// sayRegistration prints how to get an account registered, with its keys and the command line for the registrar.
func (s registrations) sayRegistration(one vault.Waiting) {
	for _, other := range one.Others {
		s.Tell("Careful", format.Clean(other.String())+".")
	}
	s.Say("An account is registered by someone who has one.")
	s.Say("Billfold lists " + waitingName(one) + " automatically once it is on the ledger.")
	s.Tell("Owner key", one.Owner.String())
	s.Tell("Active key", one.Active.String())
	s.Tell("Memo key", one.Memo.String())
	s.Say("Send this line to a registrar, or to anyone with an account, who runs it in Billfold or cli_wallet:")
	s.Say(registrationLine(one))
	s.Say("registration FILE writes it to a file.")
}

// registrationLine returns the command that a registrar runs.
func registrationLine(one vault.Waiting) string {
	name := one.Name
	if nameless(one) {
		name = "NAME"
	}
	return firstrun.Registration(one.NewAccount, name)
}
